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
package struct SketchDrawing: Hashable, Sendable {
    /// The document as text.
    package let svg: [UInt8]
    /// One of our own: plain, without names that could meet others.
    let icon: BuiltInIcon?

    package init(_ icon: BuiltInIcon) {
        svg = Array(icon.svg.utf8)
        self.icon = icon
    }

    /// A document that has been loaded once already, packed or not.
    package init(svg: [UInt8], limits: DecodeLimits) throws(ArtworkError) {
        icon = nil
        guard SVGText.isPacked(svg.span) else {
            self.svg = svg
            return
        }
        do throws(DecodeError) {
            self.svg = try SVGText.inflate(svg.span, limits: limits)
        } catch {
            throw .drawing(error)
        }
    }
}
