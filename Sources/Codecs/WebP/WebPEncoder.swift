import CLibWebP
import Raster

/// Writes WebP, lossy or lossless, with alpha where the picture has it and no metadata.
package enum WebPEncoder {
    /// Between speed and size; the steps above cost twice the time for a few per cent.
    private static let lossyMethod: Int32 = 4
    private static let losslessLevel: Int32 = 4

    /// Encodes a picture; alpha is kept exactly at every quality.
    package static func encode(
        _ buffer: borrowing PixelBuffer, quality: EncodeQuality
    ) throws(EncodeError) -> [UInt8] {
        guard max(buffer.width, buffer.height) <= OutputFormat.webp.edgeLimit else {
            throw .tooLarge(.webp, buffer.size)
        }
        var config = WebPConfig()
        let isLossless = quality == .lossless
        switch quality {
        case .lossy(let value):
            let factor = Float(min(max(value, 1), 100))
            guard unsafe WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, factor) != 0 else {
                throw .failed(.webp, "another libwebp than built with")
            }
            config.method = lossyMethod
        case .lossless:
            guard unsafe WebPConfigInit(&config) != 0,
                unsafe WebPConfigLosslessPreset(&config, losslessLevel) != 0
            else { throw .failed(.webp, "another libwebp than built with") }
        }
        config.alpha_quality = 100
        config.thread_level = 0
        if buffer.isOpaque {
            return try unsafe buffer.withUnsafePixels { pixels throws(EncodeError) in
                try unsafe write(
                    pixels, size: buffer.size, isOpaque: true, isLossless: isLossless, &config)
            }
        }
        var straight = PixelBuffer(size: buffer.size)
        StraightAlpha.copy(buffer, into: &straight)
        return try unsafe straight.withUnsafePixels { pixels throws(EncodeError) in
            try unsafe write(
                pixels, size: straight.size, isOpaque: false, isLossless: isLossless, &config)
        }
    }

    private static func write(
        _ pixels: UnsafePointer<UInt8>, size: PixelSize, isOpaque: Bool, isLossless: Bool,
        _ config: inout WebPConfig
    ) throws(EncodeError) -> [UInt8] {
        var picture = unsafe WebPPicture()
        guard unsafe WebPPictureInit(&picture) != 0 else {
            throw .failed(.webp, "another libwebp than built with")
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
