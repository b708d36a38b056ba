import Raster

/// Reads the primary image of AVIF and HEIC files through libheif.
///
/// This decoder applies the rotations and mirrors of the file itself, after libheif has assembled
/// the image. It ignores the EXIF orientation, which may repeat them.
package enum HEIFDecoder {
    /// Reads the boxes and checks every size in them against the limits.
    package static func header(
        of bytes: Span<UInt8>, format: ImageFormat, limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        let demand = try HEIFDemand(bytes, limits: limits)
        return try HEIFFile.withFile(bytes, demand) { file throws(DecodeError) in
            let profile = file.embeddedProfile(limits: limits) ?? file.numbers?.profile
            return ImageHeader(
                format: format, codedSize: demand.view.size, hasAlpha: file.hasAlpha,
                bitsPerChannel: file.bitsPerChannel, hasProfile: profile != nil,
                profileName: profile?.name, decodingBytes: demand.memoryBytes)
        }
    }

    /// Returns the memory computed from the boxes. The size alone does not determine it: tiles,
    /// canvases and planes of up to 16 bits count as well.
    package static func memoryCost(of header: ImageHeader) -> Int { header.decodingBytes }

    /// Decodes to premultiplied sRGB pixels. A truncated file is always rejected.
    package static func decode(
        _ bytes: Span<UInt8>, header: ImageHeader, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        let demand = try HEIFDemand(bytes, limits: request.limits)
        return try HEIFFile.withFile(bytes, demand) { file throws(DecodeError) in
            let decoded = try file.decoded(demand.canvas, demand.view.window)
            let numbers = file.numbers ?? decoded.numbers
            let isPremultiplied = decoded.isPremultiplied
            var buffer = decoded.pixels
            if let header = demand.alphaHeader, !header.isFullRange, file.hasAlpha {
                widen(&buffer, channels: 3...3)
            }
            if isPremultiplied {
                var straight = PixelBuffer(size: buffer.size)
                StraightAlpha.copy(buffer, into: &straight)
                buffer = straight
            }
            try finish(&buffer, numbers, demand.colorHeader, bits: file.bitsPerChannel)
            let profile = file.embeddedProfile(limits: request.limits) ?? numbers?.profile
            if let transform = profile?.transform() {
                var pixels = buffer.mutablePixels
                transform.convert(&pixels)
            }
            buffer.isOpaque = !file.hasAlpha
            buffer.premultiply()
            return buffer.oriented(by: demand.view.orientation)
        }
    }

    private static func finish(
        _ buffer: inout PixelBuffer, _ numbers: ColorNumbers?, _ header: AV1Header?, bits: Int
    ) throws(DecodeError) {
        // libheif converts YCgCo of more than eight bits incorrectly.
        if numbers?.matrix == 8, bits > 8 { throw .unsupported("YCgCo with more than eight bits") }
        guard let isFullRange = numbers?.isFullRange ?? header?.isFullRange, !isFullRange else {
            return
        }
        if header?.isGrey == true {
            // libheif copies grey samples as stored.
            widen(&buffer, channels: 0...2)
        } else if numbers?.matrix == 0 {
            // libheif returns RGB that is stored without a matrix in the narrow range, and narrows
            // it once more.
            widen(&buffer, channels: 0...2, times: 2)
        }
    }

    /// Expands samples from 16...235 to 0...255, repeated `times` times.
    private static func widen(
        _ buffer: inout PixelBuffer, channels: ClosedRange<Int>, times: Int = 1
    ) {
        let widened = (0...255).map { sample in
            let value = (0..<times).reduce(Double(sample)) { value, _ in (value - 16) * 255 / 219 }
            return UInt8(min(max(value, 0), 255).rounded())
        }
        let count = buffer.size.area
        unsafe buffer.withUnsafeMutablePixels { pixels in
            for index in 0..<count {
                for channel in channels {
                    let offset = index * 4 + channel
                    unsafe pixels[offset] = widened[Int(pixels[offset])]
                }
            }
        }
    }
}
