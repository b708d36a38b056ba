import CDrawing

extension VectorPicture {
    /// Whether a drawing of which no pixel is visible should show something.
    ///
    /// True only for shapes inside the drawing whose paint nothing in the document can hide: what
    /// is left then is a paint that librsvg or Cairo does not draw.
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
        // A shape that is smaller than a pixel may be lost.
        return isMeasured && width > exactWidth / 32 && height > exactHeight / 32
    }
}

private enum BlankDrawing {
    private static let words: [StaticString] = [
        "opacity", "transparent", "mask", "clip", "filter", "rgb", "hsl", "image", "pattern",
        "display", "visibility", "switch", "stroke-width", "dasharray", "none", "transform",
        "<!", "@", "&",
    ]

    /// Whether the document holds anything that may hide what it draws.
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
