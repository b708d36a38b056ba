import CJPEGXL
import Raster

/// A JPEG XL file opened with libjxl. The encoded bytes must outlive it.
@safe
struct JXLFile: ~Copyable {
    let facts: emb_jxl_facts
    /// The profile of the decoded pixels; `nil` for sRGB.
    private(set) var profile: ColorProfile?
    private let file: OpaquePointer

    /// Reads the header and the colour space, and calls `body`. Checks the limits as soon as the
    /// size is known.
    static func withFile<Result: ~Copyable>(
        _ bytes: Span<UInt8>, _ limits: DecodeLimits,
        _ body: (borrowing JXLFile) throws(DecodeError) -> Result
    ) throws(DecodeError) -> Result {
        try unsafe bytes.withUnsafeBufferPointer { input throws(DecodeError) in
            var file = try unsafe JXLFile(input)
            try limits.check(file.size)
            guard file.facts.has_ink == 0 else { throw .unsupported("CMYK in JPEG XL") }
            try file.readColors(limits)
            return try body(file)
        }
    }

    @unsafe
    private init(_ input: UnsafeBufferPointer<UInt8>) throws(DecodeError) {
        var opened: OpaquePointer?
        var facts = emb_jxl_facts()
        try unsafe Self.check(emb_jxl_open(input.baseAddress, input.count, &opened, &facts))
        guard let opened = unsafe opened else { throw .corrupt("a JPEG XL without a picture") }
        unsafe file = unsafe opened
        self.facts = facts
    }

    deinit {
        unsafe emb_jxl_close(file)
    }

    /// The stored pixels, before orientation.
    var size: PixelSize { PixelSize(width: Int(facts.width), height: Int(facts.height)) }

    private mutating func readColors(_ limits: DecodeLimits) throws(DecodeError) {
        var colors = emb_jxl_colors()
        try unsafe Self.check(emb_jxl_read_colors(file, &colors))
        guard colors.profile_bytes > 0 else {
            profile = ColorProfile(
                primaries: Int(colors.primaries), transfer: Int(colors.transfer))
            return
        }
        guard colors.profile_bytes <= limits.profileBytes else { return }
        var bytes = [UInt8](repeating: 0, count: colors.profile_bytes)
        let outcome = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            unsafe emb_jxl_copy_profile(file, buffer.baseAddress, buffer.count)
        }
        guard outcome == Int32(EMB_JXL_OK),
            let found = ColorProfile(bytes.span, bytesLimit: limits.profileBytes),
            found.model == (facts.is_grey == 0 ? .rgb : .grey)
        else { return }
        profile = found
    }

    /// Decodes straight pixels; returns the available part if `allowTruncated` is set.
    func pixels(allowTruncated: Bool) throws(DecodeError) -> PixelBuffer {
        var buffer = PixelBuffer(size: size)
        let count = size.byteCount
        try unsafe buffer.withUnsafeMutablePixels { pixels throws(DecodeError) in
            try unsafe Self.check(
                emb_jxl_read_pixels(file, pixels, count, allowTruncated ? 1 : 0))
        }
        return buffer
    }

    private static func check(_ outcome: Int32) throws(DecodeError) {
        switch Int(outcome) {
        case EMB_JXL_OK: return
        case EMB_JXL_ENDS: throw .truncated
        case EMB_JXL_NO_MEMORY: throw .limitDecode("no memory for a JPEG XL")
        case EMB_JXL_MISSING: throw .unsupported(JXLLibrary.whatIsMissing)
        default: throw .corrupt("broken JPEG XL data")
        }
    }
}

/// The size at the start of a bare codestream (ISO/IEC 18181-1, SizeHeader).
enum JXLSize {
    /// The ratios of width to height, as numerator and denominator.
    private static let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]

    /// Reads the size; `nil` if there is no codestream or it is truncated.
    static func read(_ bytes: Span<UInt8>) -> PixelSize? {
        guard bytes.count > 2, bytes[0] == 0xFF, bytes[1] == 0x0A else { return nil }
        var bits = Bits(bytes.extracting(2..<min(bytes.count, 14)))
        guard let isSmall = bits.next(1), let height = side(&bits, isSmall: isSmall == 1),
            let ratio = bits.next(3)
        else { return nil }
        if ratio > 0 {
            let (times, over) = ratios[ratio - 1]
            return PixelSize(width: height * times / over, height: height)
        }
        guard let width = side(&bits, isSmall: isSmall == 1) else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// Reads a side: a small one as a multiple of eight, any other with a length prefix.
    private static func side(_ bits: inout Bits, isSmall: Bool) -> Int? {
        if isSmall { return bits.next(5).map { ($0 + 1) * 8 } }
        guard let length = bits.next(2) else { return nil }
        return bits.next([9, 13, 18, 30][length]).map { $0 + 1 }
    }

    /// Reads bits, the lowest of each byte first.
    private struct Bits: ~Escapable {
        private let bytes: Span<UInt8>
        private var position = 0

        @_lifetime(copy bytes)
        init(_ bytes: Span<UInt8>) { self.bytes = bytes }

        mutating func next(_ count: Int) -> Int? {
            guard position + count <= bytes.count * 8 else { return nil }
            var value = 0
            for index in 0..<count {
                let bit = Int(bytes[(position + index) / 8] >> UInt8((position + index) % 8) & 1)
                value |= bit << index
            }
            position += count
            return value
        }
    }
}
