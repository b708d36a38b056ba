import CLibHeif
import Raster

/// Writes AVIF through the AV1 encoder of the installed libheif.
package enum AVIFEncoder {
    /// The encoder's speed setting; files grow fast at higher values.
    private static let speed: Int32 = 7
    /// The lowest quality at which chroma keeps its full resolution.
    private static let fullColourQuality = 90
    private static let noMemory = EncodeError.failed(.avif, "no memory")

    package static var isAvailable: Bool {
        heif_have_encoder_for_format(heif_compression_AV1) != 0
    }

    /// Encodes on one thread, so that the same pixels give the same bytes.
    package static func encode(
        _ buffer: borrowing PixelBuffer, quality: EncodeQuality
    ) throws(EncodeError) -> [UInt8] {
        guard max(buffer.width, buffer.height) <= OutputFormat.avif.edgeLimit else {
            throw .tooLarge(.avif, buffer.size)
        }
        guard HEIFLibrary.isFound else { throw .unavailable(.avif, HEIFLibrary.whatIsMissing) }
        guard isAvailable else { throw .unavailable(.avif, "libheif has no AV1 encoder") }
        let chroma = buffer.isOpaque ? heif_chroma_interleaved_RGB : heif_chroma_interleaved_RGBA
        var made: OpaquePointer?
        try unsafe check(
            heif_image_create(
                Int32(buffer.width), Int32(buffer.height), heif_colorspace_RGB, chroma, &made))
        guard let image = unsafe made else { throw noMemory }
        defer { unsafe heif_image_release(image) }
        try unsafe fill(image, from: buffer)
        return try unsafe write(image, quality)
    }

    /// Copies straight pixels to the memory of libheif.
    @unsafe
    private static func fill(
        _ image: OpaquePointer, from buffer: borrowing PixelBuffer
    ) throws(EncodeError) {
        let (width, height) = (buffer.width, buffer.height)
        try unsafe check(
            heif_image_add_plane(
                image, heif_channel_interleaved, Int32(width), Int32(height), 8))
        var stride: Int32 = 0
        guard let plane = unsafe heif_image_get_plane(image, heif_channel_interleaved, &stride)
        else { throw noMemory }
        let channels = buffer.isOpaque ? 3 : 4
        var straight = PixelBuffer(size: buffer.size)
        StraightAlpha.copy(buffer, into: &straight)
        unsafe straight.withUnsafePixels { pixels in
            for y in 0..<height {
                let from = unsafe pixels + y * width * 4
                let to = unsafe plane + y * Int(stride)
                for x in 0..<width {
                    for channel in 0..<channels {
                        unsafe to[x * channels + channel] = from[x * 4 + channel]
                    }
                }
            }
        }
    }

    @unsafe
    private static func write(
        _ image: OpaquePointer, _ quality: EncodeQuality
    ) throws(EncodeError) -> [UInt8] {
        guard let context = unsafe heif_context_alloc() else { throw noMemory }
        defer { unsafe heif_context_free(context) }
        var made: OpaquePointer?
        try unsafe check(
            heif_context_get_encoder_for_format(context, heif_compression_AV1, &made))
        guard let encoder = unsafe made else { throw noMemory }
        defer { unsafe heif_encoder_release(encoder) }
        let isFullColour: Bool
        switch quality {
        case .lossy(let value):
            let value = min(max(value, 1), 100)
            isFullColour = value >= fullColourQuality
            try unsafe check(heif_encoder_set_lossy_quality(encoder, Int32(value)))
        case .lossless:
            isFullColour = true
            try unsafe check(heif_encoder_set_lossless(encoder, 1))
        }
        // Some encoders do not support these parameters; the output is valid without them.
        unsafe _ = heif_encoder_set_parameter_integer(encoder, "threads", 1)
        unsafe _ = heif_encoder_set_parameter_integer(encoder, "speed", speed)
        unsafe _ = heif_encoder_set_parameter_string(
            encoder, "chroma", isFullColour ? "444" : "420")
        guard let options = unsafe heif_encoding_options_alloc(),
            let colors = unsafe heif_nclx_color_profile_alloc()
        else { throw noMemory }
        defer {
            unsafe heif_encoding_options_free(options)
            unsafe heif_nclx_color_profile_free(colors)
        }
        unsafe colors.pointee.color_primaries = heif_color_primaries_ITU_R_BT_709_5
        unsafe colors.pointee.transfer_characteristics =
            heif_transfer_characteristic_IEC_61966_2_1
        // Lossless output stores the channels without a colour matrix.
        unsafe colors.pointee.matrix_coefficients =
            quality == .lossless
            ? heif_matrix_coefficients_RGB_GBR : heif_matrix_coefficients_ITU_R_BT_601_6
        unsafe colors.pointee.full_range_flag = 1
        unsafe options.pointee.output_nclx_profile = unsafe colors
        // The image must declare the same matrix; otherwise the channels are converted with a loss.
        try unsafe check(heif_image_set_nclx_color_profile(image, colors))
        try unsafe check(heif_context_encode_image(context, image, encoder, options, nil))
        return try unsafe bytes(of: context)
    }

    @unsafe
    private static func bytes(of context: OpaquePointer) throws(EncodeError) -> [UInt8] {
        let collected = ByteCollector()
        var writer = heif_writer()
        writer.writer_api_version = 1
        unsafe writer.write = { _, data, size, user in
            if let data = unsafe data, let user = unsafe user {
                let collector = unsafe Unmanaged<ByteCollector>.fromOpaque(user)
                    .takeUnretainedValue()
                unsafe collector.bytes.append(
                    contentsOf: UnsafeRawBufferPointer(start: data, count: size))
            }
            return unsafe heif_error()
        }
        let user = unsafe Unmanaged.passUnretained(collected).toOpaque()
        let error = unsafe withExtendedLifetime(collected) {
            unsafe heif_context_write(context, &writer, user)
        }
        try unsafe check(error)
        return collected.bytes
    }

    private static func check(_ error: heif_error) throws(EncodeError) {
        guard unsafe error.code != heif_error_Ok else { return }
        let text = unsafe error.message.map { unsafe String(cString: $0) } ?? "unknown"
        throw .failed(.avif, text)
    }
}

private final class ByteCollector {
    var bytes: [UInt8] = []
}
