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
