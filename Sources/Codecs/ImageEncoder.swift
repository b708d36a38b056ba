import Raster

/// Pixels to bytes, in any of the formats that are written.
package enum ImageEncoder {
    /// Encodes premultiplied sRGB pixels; the same pixels and settings give the same bytes.
    package static func encode(
        _ buffer: borrowing PixelBuffer, _ settings: EncodeSettings
    ) throws(EncodeError) -> [UInt8] {
        switch settings.format {
        case .png:
            try PNGEncoder.encode(
                buffer, palette: settings.palette, codecs: settings.codecs)
        case .webp:
            try WebPEncoder.encode(buffer, quality: settings.quality, codecs: settings.codecs)
        case .jpeg:
            switch settings.quality {
            case .lossy(let quality):
                try JPEGEncoder.encode(buffer, quality: quality, matte: settings.matte)
            case .lossless: throw .unavailable(.jpeg, "JPEG always loses something")
            }
        case .avif: try AVIFEncoder.encode(buffer, quality: settings.quality)
        }
    }
}
