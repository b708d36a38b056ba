import CLibDeflate

/// The text of an SVG file, taken out of gzip where it is packed.
package enum SVGText {
    /// Whether the bytes begin as gzip does.
    package static func isPacked(_ bytes: Span<UInt8>) -> Bool {
        bytes.count > 2 && bytes[0] == 0x1F && bytes[1] == 0x8B
    }

    /// The inflated text of a packed SVG, at most `limits.svgBytes` long.
    ///
    /// More than that, and gzip inside gzip, is `unsupported`. A cut and a damaged stream look
    /// alike to the inflater, and both are `corrupt`.
    package static func inflate(
        _ packed: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> [UInt8] {
        guard let inflater = unsafe libdeflate_alloc_decompressor() else {
            throw .limitDecode("no memory to inflate")
        }
        defer { unsafe libdeflate_free_decompressor(inflater) }
        // The stream's last four bytes claim its length: a first guess, never believed.
        var claimed = 0
        for step in 1...4 where packed.count > 18 {
            claimed = claimed << 8 | Int(packed[packed.count - step])
        }
        let most = max(1, limits.svgBytes)
        var room = min(most, max(claimed, 4096))
        while true {
            var length = 0
            var result = LIBDEFLATE_BAD_DATA
            let text = unsafe [UInt8](unsafeUninitializedCapacity: room) { output, count in
                result = unsafe packed.withUnsafeBytes { input in
                    unsafe libdeflate_gzip_decompress(
                        inflater, input.baseAddress, input.count, output.baseAddress, room, &length)
                }
                count = result == LIBDEFLATE_SUCCESS ? length : 0
            }
            switch result {
            case LIBDEFLATE_SUCCESS:
                guard !isPacked(text.span) else { throw .unsupported("gzip inside gzip") }
                return text
            case LIBDEFLATE_INSUFFICIENT_SPACE where room < most:
                room = min(most, room.multipliedReportingOverflow(by: 4).partialValue)
            case LIBDEFLATE_INSUFFICIENT_SPACE:
                throw tooLong(limits)
            default:
                throw .corrupt("the gzip data is incomplete or damaged")
            }
        }
    }

    /// What is said of a document over the limit, packed or not.
    static func tooLong(_ limits: DecodeLimits) -> DecodeError {
        .unsupported("an SVG of more than \(limits.svgBytes) bytes")
    }
}
