import CLibHeif
import CShims
import Raster

@safe
struct HEIFFile: ~Copyable {
    private let context: OpaquePointer
    private let handle: OpaquePointer

    /// Opens the file for the duration of `body`, because the bytes must outlive it.
    static func withFile<Result: ~Copyable>(
        _ bytes: Span<UInt8>, _ demand: HEIFDemand,
        _ body: (borrowing HEIFFile) throws(DecodeError) -> Result
    ) throws(DecodeError) -> Result {
        guard HEIFLibrary.isFound else { throw .unsupported(HEIFLibrary.whatIsMissing) }
        let bytes = bytes.extracting(first: demand.byteCount)
        guard !demand.replacementBytes.isEmpty else {
            return try unsafe bytes.withUnsafeBufferPointer { input throws(DecodeError) in
                try body(unsafe HEIFFile(input, demand))
            }
        }
        var still = bytes.copied()
        for byte in demand.replacementBytes { still[byte.offset] = byte.value }
        return try unsafe still.span.withUnsafeBufferPointer { input throws(DecodeError) in
            try body(unsafe HEIFFile(input, demand))
        }
    }

    private init(
        _ input: UnsafeBufferPointer<UInt8>, _ demand: HEIFDemand
    ) throws(DecodeError) {
        guard let context = unsafe heif_context_alloc() else {
            throw .limitDecode("no memory for a HEIF")
        }
        // The output must not exceed the declared and checked size. The library rejects a canvas
        // side equal to the limit, hence one more.
        let edge = Int32(clamping: demand.edge) &+ (demand.edge < Int(Int32.max) ? 1 : 0)
        unsafe heif_context_set_maximum_image_size_limit(context, edge)
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

    var hasAlpha: Bool { unsafe heif_image_handle_has_alpha_channel(handle) != 0 }
    var bitsPerChannel: Int { unsafe Int(heif_image_handle_get_luma_bits_per_pixel(handle)) }

    /// The embedded profile. The outer `nil` means that there is none, the inner `nil` that it
    /// cannot be used.
    func embeddedProfile(limits: DecodeLimits) -> ColorProfile?? {
        let length = unsafe heif_image_handle_get_raw_color_profile_size(handle)
        guard length > 0, length <= limits.profileBytes else { return nil }
        var bytes = [UInt8](repeating: 0, count: length)
        let error = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe heif_image_handle_get_raw_color_profile(handle, buffer.baseAddress)
        }
        guard unsafe error.code == heif_error_Ok,
            let profile = ColorProfile(bytes.span, bytesLimit: limits.profileBytes),
            profile.model == .rgb
        else { return .some(nil) }
        return profile
    }

    /// The colour code points (nclx) of the boxes.
    var numbers: ColorNumbers? {
        unsafe ColorNumbers { unsafe heif_image_handle_get_nclx_color_profile(handle, &$0) }
    }

    /// The decoded straight RGBA of the window, and the properties found in the coded data.
    struct Decoded: ~Copyable {
        var pixels: PixelBuffer
        let isPremultiplied: Bool
        /// The colour code points in the coded data.
        let numbers: ColorNumbers?
    }

