import Raster

/// Reads the primary picture of AVIF and HEIC files through libheif.
///
/// The file's own turns and mirrors are done by the library. An EXIF block may repeat them and is
/// not asked, so that nothing is turned twice.
package enum HEIFDecoder {
    /// What the boxes say, after the limits were held against every size in them.
    package static func header(
        of bytes: Span<UInt8>, format: ImageFormat, limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        try HEIFFile.withFile(bytes, limits: limits) { file throws(DecodeError) in
            try limits.check(file.size)
            let profile = file.profile(limits: limits)
            return ImageHeader(
                format: format, codedSize: file.size, hasAlpha: file.hasAlpha,
                bitsPerChannel: file.bitsPerChannel, hasProfile: profile != nil,
                profileName: profile?.name)
        }
    }

    /// The pixels twice over, and planes of up to 16 bits behind them.
    package static func memoryCost(of header: ImageHeader) -> Int {
        let pixels = header.codedSize.byteCount
        let planes = header.bitsPerChannel > 8 ? 4 : 2
        return pixels.saturating(times: 2 + planes).saturating(plus: 8 << 20)
    }

    /// Decodes to premultiplied sRGB pixels; a file that ends early is refused in any case.
    package static func decode(
        _ bytes: Span<UInt8>, header: ImageHeader, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        try HEIFFile.withFile(bytes, limits: request.limits) { file throws(DecodeError) in
            try request.limits.check(file.size)
            var buffer = PixelBuffer(size: file.size)
            let isPremultiplied = try file.read(into: &buffer)
            if isPremultiplied {
                var straight = PixelBuffer(size: buffer.size)
                StraightAlpha.copy(buffer, into: &straight)
                buffer = straight
            }
            if let transform = file.profile(limits: request.limits)?.transform() {
                var pixels = buffer.mutablePixels
                transform.convert(&pixels)
            }
            buffer.isOpaque = !file.hasAlpha
            buffer.premultiply()
            return buffer
        }
    }
}
