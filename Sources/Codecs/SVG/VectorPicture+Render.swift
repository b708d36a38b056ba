import CDrawing
import Raster

extension VectorPicture {
    /// Draws the document stretched to exactly `target` pixels, and returns the part `visible` of
    /// that, or all of it; only the part is allocated.
    ///
    /// The document keeps its own rules of aspect inside its exact size, and what is stretched is
    /// that size: a target with the same aspect, up to rounding, shows it undistorted. Of one that
    /// was trimmed the target is what is left of it.
    ///
    /// - Parameter scheme: What the document's own style sheets are told of its surroundings.
    package func render(
        at target: PixelSize, visible: PixelRect? = nil, scheme: DrawingScheme = .light
    ) throws(DecodeError) -> PixelBuffer {
        let part = visible ?? PixelRect(target)
        precondition(part.isInside(target), "The visible part lies inside the target.")
        let size = PixelSize(width: part.width, height: part.height)
        // Cairo's own bound on an image.
        guard size.width <= 32_767, size.height <= 32_767 else {
            throw .limitDecode("a drawing of more than 32767 pixels a side")
        }
        let document = document(in: scheme)
        do throws(SVGFailure.Drawing) {
            guard let fonts = document.fonts else {
                return try draw(document, size: size, offset: part, target: target)
            }
            return try FontCache.draw(with: fonts) { () throws(SVGFailure.Drawing) in
                try draw(document, size: size, offset: part, target: target)
            }
        } catch {
            throw error.error
        }
    }

    private func draw(
        _ document: SVGDocument, size: PixelSize, offset: PixelRect, target: PixelSize
    ) throws(SVGFailure.Drawing) -> PixelBuffer {
        var buffer = PixelBuffer(size: size)
        try unsafe buffer.withUnsafeMutablePixels { base throws(SVGFailure.Drawing) in
            try unsafe draw(document, on: base, size: size, offset: offset, target: target)
        }
        buffer.swizzleFromCairo()
        return buffer
    }

    @unsafe
    private func draw(
        _ document: SVGDocument, on base: UnsafeMutablePointer<UInt8>, size: PixelSize,
        offset: PixelRect, target: PixelSize
    ) throws(SVGFailure.Drawing) {
        let surface = unsafe cairo_image_surface_create_for_data(
            base, CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height),
            Int32(size.width * 4))
        defer { unsafe cairo_surface_destroy(surface) }
        let context = unsafe cairo_create(surface)
        defer { unsafe cairo_destroy(context) }
        unsafe cairo_translate(context, -Double(offset.x), -Double(offset.y))
        unsafe cairo_scale(
            context, Double(target.width) / shownSize.width,
            Double(target.height) / shownSize.height)
        if let window { unsafe cairo_translate(context, -window.x, -window.y) }
        var viewport = RsvgRectangle(x: 0, y: 0, width: exactWidth, height: exactHeight)
        try unsafe document.withHandle { handle throws(SVGFailure.Drawing) in
            var failure: UnsafeMutablePointer<GError>?
            guard unsafe rsvg_handle_render_document(handle, context, &viewport, &failure) != 0
            else { throw unsafe SVGFailure.drawing(failure) }
        }
        guard unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS else {
            throw SVGFailure.Drawing(
                error: .limitDecode("what cairo can draw"), isOfCairo: true)
        }
        unsafe cairo_surface_flush(surface)
    }
}

/// The colour scheme that a drawing is shown in: `prefers-color-scheme` asks for it.
package enum DrawingScheme: String, CaseIterable, Hashable, Sendable {
    case light, dark
}

extension VectorPicture {
    /// A part of a document in its own units.
    struct Window {
        let x: Double
        let y: Double
        let width: Double
        let height: Double
    }

    /// The longer side at which a drawing's margins are looked for: a margin is known to a
    /// five-hundredth of the drawing.
    private static let trimSide = 512.0

    /// The size of what is shown, which keeps the document's shape until its margins are cut.
    package var shownSize: (width: Double, height: Double) {
        window.map { ($0.width, $0.height) } ?? (exactWidth, exactHeight)
    }

    /// Shows only what its margins leave, as light surroundings show it.
    package mutating func trim() throws(DecodeError) {
        let longer = max(exactWidth, exactHeight)
        func pixels(_ length: Double) -> Int {
            max(1, Int((length / longer * Self.trimSide).rounded()))
        }
        let size = PixelSize(width: pixels(exactWidth), height: pixels(exactHeight))
        let drawn = try render(at: size)
        guard let bounds = drawn.contentBounds else { return }
        let (across, down) = (
            exactWidth / Double(size.width), exactHeight / Double(size.height)
        )
        window = Window(
            x: Double(bounds.x) * across, y: Double(bounds.y) * down,
            width: Double(bounds.width) * across, height: Double(bounds.height) * down)
    }
}