    /// Decodes the canvas, checks that its size matches the boxes, and returns the visible part.
    func decoded(_ size: PixelSize, _ window: PixelRect) throws(DecodeError) -> Decoded {
        guard let options = unsafe heif_decoding_options_alloc() else {
            throw .limitDecode("no memory for a HEIF")
        }
        defer { unsafe heif_decoding_options_free(options) }
        unsafe options.pointee.convert_hdr_to_8bit = 1
        // Without strict decoding, damaged regions would contain uninitialised memory.
        unsafe options.pointee.strict_decoding = 1
        var image: OpaquePointer?
        // The decoder misses some damage and leaves parts of planes unwritten. Its allocations are
        // zeroed, so that such parts show no old memory.
        emb_zero_new_memory(1)
        // The library assembles images in planes. Interleaving them here saves a copy of all
        // pixels.
        let outcome = unsafe heif_decode_image(
            handle, &image, heif_colorspace_RGB, heif_chroma_444, options)
        emb_zero_new_memory(0)
        try unsafe Self.check(outcome)
        guard let image = unsafe image else { throw .corrupt("a HEIF without pixels") }
        defer { unsafe heif_image_release(image) }
        let channels = [heif_channel_R, heif_channel_G, heif_channel_B, heif_channel_Alpha]
        var planes: [Plane] = []
        for channel in channels.prefix(hasAlpha ? 4 : 3) {
            planes.append(try unsafe Plane(channel, of: image, size))
        }
        var buffer = PixelBuffer(
            unwritten: PixelSize(width: window.width, height: window.height))
        unsafe buffer.withUnsafeMutablePixels { pixels in
            for y in 0..<window.height {
                let row = unsafe pixels + y * window.width * 4
                for (index, plane) in planes.enumerated() {
                    unsafe plane.copy(
                        window.width, from: window.x, window.y + y, to: row + index)
                }
                guard !hasAlpha else { continue }
                for x in 0..<window.width { unsafe row[x * 4 + 3] = 255 }
            }
        }
        let numbers = unsafe ColorNumbers { unsafe heif_image_get_nclx_color_profile(image, &$0) }
        return unsafe Decoded(
            pixels: buffer,
            isPremultiplied: heif_image_handle_is_premultiplied_alpha(handle) != 0,
            numbers: numbers)
    }

    /// A channel of a decoded image: one byte per sample, or two for more than 8 bits.
    @safe
    private struct Plane {
        private let start: UnsafePointer<UInt8>
        private let stride: Int
        private let bits: Int

        init(_ channel: heif_channel, of image: OpaquePointer, _ size: PixelSize)
            throws(DecodeError)
        {
            var stride: Int32 = 0
            bits = unsafe Int(heif_image_get_bits_per_pixel_range(image, channel))
            guard let start = unsafe heif_image_get_plane_readonly(image, channel, &stride),
                unsafe heif_image_get_width(image, channel) == size.width,
                unsafe heif_image_get_height(image, channel) == size.height,
                (8...16).contains(bits), Int(stride) >= size.width * (bits > 8 ? 2 : 1)
            else { throw .corrupt("a HEIF with another size than declared") }
            unsafe self.start = unsafe start
            self.stride = Int(stride)
        }

        /// Copies the samples of a row to every fourth byte and drops the bits beyond 8.
        func copy(_ count: Int, from x: Int, _ y: Int, to: UnsafeMutablePointer<UInt8>) {
            let row = unsafe start + y * stride
            if bits == 8 {
                for index in 0..<count { unsafe to[index * 4] = row[x + index] }
            } else {
                unsafe row.withMemoryRebound(to: UInt16.self, capacity: x + count) { row in
                    for index in 0..<count {
                        let sample = unsafe row[x + index] >> (bits - 8)
                        unsafe to[index * 4] = UInt8(truncatingIfNeeded: sample)
                    }
                }
            }
        }
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

extension ColorNumbers {
    /// Reads the code points from the library, which allocates them, and frees them.
    @unsafe
    fileprivate init?(_ ask: (inout UnsafeMutablePointer<heif_color_profile_nclx>?) -> heif_error) {
        var numbers: UnsafeMutablePointer<heif_color_profile_nclx>?
        let error = unsafe ask(&numbers)
        guard unsafe error.code == heif_error_Ok, let found = unsafe numbers else { return nil }
        defer { unsafe heif_nclx_color_profile_free(found) }
        self.init(
            primaries: unsafe Int(found.pointee.color_primaries.rawValue),
            transfer: unsafe Int(found.pointee.transfer_characteristics.rawValue),
            matrix: unsafe Int(found.pointee.matrix_coefficients.rawValue),
            isFullRange: unsafe found.pointee.full_range_flag != 0)
    }
}
