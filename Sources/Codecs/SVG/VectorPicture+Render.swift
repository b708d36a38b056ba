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
    ///
    /// - Parameter scheme: The colour scheme for the document's own style sheets.
    package func render(
        at target: PixelSize, visible: PixelRect? = nil, scheme: DrawingScheme = .light
    ) throws(DecodeError) -> PixelBuffer {
        let part = visible ?? PixelRect(target)
        precondition(part.isInside(target), "The visible part lies inside the target.")
        let size = PixelSize(width: part.width, height: part.height)
        // Cairo's limit for an image.
        guard size.width <= 32_767, size.height <= 32_767 else {
            throw .limitDecode("a drawing with more than 32767 pixels per side")
        }
        let document = document(in: scheme)
        return try rethrowing(as: \.error) { () throws(SVGFailure.Drawing) in
            guard let fonts = document.fonts else {
                return try draw(document, size: size, offset: part, target: target)
            }
            return try FontCache.draw(with: fonts) { () throws(SVGFailure.Drawing) in
                try draw(document, size: size, offset: part, target: target)
            }
        }
    }

    private func draw(
        _ document: SVGDocument, size: PixelSize, offset: PixelRect, target: PixelSize
    ) throws(SVGFailure.Drawing) -> PixelBuffer {
        let scale = (
            Double(target.width) / shownSize.width, Double(target.height) / shownSize.height
        )
        let frame = document.blur.margin(of: document.size)
        let isFramed =
            frame * scale.0 > 1
            && document.blur.isCheap(
                width: (exactWidth + 2 * frame) * scale.0,
                height: (exactHeight + 2 * frame) * scale.1)
        let margin = isFramed ? Int((frame * max(scale.0, scale.1)).rounded(.up)) : 0
        let whole = PixelSize(width: size.width + 2 * margin, height: size.height + 2 * margin)
        var buffer = PixelBuffer(size: whole)
        try unsafe buffer.withUnsafeMutablePixels { base throws(SVGFailure.Drawing) in
            try unsafe draw(
                document, on: base, size: whole, x: offset.x - margin, y: offset.y - margin,
                target: target, frame: (Double(margin) / scale.0, Double(margin) / scale.1))
        }
        if margin > 0 {
            buffer.crop(
                to: PixelRect(x: margin, y: margin, width: size.width, height: size.height))
        }
        buffer.swizzleFromCairo()
        return buffer
    }

    @unsafe
    private func draw(
        _ document: SVGDocument, on base: UnsafeMutablePointer<UInt8>, size: PixelSize,
        x: Int, y: Int, target: PixelSize, frame: (across: Double, down: Double)
    ) throws(SVGFailure.Drawing) {
        let surface = unsafe cairo_image_surface_create_for_data(
            base, CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height),
            Int32(size.width * 4))
        defer { unsafe cairo_surface_destroy(surface) }
        let context = unsafe cairo_create(surface)
        defer { unsafe cairo_destroy(context) }
        unsafe cairo_translate(context, -Double(x), -Double(y))
        unsafe cairo_scale(
            context, Double(target.width) / shownSize.width,
            Double(target.height) / shownSize.height)
        if let window { unsafe cairo_translate(context, -window.x, -window.y) }
        unsafe prepare(context, document.root)
        var viewport = RsvgRectangle(
            x: -frame.across, y: -frame.down, width: exactWidth + 2 * frame.across,
            height: exactHeight + 2 * frame.down)
        try unsafe document.withHandle(framed: frame.across > 0) {
            handle throws(SVGFailure.Drawing) in
            var failure: UnsafeMutablePointer<GError>?
            guard unsafe rsvg_handle_render_document(handle, context, &viewport, &failure) != 0
            else { throw unsafe SVGFailure.drawing(failure) }
        }
        guard unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS else {
            throw SVGFailure.Drawing(
                error: .limitDecode("the size of a drawing for cairo"), isCairoFailure: true)
        }
        unsafe cairo_surface_flush(surface)
    }
}

extension VectorPicture {
    /// Paints the background of the root, and applies the transform of the root about its centre.
    @unsafe
    private func prepare(_ context: OpaquePointer?, _ root: DrawingRoot) {
        if let color = root.background {
            unsafe cairo_set_source_rgba(
                context, color.red, color.green, color.blue, color.alpha)
            unsafe cairo_paint(context)
        }
        guard let transform = root.transform else { return }
        var matrix = cairo_matrix_t(
            xx: transform.xx, yx: transform.yx, xy: transform.xy, yy: transform.yy,
            x0: transform.x, y0: transform.y)
        unsafe cairo_translate(context, exactWidth / 2, exactHeight / 2)
        unsafe cairo_transform(context, &matrix)
        unsafe cairo_translate(context, -exactWidth / 2, -exactHeight / 2)
    }
}

/// The colour scheme for `prefers-color-scheme`.
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

    /// The longer side, in pixels, of the rendering in which margins are measured. The precision is
    /// therefore 1/512 of that side.
    private static let trimSide = 512.0

    /// The size of the visible part in the document's units: all of the document, unless its
    /// margins were trimmed.
    package var shownSize: (width: Double, height: Double) {
        window.map { ($0.width, $0.height) } ?? (exactWidth, exactHeight)
    }

    /// Trims transparent margins, as drawn in the light scheme.
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

extension VectorPicture {
    /// Returns whether a drawing without visible pixels should show something.
    ///
    /// True only for shapes inside the drawing whose paint the document does not hide. librsvg or
    /// cairo then fails to draw that paint.
    package func shouldShowPaint(in scheme: DrawingScheme) -> Bool {
        let document = document(in: scheme)
        guard document.fonts == nil, let text = document.shortText,
            !BlankDrawing.mayBeHidden(text.span)
        else { return false }
        var viewport = RsvgRectangle(x: 0, y: 0, width: exactWidth, height: exactHeight)
        var ink = RsvgRectangle()
        let isMeasured = unsafe document.withHandle { handle in
            unsafe rsvg_handle_get_geometry_for_layer(handle, nil, &viewport, &ink, nil, nil) != 0
        }
        let width = min(ink.x + ink.width, exactWidth) - max(ink.x, 0)
        let height = min(ink.y + ink.height, exactHeight) - max(ink.y, 0)
        // A shape smaller than a pixel may be lost.
        return isMeasured && width > exactWidth / 32 && height > exactHeight / 32
    }
}

private enum BlankDrawing {
    private static let words: [StaticString] = [
        "opacity", "transparent", "mask", "clip", "filter", "rgb", "hsl", "image", "pattern",
        "display", "visibility", "switch", "stroke-width", "dasharray", "none", "transform",
        "<!", "@", "&",
    ]

    /// Returns whether the document contains anything that may hide its shapes.
    static func mayBeHidden(_ text: Span<UInt8>) -> Bool {
        let whole = 0..<text.count
        if words.contains(where: { text.contains($0, in: whole, anyCase: true) }) { return true }
        // A colour of four or eight digits may be transparent.
        for index in whole where text[index] == UInt8(ascii: "#") {
            let digits = text.string((index + 1)..<min(text.count, index + 10))
                .prefix { $0.isHexDigit }
            if digits.count == 4 || digits.count == 8 { return true }
        }
        return false
    }
}
