import Artwork
import Codecs
import Raster
import Theming

/// A small upright copy of a picture without its margins.
struct StudyCopy: ~Copyable {
    var pixels: PixelBuffer
    /// The edge of an opaque picture, if it had to be measured.
    var edge: LogoEdge?
    /// The longer side of the whole picture, divided by its shorter side.
    var aspect: Double
    /// The sides of the copy that are sides of the whole picture.
    var flush = LogoSides.all
    /// The sides of the copy that have no wide margin in the whole picture.
    var near = LogoSides.all

    /// A wide margin is at least this part of a side.
    private static let wideMargin = 10

    init(_ pixels: consuming PixelBuffer) {
        aspect = pixels.aspect
        self.pixels = pixels
    }

    /// Notes the margins that were cut off.
    ///
    /// - Parameters:
    ///   - bounds: what is left of the whole picture; nil for all of it.
    ///   - whole: the size of the whole picture.
    mutating func cut(to bounds: PixelRect?, of whole: PixelSize) {
        guard let bounds else { return }
        aspect = Double(max(whole.width, whole.height)) / Double(min(whole.width, whole.height))
        let margins: [(LogoSides, margin: Int, length: Int)] = [
            (.left, bounds.x, whole.width), (.top, bounds.y, whole.height),
            (.right, whole.width - bounds.x - bounds.width, whole.width),
            (.bottom, whole.height - bounds.y - bounds.height, whole.height),
        ]
        for (side, margin, length) in margins {
            if margin > 0 { flush.remove(side) }
            if margin * Self.wideMargin >= length { near.remove(side) }
        }
    }
}

extension PixelBuffer {
    /// The longer side, divided by the shorter side.
    var aspect: Double { Double(max(width, height)) / Double(min(width, height)) }
}

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
    private func reduce(
        _ size: inout (width: Double, height: Double), from before: (width: Double, height: Double)
    ) {
        let after = self.size
        size.width *= after.width / before.width
        size.height *= after.height / before.height
    }
}

extension Picture {
    /// A drawing whose visible part has a longer side below this, in pixels, is rendered again
    /// without its margins.
    private static let leastSide = 96

    /// Cuts transparent margins, or the margin around a tile, and returns a small copy of the
    /// remaining picture.
    ///
    /// - Parameters:
    ///   - size: the upright size that the picture had before it was decoded; it is reduced in the
    ///     same proportion.
    ///   - trims: Whether the margins are cut.
    mutating func study(
        _ size: inout (width: Double, height: Double), trims: Bool
    ) throws -> StudyCopy {
        let before = self.size
        switch consume self {
        case .raster(var pixels):
            let copy = Self.copy(of: &pixels, trims: trims)
            self = .raster(pixels)
            reduce(&size, from: before)
            return copy
        case .vector(var drawing):
            do {
                let copy = try Self.copy(of: &drawing, trims: trims)
                self = .vector(drawing)
                reduce(&size, from: before)
                return copy
            } catch {
                self = .vector(drawing)
                throw error
            }
        }
    }

    private static func copy(of pixels: inout PixelBuffer, trims: Bool) -> StudyCopy {
        let whole = pixels.size
        if trims { pixels.clearFaintLayer() }
        let visible = trims ? pixels.visibleBounds : nil
        if let visible { pixels.crop(to: visible) }
        var copy = StudyCopy(pixels.averaged(to: LogoStudy.side))
        copy.cut(to: visible, of: whole)
        guard pixels.pendingOrientation == .up else {
            copy.flush = []
            return copy
        }
        guard trims, copy.pixels.isOpaque else { return copy }
        let mask = AlphaMask(copy.pixels, leastAlpha: LogoStudy.leastAlpha)
        copy.edge = LogoEdge(copy.pixels, mask)
        guard let edge = copy.edge, let tile = LogoStudy.tileBounds(in: copy.pixels, edge) else {
            return copy
        }
        pixels.crop(to: tile.scaled(from: copy.pixels.size, to: pixels.size))
        var part = StudyCopy(copy.pixels.part(tile))
        part.flush = []
        return part
    }

    private static func copy(of drawing: inout VectorPicture, trims: Bool) throws -> StudyCopy {
        let first = try drawn(&drawing, trims: trims)
        guard max(first.pixels.width, first.pixels.height) < leastSide else { return first }
        // Wide margins left too few pixels.
        var copy = try drawn(&drawing, trims: trims)
        (copy.flush, copy.near, copy.aspect) = (first.flush, first.near, first.aspect)
        return copy
    }

    /// Renders a drawing for a study, and cuts transparent margins off the drawing and off the
    /// result.
    private static func drawn(
        _ drawing: inout VectorPicture, trims: Bool
    ) throws -> StudyCopy {
        var drawn = try drawing.render(at: drawn(drawing.shownSize))
        let whole = drawn.size
        let visible = trims ? drawn.visibleBounds : nil
        if let visible {
            drawing.show(visible, of: whole)
            drawn.crop(to: visible)
        }
        var copy = StudyCopy(drawn)
        copy.cut(to: visible, of: whole)
        return copy
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
