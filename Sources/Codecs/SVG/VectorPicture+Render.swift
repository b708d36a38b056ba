import CDrawing
import Raster
import System

extension VectorPicture {
    /// Draws the document stretched to exactly `target` pixels, and returns the part `visible` of
    /// it, or all; only that part is allocated.
    ///
    /// The document applies its own aspect rules inside its exact size, and that size is stretched.
    /// A target with the same aspect, up to rounding, is therefore not distorted. For a trimmed
    /// drawing, `target` is the size of the trimmed part.
    package func render(
        at target: PixelSize, visible: PixelRect? = nil
    ) throws(DecodeError) -> PixelBuffer {
        let part = visible ?? PixelRect(target)
        precondition(part.isInside(target), "The visible part lies inside the target.")
        // Cairo's limit for an image.
        guard part.width <= 32_767, part.height <= 32_767 else {
            throw .limitDecode("a drawing with more than 32767 pixels per side")
        }
        return try rethrowing(as: \.error) { () throws(SVGFailure.Drawing) in
            guard let fonts else { return try draw(part, of: target) }
            return try FontCache.draw(with: fonts) { () throws(SVGFailure.Drawing) in
                try draw(part, of: target)
            }
        }
    }

    private func draw(
        _ part: PixelRect, of target: PixelSize
    ) throws(SVGFailure.Drawing) -> PixelBuffer {
        var buffer = PixelBuffer(size: PixelSize(width: part.width, height: part.height))
        try unsafe buffer.withUnsafeMutablePixels { base throws(SVGFailure.Drawing) in
            let surface = unsafe cairo_image_surface_create_for_data(
                base, CAIRO_FORMAT_ARGB32, Int32(part.width), Int32(part.height),
                Int32(part.width * 4))
            defer { unsafe cairo_surface_destroy(surface) }
            let context = unsafe cairo_create(surface)
            defer { unsafe cairo_destroy(context) }
            unsafe cairo_translate(context, -Double(part.x), -Double(part.y))
            unsafe cairo_scale(
                context, Double(target.width) / shownSize.width,
                Double(target.height) / shownSize.height)
            if let window { unsafe cairo_translate(context, -window.x, -window.y) }
            var viewport = RsvgRectangle(x: 0, y: 0, width: exactWidth, height: exactHeight)
            var failure: UnsafeMutablePointer<GError>?
            guard unsafe rsvg_handle_render_document(handle, context, &viewport, &failure) != 0
            else { throw unsafe SVGFailure.drawing(failure) }
            guard unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS else {
                throw SVGFailure.Drawing(
                    error: .limitDecode("the size of a drawing for cairo"), isCairoFailure: true)
            }
            unsafe cairo_surface_flush(surface)
        }
        buffer.swizzleFromCairo()
        return buffer
    }
}

extension VectorPicture {
    /// A part of a document in its own units.
    struct Window {
        let x: Double
        let y: Double
        let width: Double
        let height: Double
    }

    /// The longer side, in pixels, of the rendering in which margins are measured. The precision is
    /// therefore 1/512 of that side.
    private static let trimSide = 512.0

    /// The size of the visible part in the document's units: all of the document, unless its
    /// margins were trimmed.
    package var shownSize: (width: Double, height: Double) {
        window.map { ($0.width, $0.height) } ?? (exactWidth, exactHeight)
    }

    /// Trims transparent margins.
    package mutating func trim() throws(DecodeError) {
        let longer = max(exactWidth, exactHeight)
        func pixels(_ length: Double) -> Int {
            max(1, Int((length / longer * Self.trimSide).rounded()))
        }
        let size = PixelSize(width: pixels(exactWidth), height: pixels(exactHeight))
        let drawn = try render(at: size)
        guard let bounds = drawn.contentBounds else { return }
        show(bounds, of: size)
    }

    /// Reduces the visible part to `bounds`, given in pixels of a rendering at `size`.
    package mutating func show(_ bounds: PixelRect, of size: PixelSize) {
        let shown = window ?? Window(x: 0, y: 0, width: exactWidth, height: exactHeight)
        let (across, down) = (
            shown.width / Double(size.width), shown.height / Double(size.height)
        )
        window = Window(
            x: shown.x + Double(bounds.x) * across, y: shown.y + Double(bounds.y) * down,
            width: Double(bounds.width) * across, height: Double(bounds.height) * down)
    }
}

extension PixelBuffer {
    /// Converts cairo's pixels, native words of alpha, red, green and blue, to RGBA in place, and
    /// records whether all are opaque.
    package mutating func swizzleFromCairo() {
        let count = size.area
        let least = unsafe withUnsafeMutablePixels { base in
            unsafe base.withMemoryRebound(to: UInt32.self, capacity: count) { words in
                var alphas = UInt32.max
                for index in 0..<count {
                    let word = unsafe words[index]
                    alphas &= word
                    #if _endian(little)
                        let swapped = word & 0x00FF_00FF
                        unsafe words[index] =
                            word & 0xFF00_FF00 | swapped << 16 | swapped >> 16
                    #else
                        unsafe words[index] = word << 8 | word >> 24
                    #endif
                }
                return alphas
            }
        }
        isOpaque = least >> 24 == 0xFF
    }
}
