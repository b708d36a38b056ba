import Artwork
import Codecs
import Raster
import Theming

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
    mutating func trim(_ size: inout (width: Double, height: Double)) throws {
        let before = self.size
        switch consume self {
        case .raster(var pixels):
            if let bounds = pixels.contentBounds { pixels.crop(to: bounds) }
            self = .raster(pixels)
        case .vector(var drawing):
            do {
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

    /// Returns the picture halved as often as all variants allow, together with halved copies that
    /// several variants share.
    ///
    /// - Parameter size: the upright size before decoding.
    consuming func halved(
        for recipe: Recipe, _ theme: Theme, _ size: (width: Double, height: Double),
        _ study: LogoStudy?
    ) -> Picture {
        switch consume self {
        case .raster(let pixels):
            return .raster(
                pixels.halved(
                    for: recipe.variants.map { variant in
                        var style = recipe.style(for: variant, in: theme)
                        study?.place(size, recipe, &style)
                        return style.neededSize(for: size)
                    }))
        case .vector(let drawing):
            return .vector(drawing)
        }
    }
}

extension Picture {
    /// A drawing whose visible part has a longer side below this, in pixels, is rendered again
    /// without its margins.
    private static let leastSide = 96

    /// Cuts transparent margins and returns a small upright copy of the remaining picture.
    ///
    /// - Parameters:
    ///   - size: the upright size that the picture had before it was decoded; it is reduced in the
    ///     same proportion.
    ///   - trims: Whether the margins are cut.
    ///   - edge: receives the edge of an opaque picture, if it had to be measured.
    mutating func study(
        _ size: inout (width: Double, height: Double), trims: Bool, _ edge: inout LogoEdge?
    ) throws -> PixelBuffer {
        let before = self.size
        let copy: PixelBuffer
        switch consume self {
        case .raster(var pixels):
            if trims {
                pixels.clearFaintLayer()
                if let bounds = pixels.visibleBounds { pixels.crop(to: bounds) }
            }
            let small = pixels.averaged(to: LogoStudy.side)
            if trims, pixels.pendingOrientation == .up, small.isOpaque { edge = LogoEdge(small) }
            if let margin = edge, let bounds = LogoStudy.tileBounds(in: small, margin) {
                edge = nil
                pixels.crop(to: bounds.scaled(from: small.size, to: pixels.size))
                copy = small.part(bounds)
            } else {
                copy = small
            }
            self = .raster(pixels)
        case .vector(var drawing):
            do {
                var drawn = try Self.drawn(&drawing, trims: trims)
                if max(drawn.width, drawn.height) < Self.leastSide {
                    // Wide margins left too few pixels.
                    drawn = try Self.drawn(&drawing, trims: trims)
                }
                copy = drawn
            } catch {
                self = .vector(drawing)
                throw error
            }
            self = .vector(drawing)
        }
        reduce(&size, from: before)
        return copy
    }

    /// Renders a drawing for a study, and cuts transparent margins off the drawing and off the
    /// result.
    private static func drawn(
        _ drawing: inout VectorPicture, trims: Bool
    ) throws -> PixelBuffer {
        var drawn = try drawing.render(at: drawn(drawing.shownSize))
        if trims, let bounds = drawn.visibleBounds {
            drawing.show(bounds, of: drawn.size)
            drawn.crop(to: bounds)
        }
        return drawn
    }

    private static func drawn(_ size: (width: Double, height: Double)) -> PixelSize {
        func pixels(_ length: Double) -> Int {
            max(1, Int((length / max(size.width, size.height) * Double(LogoStudy.side)).rounded()))
        }
        return PixelSize(width: pixels(size.width), height: pixels(size.height))
    }
}

extension PixelRect {
    /// Returns the largest rectangle of whole pixels inside this rectangle, after the whole picture
    /// is scaled from `size` to `target`.
    fileprivate func scaled(from size: PixelSize, to target: PixelSize) -> PixelRect {
        func stretch(_ start: Int, _ length: Int, _ whole: Int, _ wanted: Int) -> (Int, Int) {
            let first = (start * wanted + whole - 1) / whole
            return (first, max(1, (start + length) * wanted / whole - first))
        }
        let across = stretch(x, width, size.width, target.width)
        let down = stretch(y, height, size.height, target.height)
        return PixelRect(x: across.0, y: down.0, width: across.1, height: down.1)
    }
}
