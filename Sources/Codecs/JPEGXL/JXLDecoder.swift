import CJPEGXL
import Raster

/// Reads the first frame of a JPEG XL file through libjxl.
///
/// libjxl returns the pixels as stored. The header reports the orientation of the codestream; an
/// EXIF orientation is ignored. libjxl converts SDR images stored in XYB to sRGB; the pixels of
/// other images keep their colour space, and this decoder converts them to sRGB by their profile.
package enum JXLDecoder {
    package static func header(
        of bytes: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        try JXLFile.withFile(bytes, limits) { file throws(DecodeError) in
            let facts = file.facts
            return ImageHeader(
                format: .jxl, codedSize: file.size,
                orientation: Orientation(rawValue: Int(facts.orientation)) ?? .up,
                hasAlpha: facts.has_alpha != 0, bitsPerChannel: Int(facts.bits),
                colorModel: facts.is_grey == 0 ? .rgb : .grey, hasProfile: file.profile != nil,
                profileName: file.profile?.name, isAnimated: facts.is_animated != 0,
                decodingBytes: memoryBytes(file.size, facts))
        }
    }

    /// Decodes to premultiplied sRGB pixels, before orientation.
    package static func decode(
        _ bytes: Span<UInt8>, header: ImageHeader, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        try JXLFile.withFile(bytes, request.limits) { file throws(DecodeError) in
            var buffer = try file.pixels(allowTruncated: request.allowTruncated)
            if let transform = file.profile?.transform() {
                var pixels = buffer.mutablePixels
                transform.convert(&pixels)
            }
            buffer.isOpaque = file.facts.has_alpha == 0
            // The missing pixels of a truncated file are transparent.
            if request.allowTruncated { buffer.refreshOpacity() }
            buffer.premultiply()
            return buffer
        }
    }

    /// Returns the most bytes that libjxl and this module hold for an image, measured with libjxl
    /// 0.7.
    private static func memoryBytes(_ size: PixelSize, _ facts: emb_jxl_facts) -> Int {
        let channels = 3 + Int(facts.extra_channels)
        return size.area.saturating(times: 4 + bytesPerSample * channels)
            .saturating(plus: baseBytes)
    }

    private static let bytesPerSample = 12
    private static let baseBytes = 4 << 20
}
