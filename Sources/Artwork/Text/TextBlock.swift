/// A text wrapped into lines and measured, in points. It holds no fonts; drawing shapes each line
/// again, as a viewer of the SVG does.
package struct TextBlock: Hashable, Sendable {
    /// One line, without the blanks at its ends.
    package struct Line: Hashable, Sendable {
        package let text: String
        /// The distance of the left end from the block's left edge.
        package let x: Double
        /// The distance of the baseline from the block's upper edge, in whole points.
        package let baseline: Double
        package let width: Double
        package let direction: TextDirection
    }

    /// The lines from the top, at least one; an empty text has one empty line.
    package let lines: [Line]
    package let style: TextStyle
    package let alignment: TextAlignment
    package let width: Double
    package let height: Double
    package let direction: TextDirection
    /// The number of characters that no font has; they are drawn as boxes.
    package let missingGlyphs: Int

    /// Lays out `text` in lines of at most `maxWidth` points, broken between words if possible,
    /// otherwise between characters. A direction of nil is that of the text.
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
                text: Self.trimmed(String(decoding: bytes[range], as: UTF8.self))
                    + (Self.breaksWord(bytes, at: range.upperBound) ? "-" : ""),
                x: alignment == .center ? room / 2 : fromLeft ? 0 : room,
                baseline: Double(index) * style.lineHeight + style.baseline,
                width: line.width, direction: line.direction)
        }
    }

    /// Whether a line break at this place stands inside a word of a script that is hyphenated:
    /// Latin, Greek, Cyrillic or Armenian. Pango leaves room for the hyphen.
    private static func breaksWord(_ bytes: [UInt8], at end: Int) -> Bool {
        guard end > 0, end < bytes.count else { return false }
        let before = String(decoding: bytes[..<end].suffix(8), as: UTF8.self).last
        let after = String(decoding: bytes[end...].prefix(8), as: UTF8.self).first
        return [before, after].allSatisfy { character in
            guard let character, character.isLetter,
                let value = character.unicodeScalars.first?.value
            else { return false }
            return value < 0x0590 || (0x1E00...0x1FFF).contains(value)
        }
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.last == " " { text.removeLast() }
        while text.first == " " { text.removeFirst() }
        return String(text)
    }
}

package enum TextAlignment: Hashable, Sendable {
    /// The side where reading begins: left, or right in right-to-left scripts.
    case leading
    case center
    case trailing
}

package enum TextDirection: Hashable, Sendable {
    case leftToRight, rightToLeft
}
