import CDrawing
import Codecs
import Raster

/// A line of semi-bold text with the measures of what it would blacken, for as long as a turn at the
/// fonts goes on.
struct TextLayout: ~Copyable {
    /// A rectangle in pixels; `y` counts down from the baseline.
    struct Ink {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    /// What the glyphs cover, from the start of the line on its baseline.
    let ink: Ink
    /// The height of a capital H of the first font.
    let capHeight: Double
    /// Characters that none of the fonts has.
    let missingGlyphs: Int
    private let shaped: ShapedText

    /// Lays out `text` in Inter of `size` pixels, other fonts where it lacks a glyph.
    init(_ text: String, size: Double) throws(ArtworkError) {
        let capital = try ShapedText("H", .usual, font: (size, .semibold))
        let shaped = try ShapedText(
            text, FontSet(of: text.unicodeScalars), font: (size, .semibold))
        let (ink, capHeight) = (shaped.ink, capital.ink.height)
        try capital.check()
        try shaped.check()
        self.ink = ink
        self.capHeight = capHeight
        missingGlyphs = shaped.missingGlyphs
        self.shaped = shaped
    }

    /// Draws the line on a blank canvas, emoji in their own colours.
    func draw(
        on pixels: inout PixelBuffer, x: Double, baseline: Double, color: Color = .white
    ) throws(ArtworkError) {
        try unsafe pixels.drawWithCairo { context throws(ArtworkError) in
            let pen = unsafe CairoPen(context: context)
            unsafe pen.setColor(color)
            unsafe shaped.draw(on: context, x: x, y: baseline)
            try unsafe pen.check()
        }
        try shaped.check()
    }
}

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

/// How bold letters are.
package enum TextWeight: Int, CaseIterable, Hashable, Sendable {
    case regular = 400
    case medium = 500
    case semibold = 600
    case bold = 700
}

/// Where lines stand between the edges of their block.
package enum TextAlignment: Hashable, Sendable {
    /// Where reading begins: left, and right in scripts that run to the left.
    case leading
    case center
    /// Where reading ends.
    case trailing
}

/// Which way a text runs.
package enum TextDirection: Hashable, Sendable {
    case leftToRight, rightToLeft
}

/// The look of a text, in points.
package struct TextStyle: Hashable, Sendable {
    /// Beyond these no text can be read, or drawn.
    package static let sizes = 1.0...512.0

    package var size: Double
    package var weight: TextWeight
    /// The distance from one baseline to the next, in whole points; the room of a single line.
    package var lineHeight: Double

    /// A line height of nil is five quarters of the size.
    package init(size: Double, weight: TextWeight = .regular, lineHeight: Double? = nil) {
        // What is no number fails every comparison.
        func bounded(_ value: Double, _ range: ClosedRange<Double>) -> Double {
            value >= range.lowerBound ? min(value, range.upperBound) : range.lowerBound
        }
        self.size = bounded(size, Self.sizes)
        self.weight = weight
        self.lineHeight = bounded(lineHeight ?? self.size * 1.25, 1...1024).rounded(.up)
    }

    /// The share of the size that a capital of Inter is high.
    static let capitalShare = 1490.0 / 2048

    /// The height of capitals.
    package var capHeight: Double { size * Self.capitalShare }

    /// Where the baseline stands in the room of a line: capitals have as much above as below, in
    /// whole points, so that their feet are sharp at every scale. A page laid out by CSS puts it
    /// there too, as Inter's ascent and descent lie evenly around its capitals.
    package var baseline: Double { ((lineHeight + capHeight) / 2).rounded() }
}
