import Codecs
import Raster

/// The picture of a state view, at rest.
package enum StateGraphic: Sendable {
    /// A built-in icon on a round plate.
    case icon(BuiltInIcon)
    /// A vector; a template takes the icon's colour.
    case drawing(SketchDrawing)
    case picture(SketchPicture)

    /// The first frame of any picture that can be read.
    package init(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws(ArtworkError) {
        let picture: Picture
        do throws(DecodeError) {
            let header = try ImageDecoder.header(of: bytes.span, limits: limits)
            try header.check(limits)
            // More than any graphic is drawn with: large pictures need not be held whole.
            let wanted = PixelSize(width: 1024, height: 1024)
            picture = try ImageDecoder.decode(
                bytes.span, header: header,
                request: DecodeRequest(limits: limits, neededSize: wanted))
        } catch {
            throw .drawing(error)
        }
        switch consume picture {
        case .raster(let pixels):
            self = .picture(SketchPicture(pixels))
        case .vector:
            self = .drawing(try SketchDrawing(svg: bytes, limits: limits))
        }
    }
}

/// A picture that moves where it can: pages play it, pictures show its first frame.
package struct StateAnimation: Sendable {
    package let still: StateGraphic
    /// The file as it is.
    package let bytes: [UInt8]
    /// What a page calls its format.
    package let mediaType: String

    /// Reads an animated WebP, GIF, PNG or SVG; a file with one frame is an animation at rest.
    package init(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws(ArtworkError) {
        let format: ImageFormat
        do throws(DecodeError) {
            format = try ImageDecoder.header(of: bytes.span, limits: limits).format
        } catch {
            throw .drawing(error)
        }
        still = try StateGraphic(bytes, limits: limits)
        self.bytes = bytes
        mediaType = format.mediaType
    }

    /// An animation whose first frame was decoded elsewhere.
    package init(still: StateGraphic, bytes: [UInt8], format: ImageFormat) {
        self.still = still
        self.bytes = bytes
        mediaType = format.mediaType
    }
}
