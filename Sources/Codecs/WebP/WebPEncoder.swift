import CLibWebP
import Raster

/// Writes WebP, lossy or lossless, with alpha if needed and without metadata.
package enum WebPEncoder {
    /// The level of libwebp for lossless images, from 0 to 9.
    private static let standardLevel: Int32 = 4
    /// The level of libwebp for alpha planes, which are repetitive. It is the lowest level that
    /// searches for the smallest encoding.
    private static let alphaLevel: Int32 = 6

    /// Encodes an image; alpha is exact at every quality. The built-in lossy encoder has only one
    /// effort.
    package static func encode(
        _ buffer: borrowing PixelBuffer, quality: EncodeQuality,
        effort: EncodeEffort = .standard, codecs: CodecChoice = .fast
    ) throws(EncodeError) -> [UInt8] {
        guard max(buffer.width, buffer.height) <= OutputFormat.webp.edgeLimit else {
            throw .tooLarge(.webp, buffer.size)
        }
        switch quality {
        case .lossy(let value):
            if codecs == .fast, WebPLossyEncoder.handles(buffer.size) {
                return try WebPLossyEncoder.encode(buffer, quality: value)
            }
            return try encode(buffer, config: lossy(value, effort), isLossless: false)
        case .lossless:
            return try encode(buffer, config: lossless(effort), isLossless: true)
        }
    }

    /// Returns the content of an `ALPH` chunk: a lossless stream whose green channel is the alpha,
    /// without the header of a lossless image (RFC 9649).
    static func packAlpha(
        _ plane: Span<UInt8>, width: Int, height: Int
    ) throws(EncodeError) -> [UInt8] {
        var pixels = PixelBuffer(size: PixelSize(width: width, height: height))
        var bytes = pixels.mutablePixels
        for index in 0..<plane.count { bytes[index * 4 + 1] = plane[index] }
        let config = try lossless(alphaLevel)
        let file = try unsafe pixels.withUnsafePixels { start throws(EncodeError) in
            try unsafe write(
                start, size: pixels.size, isOpaque: true, isLossless: true, config)
        }
        guard let body = WebPFile.body(of: "VP8L", in: file.span), body.count > 5,
            file[body.lowerBound] == 0x2F
        else { throw .failed(.webp, "the alpha channel cannot be encoded") }
        // Byte 1 means lossless compression without a filter; the stream follows without signature
        // and size.
        return [1] + file[body.dropFirst(5)]
    }

    private static func lossy(
        _ quality: Int, _ effort: EncodeEffort
    ) throws(EncodeError) -> WebPConfig {
        var config = WebPConfig()
        let factor = Float(min(max(quality, 1), 100))
        guard unsafe WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, factor) != 0 else {
            throw .failed(.webp, "an incompatible version of libwebp")
        }
        // The methods of libwebp go from 0 to 6. Compared with method 4, method 6 writes 2 % fewer
        // bytes in twice the time, or with alpha in twenty times the time.
        config.method =
            switch effort {
            case .fast: 2
            case .standard: 4
            case .small: 5
            }
        config.alpha_quality = 100
        return config
    }

    private static func lossless(_ effort: EncodeEffort) throws(EncodeError) -> WebPConfig {
        var config = try lossless(standardLevel)
        switch effort {
        case .standard: break
        // Compared with `standard`, nearly the same search with a smaller set of transforms: 2 to 4
        // % more bytes.
        case .fast: config.method = 2
        // Compared with `standard`, 3 % fewer bytes in four times the time. Higher methods take
        // longer and help only some images.
        case .small: (config.method, config.quality) = (4, 100)
        }
        return config
    }

    private static func lossless(_ level: Int32) throws(EncodeError) -> WebPConfig {
        var config = WebPConfig()
        guard unsafe WebPConfigInit(&config) != 0,
            unsafe WebPConfigLosslessPreset(&config, level) != 0
        else { throw .failed(.webp, "an incompatible version of libwebp") }
        return config
    }

    private static func encode(
        _ buffer: borrowing PixelBuffer, config: WebPConfig, isLossless: Bool
    ) throws(EncodeError) -> [UInt8] {
        if buffer.isOpaque {
            return try unsafe buffer.withUnsafePixels { pixels throws(EncodeError) in
                try unsafe write(
                    pixels, size: buffer.size, isOpaque: true, isLossless: isLossless, config)
            }
        }
        var straight = PixelBuffer(unwritten: buffer.size)
        StraightAlpha.copy(buffer, into: &straight)
        return try unsafe straight.withUnsafePixels { pixels throws(EncodeError) in
            try unsafe write(
                pixels, size: straight.size, isOpaque: false, isLossless: isLossless, config)
        }
    }

    private static func write(
        _ pixels: UnsafePointer<UInt8>, size: PixelSize, isOpaque: Bool, isLossless: Bool,
        _ config: WebPConfig
    ) throws(EncodeError) -> [UInt8] {
        var config = config
        config.thread_level = 0
        var picture = unsafe WebPPicture()
        guard unsafe WebPPictureInit(&picture) != 0 else {
            throw .failed(.webp, "an incompatible version of libwebp")
        }
        defer { unsafe WebPPictureFree(&picture) }
        unsafe picture.use_argb = isLossless ? 1 : 0
        unsafe picture.width = Int32(size.width)
        unsafe picture.height = Int32(size.height)
        let stride = Int32(size.width * 4)
        let imported =
            unsafe isOpaque
            ? WebPPictureImportRGBX(&picture, pixels, stride)
            : WebPPictureImportRGBA(&picture, pixels, stride)
        guard imported != 0 else { throw .failed(.webp, "no memory") }
        var writer = unsafe WebPMemoryWriter()
        unsafe WebPMemoryWriterInit(&writer)
        defer { unsafe WebPMemoryWriterClear(&writer) }
        let done = unsafe withUnsafeMutablePointer(to: &writer) { pointer in
            unsafe picture.writer = WebPMemoryWrite
            unsafe picture.custom_ptr = UnsafeMutableRawPointer(pointer)
            return unsafe WebPEncode(&config, &picture)
        }
        guard done != 0, let start = unsafe writer.mem else {
            throw .failed(.webp, "libwebp error \(unsafe picture.error_code.rawValue)")
        }
        return unsafe [UInt8](UnsafeBufferPointer(start: start, count: writer.size))
    }
}
