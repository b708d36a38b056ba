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
        // Without alpha, or where nothing of it is packed apart, libwebp makes the whole file.
        guard !isLossless, let plane = unsafe alphaPlane(of: picture) else {
            return try unsafe encode(&picture, &config)
        }
        let span = unsafe Span(_unsafeElements: plane)
        guard let alpha = WebPAlphaStock.shared.packed(span, width: size.width) else {
            let file = try unsafe encode(&picture, &config)
            if let part = WebPFile.parts(of: file.span).alpha {
                WebPAlphaStock.shared.keep(Array(file[part]), of: span, width: size.width)
            }
            return file
        }
        // What libwebp does with the colours before it encodes them; then they go alone.
        unsafe WebPCleanupTransparentArea(&picture)
        unsafe picture.colorspace = WEBP_YUV420
        unsafe picture.a = nil
        let file = try unsafe encode(&picture, &config)
        guard let part = WebPFile.parts(of: file.span).picture else {
            throw .failed(.webp, "no picture came of it")
        }
        return WebPFile.joined(
            width: size.width, height: size.height, alpha: alpha,
            picture: file.span.extracting(part))
    }

    /// The alpha of an imported picture, where it has any and its rows lie without gaps.
    private static func alphaPlane(of picture: WebPPicture) -> UnsafeBufferPointer<UInt8>? {
        guard unsafe picture.colorspace == WEBP_YUV420A, let start = unsafe picture.a,
            unsafe picture.a_stride == picture.width
        else { return nil }
        return unsafe UnsafeBufferPointer(
            start: start, count: Int(picture.width) * Int(picture.height))
    }

    private static func encode(
        _ picture: inout WebPPicture, _ config: inout WebPConfig
    ) throws(EncodeError) -> [UInt8] {
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
