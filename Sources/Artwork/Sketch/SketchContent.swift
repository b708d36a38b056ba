import Codecs
import Raster

/// Pixels in a sketch, shared by its copies.
package final class SketchPicture: Sendable {
    package let pixels: PixelBuffer

    package init(_ pixels: consuming PixelBuffer) {
        self.pixels = pixels
    }

    package var uprightSize: PixelSize { pixels.pendingOrientation.upright(pixels.size) }
}

/// A vector drawing in a sketch: an SVG document and its size.
package struct SketchDrawing: Sendable {
    package let svg: [UInt8]
    package let width: Double
    package let height: Double
    /// Whether the component that shows the drawing decides its colour.
    package let isTemplate: Bool
    /// The built-in icon that the drawing shows; nil for other drawings. The document of an icon
    /// has no ids that could conflict.
    let icon: BuiltInIcon?
    /// The pixels drawn in a worker process; this process then never parses the text.
    let workerPixels: SketchPicture?

    /// Makes a drawing from an untrusted document that was loaded and drawn in another process.
    init(_ drawing: DecodedGraphic.Drawing, text: [UInt8], pixels: SketchPicture) {
        svg = text
        (width, height) = (drawing.width, drawing.height)
        isTemplate = drawing.isTemplate
        icon = nil
        workerPixels = pixels
    }

    package init(_ icon: BuiltInIcon) {
        svg = Array(icon.svg.utf8)
        (width, height) = (24, 24)
        isTemplate = true
        self.icon = icon
        workerPixels = nil
    }

    /// Takes a document, compressed or not, and loads it once to verify it.
    package init(svg: [UInt8], limits: DecodeLimits = DecodeLimits()) throws(ArtworkError) {
        icon = nil
        workerPixels = nil
        do throws(DecodeError) {
            let picture = try VectorPicture(svg: svg.span, limits: limits)
            (width, height) = (picture.exactWidth, picture.exactHeight)
            isTemplate = picture.isTemplate
            let isPacked = PackedText.isPacked(svg.span)
            self.svg = isPacked ? try SVGText.inflate(svg.span, limits: limits) : svg
        } catch {
            throw .drawing(error)
        }
    }
}
