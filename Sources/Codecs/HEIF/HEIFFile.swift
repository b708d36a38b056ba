import CLibHeif
import Raster

/// An open HEIF or AVIF file and its primary picture.
@safe
struct HEIFFile: ~Copyable {
    private let context: OpaquePointer
    private let handle: OpaquePointer

    /// Opens the file; the bytes must outlive it, so it is only lent to `body`.
    static func withFile<Result: ~Copyable>(
        _ bytes: Span<UInt8>, limits: DecodeLimits,
        _ body: (borrowing HEIFFile) throws(DecodeError) -> Result
    ) throws(DecodeError) -> Result {
        let sizes = try HEIFSizes(bytes, limits: limits)
        return try unsafe bytes.withUnsafeBufferPointer { input throws(DecodeError) in
            let file = try unsafe HEIFFile(input, edge: sizes.edge)
            return try body(file)
        }
    }

    private init(_ input: UnsafeBufferPointer<UInt8>, edge: Int) throws(DecodeError) {
        guard let context = unsafe heif_context_alloc() else {
            throw .limitDecode("no memory for a HEIF")
        }
        // Nothing may come out larger than what was declared and checked.
        unsafe heif_context_set_maximum_image_size_limit(context, Int32(clamping: max(1, edge)))
        unsafe heif_context_set_max_decoding_threads(context, 0)
        do throws(DecodeError) {
            try unsafe Self.check(
                heif_context_read_from_memory_without_copy(
                    context, input.baseAddress, input.count, nil))
            var handle: OpaquePointer?
            try unsafe Self.check(heif_context_get_primary_image_handle(context, &handle))
            guard let found = unsafe handle else { throw .corrupt("a HEIF without a picture") }
            unsafe self.context = unsafe context
            unsafe self.handle = unsafe found
        } catch {
            unsafe heif_context_free(context)
            throw error
        }
    }

    deinit {
        unsafe heif_image_handle_release(handle)
        unsafe heif_context_free(context)
    }

    /// The size to be shown, with the file's own turns done.
    var size: PixelSize {
        unsafe PixelSize(
            width: Int(heif_image_handle_get_width(handle)),
            height: Int(heif_image_handle_get_height(handle)))
    }

    var hasAlpha: Bool { unsafe heif_image_handle_has_alpha_channel(handle) != 0 }
    var bitsPerChannel: Int { unsafe Int(heif_image_handle_get_luma_bits_per_pixel(handle)) }

    /// The embedded profile, or one made from the numbers that stand in its place.
    func profile(limits: DecodeLimits) -> ColorProfile? {
        let length = unsafe heif_image_handle_get_raw_color_profile_size(handle)
        if length > 0, length <= limits.profileBytes {
            var bytes = [UInt8](repeating: 0, count: length)
            let error = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe heif_image_handle_get_raw_color_profile(handle, buffer.baseAddress)
            }
            guard unsafe error.code == heif_error_Ok,
                let profile = ColorProfile(bytes.span, bytesLimit: limits.profileBytes),
                profile.model == .rgb
            else { return nil }
            return profile
        }
        var numbers: UnsafeMutablePointer<heif_color_profile_nclx>?
        let error = unsafe heif_image_handle_get_nclx_color_profile(handle, &numbers)
        guard unsafe error.code == heif_error_Ok, let found = unsafe numbers else { return nil }
        defer { unsafe heif_nclx_color_profile_free(found) }
        let (primaries, transfer) =
            unsafe (found.pointee.color_primaries, found.pointee.transfer_characteristics)
        return ColorProfile(
            primaries: Int(primaries.rawValue), transfer: Int(transfer.rawValue))
    }

    /// Decodes into straight RGBA of the size declared and says whether the pixels came out
    /// multiplied by their alpha already.
    func read(into buffer: inout PixelBuffer) throws(DecodeError) -> Bool {
        guard let options = unsafe heif_decoding_options_alloc() else {
            throw .limitDecode("no memory for a HEIF")
        }
        defer { unsafe heif_decoding_options_free(options) }
        unsafe options.pointee.convert_hdr_to_8bit = 1
        var image: OpaquePointer?
        try unsafe Self.check(
            heif_decode_image(
                handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, options))
        guard let image = unsafe image else { throw .corrupt("a HEIF without pixels") }
        defer { unsafe heif_image_release(image) }
        var stride: Int32 = 0
        let size = buffer.size
        let plane = unsafe heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride)
        guard let plane = unsafe plane,
            unsafe heif_image_get_width(image, heif_channel_interleaved) == size.width,
            unsafe heif_image_get_height(image, heif_channel_interleaved) == size.height,
            Int(stride) >= size.width * 4
        else { throw .corrupt("a HEIF unlike its declared size") }
        unsafe buffer.withUnsafeMutablePixels { pixels in
            for y in 0..<size.height {
                let row = unsafe pixels + y * size.width * 4
                unsafe row.update(from: plane + y * Int(stride), count: size.width * 4)
            }
        }
        return unsafe heif_image_handle_is_premultiplied_alpha(handle) != 0
    }

    private static func check(_ error: heif_error) throws(DecodeError) {
        guard unsafe error.code != heif_error_Ok else { return }
        if unsafe error.subcode == heif_suberror_End_of_data { throw .truncated }
        let text = unsafe error.message.map { unsafe String(cString: $0) } ?? "broken HEIF data"
        switch unsafe error.code {
        case heif_error_Unsupported_feature, heif_error_Unsupported_filetype:
            throw .unsupported(text)
        case heif_error_Memory_allocation_error:
            throw .limitDecode("a HEIF larger than it declares")
        default: throw .corrupt(text)
        }
    }
}
