import CLibWebP
import Raster

extension ImageFormat {
    /// WebP, lossy and lossless; only the first frame of an animation.
    package static let webp = ImageFormat(
        "webp", fileExtensions: ["webp"],
        libraries: [CodecLibrary("libwebp", version: libraryVersion)],
        reader: CodecName(
            fast: "libwebp; emblem for alpha and for half-size decoding", system: "libwebp"),
        output: .webp,
        recognizes: { bytes in
            let reader = ByteReader(bytes)
            return reader.holds("RIFF", at: 0)
                && (reader.count < 12 || reader.holds("WEBP", at: 8))
        },
        header: WebPDecoder.header, memoryCost: WebPDecoder.memoryCost,
        decode: { bytes, header, request throws(DecodeError) in
            .raster(try WebPDecoder.decode(bytes, header: header, request: request))
        })

    /// The version of libwebp, whose number has a byte per component.
    private static var libraryVersion: String {
        let version = WebPGetDecoderVersion()
        return "\(version >> 16 & 255).\(version >> 8 & 255).\(version & 255)"
    }
}

extension OutputFormat {
    /// WebP; alpha is exact at every quality.
    package static let webp = OutputFormat(
        "webp", defaultQuality: .lossy(82), edgeLimit: 16_383,
        writer: CodecName(
            fast: "emblem for lossy up to 2048 px; otherwise libwebp", system: "libwebp"),
        pixelBytes: (lossy: 20, lossless: 24),
        encode: { buffer, settings throws(EncodeError) in
            try WebPEncoder.encode(
                buffer, quality: settings.quality, effort: settings.effort,
                codecs: settings.codecs)
        },
        animate: { frames, quality throws(EncodeError) in
            try WebPAnimation.encode(frames, quality: quality)
        },
        isComplete: { bytes, size in EncodedPicture.webp(ByteReader(bytes)) == size })
}

/// Reads WebP: lossy, lossless, with alpha, and the first frame of an animation.
package enum WebPDecoder {
    package static func header(
        of bytes: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        let chunks = try WebPChunks(bytes, limits: limits)
        let profile = usableProfile(chunks, in: bytes, limits: limits)
        return ImageHeader(
            format: .webp, codedSize: chunks.canvas, orientation: chunks.orientation,
            hasAlpha: chunks.hasAlpha, hasProfile: profile != nil, profileName: profile?.name,
            isAnimated: chunks.isAnimated)
    }

    /// Returns the most bytes a decode holds: the pixels, plus libwebp's own copy of a lossless
    /// image or the planes of a lossy one.
    package static func memoryCost(of header: ImageHeader, request: DecodeRequest) -> Int {
        var bytes = header.codedSize.byteCount.saturating(times: 2)
        if WebPPlanes.canDecode(header, request) {
            bytes = max(
                bytes, WebPPlanes.memoryCost(of: header.codedSize, hasAlpha: header.hasAlpha))
        }
        return bytes.saturating(plus: header.codedSize.width.saturating(times: 4 * 64))
            .saturating(plus: 1 << 20)
    }

    /// Decodes to premultiplied sRGB pixels as stored, before orientation.
    ///
    /// libwebp could scale while it decodes, but it averages, which causes moiré in fine stripes.
    package static func decode(
        _ bytes: Span<UInt8>, header: ImageHeader, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        let chunks = try WebPChunks(bytes, limits: request.limits)
        guard let range = chunks.picture, !chunks.isTruncated else { throw .truncated }
        let transform = usableProfile(chunks, in: bytes, limits: request.limits)?.transform()
        if !chunks.isLossless, WebPPlanes.canDecode(header, request),
            let picture = try WebPPlanes.read(bytes.extracting(range), header, request)
        {
            return picture.finished(by: transform, for: request, header.orientation)
        }
        let coversCanvas = chunks.frame.size == chunks.canvas
        let size = chunks.canvas
        var buffer = coversCanvas ? PixelBuffer(unwritten: size) : PixelBuffer(size: size)
        let data = bytes.extracting(range)
        let hasAlpha = try read(data, chunks: chunks, into: &buffer)
        // A lossless image may have alpha although its header denies it; the flag is only a hint.
        if coversCanvas, !hasAlpha { buffer.refreshOpacity() }
        var request = request
        // Colours must be converted before pixels are averaged.
        if chunks.isLossless { request.neededSize = nil }
        return buffer.finished(by: transform, for: request, header.orientation)
    }

    private static func usableProfile(
        _ chunks: WebPChunks, in bytes: Span<UInt8>, limits: DecodeLimits
    ) -> ColorProfile? {
        guard let range = chunks.profile,
            let profile = ColorProfile(
                bytes.extracting(range), bytesLimit: limits.profileBytes),
            profile.model == .rgb
        else { return nil }
        return profile
    }

    /// Decodes the image into its frame on the canvas. Returns whether the image has alpha.
    private static func read(
        _ data: Span<UInt8>, chunks: WebPChunks, into buffer: inout PixelBuffer
    ) throws(DecodeError) -> Bool {
        var config = unsafe WebPDecoderConfig()
        guard unsafe WebPInitDecoderConfig(&config) != 0 else {
            throw .limitDecode("an incompatible version of libwebp")
        }
        let size = buffer.size
        let frame = chunks.frame
        let status = unsafe data.withUnsafeBufferPointer { input -> VP8StatusCode in
            let found = unsafe WebPGetFeatures(input.baseAddress, input.count, &config.input)
            guard found == VP8_STATUS_OK else { return found }
            // libwebp writes an image of the size that it reads itself, which must match the
            // allocated size.
            guard unsafe config.input.width == frame.size.width,
                unsafe config.input.height == frame.size.height
            else { return VP8_STATUS_BITSTREAM_ERROR }
            return unsafe buffer.withUnsafeMutablePixels { pixels in
                let start = (frame.y * size.width + frame.x) * 4
                unsafe config.output.colorspace = MODE_RGBA
                unsafe config.output.is_external_memory = 1
                unsafe config.output.u.RGBA.rgba = pixels + start
                unsafe config.output.u.RGBA.stride = Int32(size.width * 4)
                unsafe config.output.u.RGBA.size = size.byteCount - start
                return unsafe WebPDecode(input.baseAddress, input.count, &config)
            }
        }
        switch status {
        case VP8_STATUS_OK: break
        case VP8_STATUS_SUSPENDED, VP8_STATUS_NOT_ENOUGH_DATA: throw .truncated
        case VP8_STATUS_OUT_OF_MEMORY: throw .limitDecode("no memory for a WebP")
        case VP8_STATUS_UNSUPPORTED_FEATURE: throw .unsupported("this kind of WebP")
        default: throw .corrupt("broken WebP data")
        }
        return unsafe config.input.has_alpha != 0
    }
}
