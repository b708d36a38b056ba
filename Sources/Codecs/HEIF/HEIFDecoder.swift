import Raster

/// Reads the primary picture of AVIF and HEIC files through libheif.
///
/// The file's own turns and mirrors are done here, once the library has put the picture together. An
/// EXIF block may repeat them and is not asked, so that nothing is turned twice.
package enum HEIFDecoder {
    /// What the boxes say, after the limits were held against every size in them.
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

    /// What the boxes showed that decoding will take, which the size alone does not tell: tiles,
    /// canvases and planes of up to 16 bits.
    package static func memoryCost(of header: ImageHeader) -> Int { header.decodingBytes }

    /// Decodes to premultiplied sRGB pixels; a file that ends early is refused in any case.
    package static func decode(
        _ bytes: Span<UInt8>, header: ImageHeader, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        let demand = try HEIFDemand(bytes, limits: request.limits)
        return try HEIFFile.withFile(bytes, demand) { file throws(DecodeError) in
            let decoded = try file.decoded(demand.canvas, demand.view.window)
            let numbers = file.numbers ?? decoded.numbers
            let isPremultiplied = decoded.isPremultiplied
            var buffer = decoded.pixels
            if isPremultiplied {
                var straight = PixelBuffer(size: buffer.size)
                StraightAlpha.copy(buffer, into: &straight)
                buffer = straight
            }
            if let numbers { try finish(&buffer, numbers, bits: file.bitsPerChannel) }
            let profile = file.embeddedProfile(limits: request.limits) ?? numbers?.profile
            if let transform = profile?.transform() {
                var pixels = buffer.mutablePixels
                transform.convert(&pixels)
            }
            buffer.isOpaque = !file.hasAlpha
            buffer.premultiply()
            return buffer.oriented(by: demand.view.turn)
        }
    }

    /// Does what libheif 1.15 leaves undone of the way from stored planes to colours.
    private static func finish(
        _ buffer: inout PixelBuffer, _ numbers: ColorNumbers, bits: Int
    ) throws(DecodeError) {
        // YCgCo of more than eight bits comes out in wrong colours.
        if numbers.matrix == 8, bits > 8 { throw .unsupported("YCgCo of more than eight bits") }
        // Colours stored as they are come out in the narrow range, and narrowed once more.
        guard numbers.matrix == 0, !numbers.isFullRange else { return }
        func wide(_ value: Double) -> Double { (value - 16) * 255 / 219 }
        let widened = (0...255).map { UInt8(min(max(wide(wide(Double($0))), 0), 255).rounded()) }
        let count = buffer.size.area
        unsafe buffer.withUnsafeMutablePixels { pixels in
            for index in 0..<count {
                for channel in 0..<3 {
                    let offset = index * 4 + channel
                    unsafe pixels[offset] = widened[Int(pixels[offset])]
                }
            }
        }
    }
}
