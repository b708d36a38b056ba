/// A text broken into lines and measured, in points, ready to be drawn and written.
///
/// A value: it holds no fonts, and drawing shapes each line anew, as a reader of the SVG will.
package struct TextBlock: Hashable, Sendable {
    /// A line as it stands, without the blanks at its ends.
    package struct Line: Hashable, Sendable {
        package let text: String
        /// The distance of its left end from the block's left edge.
        package let x: Double
        /// The distance of its baseline from the block's upper edge, a whole number of points.
        package let baseline: Double
        package let width: Double
        package let direction: TextDirection
    }

    /// At least one; an empty text has one empty line.
    package let lines: [Line]
    package let style: TextStyle
    package let alignment: TextAlignment
    /// The widest line.
    package let width: Double
    package let height: Double
    /// Which way the first line runs.
    package let direction: TextDirection
    /// Characters that none of the fonts has, which are drawn as boxes.
    package let missingGlyphs: Int

    /// Lays out `text`, made plain first, in lines of at most `maxWidth` points: between words
    /// where it can be, else between characters. A direction of nil is that of the text.
    package init(
        _ text: String, style: TextStyle, maxWidth: Double? = nil,
        alignment: TextAlignment = .leading, direction: TextDirection? = nil
    ) throws(ArtworkError) {
        let plain = PlainText(text, keepsLines: maxWidth != nil).text
        let bytes = Array(plain.utf8)
        let (found, missingGlyphs) = try ShapedText.use(
            plain, style: style, maxWidth: maxWidth, direction: direction
        ) { shaped in
            ((0..<shaped.lineCount).map { shaped.line($0) }, shaped.missingGlyphs)
        }
        let widest = found.map(\.width).max() ?? 0
        self.style = style
        self.alignment = alignment
        width = widest
        height = style.lineHeight * Double(max(1, found.count))
        self.missingGlyphs = missingGlyphs
        let first = found.first?.direction ?? .leftToRight
        self.direction = direction ?? first
        lines = found.enumerated().map { index, line in
            let room = widest - line.width
            let fromLeft = (line.direction == .leftToRight) == (alignment == .leading)
            let range = line.bytes.clamped(to: 0..<bytes.count)
            return Line(
                text: Self.trimmed(String(decoding: bytes[range], as: UTF8.self)),
                x: alignment == .center ? room / 2 : fromLeft ? 0 : room,
                baseline: Double(index) * style.lineHeight + style.baseline,
                width: line.width, direction: line.direction)
        }
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.last == " " { text.removeLast() }
        while text.first == " " { text.removeFirst() }
        return String(text)
    }
}
