import Codecs
import Raster

extension Picture {
    /// The upright size of the visible part.
    var size: (width: Double, height: Double) {
        switch self {
        case .raster(let pixels):
            let upright = pixels.pendingOrientation.upright(pixels.size)
            return (Double(upright.width), Double(upright.height))
        case .vector(let drawing): return drawing.shownSize
        }
    }

    /// Whether the image consists of pixels, and is not a vector drawing.
    var hasPixels: Bool {
        switch self {
        case .raster: true
        case .vector: false
        }
    }

    /// Trims margins, and reduces `size`, the upright size before decoding, in the same proportion.
    mutating func trim(_ size: inout (width: Double, height: Double)) throws(DecodeError) {
        let before = self.size
        switch consume self {
        case .raster(var pixels):
            if let bounds = pixels.contentBounds { pixels.crop(to: bounds) }
            self = .raster(pixels)
        case .vector(var drawing):
            do throws(DecodeError) {
                try drawing.trim()
            } catch {
                self = .vector(drawing)
                throw error
            }
            self = .vector(drawing)
        }
        reduce(&size, from: before)
    }

    /// Scales the size of the upright image by the change of the picture's size since `before`.
    func reduce(
        _ size: inout (width: Double, height: Double), from before: (width: Double, height: Double)
    ) {
        let after = self.size
        size.width *= after.width / before.width
        size.height *= after.height / before.height
    }
}
