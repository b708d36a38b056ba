import CDrawing
import Codecs
import Raster

/// A line of semi-bold text with the measures of what it would blacken.
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
        let capital = try ShapedText("H", font: (size, .semibold)).ink.height
        let shaped = try ShapedText(text, font: (size, .semibold))
        ink = shaped.ink
        missingGlyphs = shaped.missingGlyphs
        capHeight = capital
        self.shaped = shaped
    }

    /// Draws the line on a blank canvas, emoji in their own colours.
    func draw(
        on pixels: inout PixelBuffer, x: Double, baseline: Double, color: Color = .white
    ) {
        unsafe pixels.drawWithCairo { context in
            unsafe cairo_set_source_rgba(
                context, Double(color.red) / 255, Double(color.green) / 255,
                Double(color.blue) / 255, Double(color.alpha) / 255)
            unsafe shaped.draw(on: context, x: x, y: baseline)
        }
    }
}
