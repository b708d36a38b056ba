import Raster

/// Pixels to bytes, in any of the formats that are written.
package enum ImageEncoder {
    /// Encodes premultiplied sRGB pixels; the same pixels and settings give the same bytes.
    package static func encode(
        _ buffer: borrowing PixelBuffer, _ settings: EncodeSettings
    ) throws(EncodeError) -> [UInt8] {
        try settings.format.encode(buffer, settings)
    }
}
