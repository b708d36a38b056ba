import CLibHeif
import CShims
import Raster

extension ImageFormat {
    package static let avif = heif("avif", ["avif"], output: .avif)
    package static let heic = heif("heic", ["heic", "heif", "hif"])

    private static func heif(
        _ name: String, _ fileExtensions: [String], output: OutputFormat? = nil
    ) -> ImageFormat {
        ImageFormat(
            name, fileExtensions: fileExtensions,
            libraries: [
                CodecLibrary("libheif", version: LIBHEIF_VERSION, opening: HEIFLibrary.opening)
            ],
            reader: CodecName("libheif"), declaresCost: true, output: output,
            recognizes: { bytes in HEIFBrand.format(of: ByteReader(bytes)) == name },
            header: { bytes, limits throws(DecodeError) in
                let format: ImageFormat = output == nil ? .heic : .avif
                return try HEIFDecoder.header(of: bytes, format: format, limits: limits)
            },
            // The boxes determine the memory: tiles, canvases and planes of up to 16 bits count.
            memoryCost: { header, _ in header.decodingBytes },
            decode: { bytes, _, request throws(DecodeError) in
                .raster(try HEIFDecoder.decode(bytes, limits: request.limits))
            })
    }
}

extension OutputFormat {
    /// AVIF, which needs an AV1 encoder in libheif.
    package static let avif = OutputFormat(
        "avif", defaultQuality: .lossy(60), edgeLimit: 65_536, writer: CodecName("libheif"),
        pixelBytes: (lossy: 20, lossless: 36),
        available: { AVIFEncoder.isAvailable },
        encode: { buffer, settings throws(EncodeError) in
            try AVIFEncoder.encode(buffer, quality: settings.quality)
        },
        isComplete: { bytes, size in
            // Subsampled chroma needs even sides, so a coded image may be one pixel wider or
            // higher; viewers crop the excess.
            EncodedPicture.avif(ByteReader(bytes)).map { found in
                (size.width...(size.width + 1)).contains(found.width)
                    && (size.height...(size.height + 1)).contains(found.height)
            } ?? false
        })
}

private enum HEIFBrand {
    private static let heic: [StaticString] = ["heic", "heix", "hevc", "hevx", "heim", "heis"]

    static func format(of reader: borrowing ByteReader) -> String? {
        guard reader.holds("ftyp", at: 4), let length = reader.big32(0) else { return nil }
        var offset = 8
        var isHEIF = false
        while offset < min(length, 256), offset + 4 <= reader.count {
            if reader.holds("avif", at: offset) || reader.holds("avis", at: offset) {
                return "avif"
            }
            for brand in heic where reader.holds(brand, at: offset) { return "heic" }
            isHEIF = isHEIF || reader.holds("mif1", at: offset) || reader.holds("msf1", at: offset)
            // A version follows the major brand.
            offset += offset == 8 ? 8 : 4
        }
        return isHEIF ? "heic" : nil
    }
}

/// The libheif library, opened on first use.
enum HEIFLibrary {
    static let opening = CodecLibrary.Opening(
        file: "libheif.so.1", isFound: { isFound }, prepare: { _ = once })

    static var isFound: Bool { emb_heif_is_found() != 0 }

    static let whatIsMissing =
        "AVIF and HEIC need libheif. Install the Debian package libheif1"

    private static let once: Void = {
        _ = unsafe heif_init(nil)
    }()
}

/// Reads the primary image of AVIF and HEIC files through libheif.
///
/// This decoder applies the rotations and mirrors of the file itself, after libheif has assembled
/// the image. It ignores the EXIF orientation, which may repeat them.
package enum HEIFDecoder {
    package static func header(
        of bytes: Span<UInt8>, format: ImageFormat, limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        let layout = try HEIFLayout(bytes, limits: limits)
        guard limits.readsProfiles else {
            return ImageHeader(
                format: format, codedSize: layout.size, hasAlpha: true,
                decodingBytes: layout.memoryBytes)
        }
        let file = try HEIFFile(bytes, layout)
        let profile = file.embeddedProfile(limits: limits) ?? file.numbers?.profile
        return ImageHeader(
            format: format, codedSize: layout.size, hasAlpha: file.hasAlpha,
            bitsPerChannel: file.bitsPerChannel, hasProfile: profile != nil,
            profileName: profile?.name, decodingBytes: layout.memoryBytes)
    }

    /// Decodes to premultiplied sRGB pixels. A truncated file is always rejected.
    package static func decode(
        _ bytes: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> PixelBuffer {
        let layout = try HEIFLayout(bytes, limits: limits)
        let file = try HEIFFile(bytes, layout)
        let decoded = try file.decoded(layout.canvas, layout.window)
        let numbers = file.numbers ?? decoded.numbers
        var buffer = decoded.pixels
        if let header = layout.alphaHeader, !header.isFullRange, file.hasAlpha {
            widen(&buffer, channels: 3...3)
        }
        if file.isPremultiplied {
            var straight = PixelBuffer(size: buffer.size)
            StraightAlpha.copy(buffer, into: &straight)
            buffer = straight
        }
        try finish(&buffer, numbers, layout.colorHeader, bits: file.bitsPerChannel)
        let profile = file.embeddedProfile(limits: limits) ?? numbers?.profile
        if let transform = profile?.transform() {
            var pixels = buffer.mutablePixels
            transform.convert(&pixels)
        }
        buffer.isOpaque = !file.hasAlpha
        buffer.premultiply()
        return buffer.oriented(by: layout.orientation)
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

/// An open file.
@safe
struct HEIFFile: ~Copyable {
    private let context: OpaquePointer
    private let handle: OpaquePointer

    init(_ bytes: Span<UInt8>, _ layout: HEIFLayout) throws(DecodeError) {
        guard HEIFLibrary.isFound else { throw .unsupported(HEIFLibrary.whatIsMissing) }
        var input = bytes.extracting(first: layout.byteCount).copied()
        for byte in layout.replacementBytes { input[byte.offset] = byte.value }
        guard let context = unsafe heif_context_alloc() else {
            throw .limitDecode("no memory for a HEIF")
        }
        // The output must not exceed the declared and checked size. The library rejects a canvas
        // side equal to the limit, hence one more.
        let edge = Int32(clamping: layout.edge) &+ (layout.edge < Int(Int32.max) ? 1 : 0)
        unsafe heif_context_set_maximum_image_size_limit(context, edge)
        unsafe heif_context_set_max_decoding_threads(context, 0)
        do throws(DecodeError) {
            // The library copies the bytes.
            try unsafe Self.check(heif_context_read_from_memory(context, input, input.count, nil))
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
    var isPremultiplied: Bool {
        unsafe heif_image_handle_is_premultiplied_alpha(handle) != 0
    }
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
        return Decoded(pixels: buffer, numbers: numbers)
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
