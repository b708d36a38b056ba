import Codecs
import Raster

/// Pixels in a sketch, shared by its copies.
package final class SketchPicture: Sendable {
    package let pixels: PixelBuffer

    package init(_ pixels: consuming PixelBuffer) {
        self.pixels = pixels
    }

    /// The size as it is seen, after the turn that a decoder left to whoever scales.
    package var uprightSize: PixelSize { pixels.turn.upright(pixels.size) }
}

/// An SVG document in a sketch.
package struct SketchDrawing: Sendable {
    /// The document as text.
    package let svg: [UInt8]
    /// The size that the document gives itself.
    package let width: Double
    package let height: Double
    /// The drawing leaves its colour to whoever shows it.
    package let isTemplate: Bool
    /// The surroundings that its own style sheets are told of where it leaves as pixels; inside
    /// another document it asks whoever shows that.
    package var scheme = DrawingScheme.light
    /// One of our own: plain, without names that could meet others.
    let icon: BuiltInIcon?
    /// How it looks, drawn elsewhere: the text is then nobody's here but the reader's.
    let drawn: SketchPicture?

    /// A document from a stranger that was loaded and drawn in another process.
    init(_ drawing: DecodedGraphic.Drawing, text: [UInt8], pixels: SketchPicture) {
        svg = text
        (width, height) = (drawing.width, drawing.height)
        isTemplate = drawing.isTemplate
        icon = nil
        drawn = pixels
    }

    package init(_ icon: BuiltInIcon) {
        svg = Array(icon.svg.utf8)
        (width, height) = (24, 24)
        isTemplate = true
        self.icon = icon
        drawn = nil
    }

    /// A document, packed or not, which is loaded once to see that it can be.
    package init(svg: [UInt8], limits: DecodeLimits = DecodeLimits()) throws(ArtworkError) {
        icon = nil
        drawn = nil
        do throws(DecodeError) {
            let picture = try VectorPicture(svg: svg.span, limits: limits)
            (width, height) = (picture.exactWidth, picture.exactHeight)
            isTemplate = picture.isTemplate
            let isPacked = SVGText.isPacked(svg.span)
            self.svg = isPacked ? try SVGText.inflate(svg.span, limits: limits) : svg
        } catch {
            throw .drawing(error)
        }
    }
}
