import CLibDeflate

/// Inflates whole buffers with libdeflate.
enum PNGInflate {
    /// Inflates exactly `count` bytes of a zlib stream whose checksum must be right; false where
    /// the stream holds more or less, or is not in order. The reason is for others to find.
    @unsafe
    static func exactly(
        _ count: Int, from source: UnsafeRawBufferPointer, to result: UnsafeMutableRawPointer
    ) -> Bool {
        guard let inflater = unsafe libdeflate_alloc_decompressor() else { return false }
        defer { unsafe libdeflate_free_decompressor(inflater) }
        let outcome = unsafe libdeflate_zlib_decompress(
            inflater, source.baseAddress, source.count, result, count, nil)
        return outcome == LIBDEFLATE_SUCCESS
    }

    /// The whole of a zlib stream, or nil where it is broken or longer than the limit.
    static func all(_ source: Span<UInt8>, bytesLimit: Int) -> [UInt8]? {
        guard let inflater = unsafe libdeflate_alloc_decompressor() else { return nil }
        defer { unsafe libdeflate_free_decompressor(inflater) }
        var capacity = min(16 << 10, bytesLimit)
        while capacity > 0 {
            var outcome = LIBDEFLATE_BAD_DATA
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                outcome = unsafe source.withUnsafeBufferPointer { packed in
                    unsafe libdeflate_zlib_decompress(
                        inflater, packed.baseAddress, packed.count, buffer.baseAddress, capacity,
                        &count)
                }
                if outcome != LIBDEFLATE_SUCCESS { count = 0 }
            }
            if outcome == LIBDEFLATE_SUCCESS { return bytes }
            guard outcome == LIBDEFLATE_INSUFFICIENT_SPACE, capacity < bytesLimit else {
                return nil
            }
            capacity = min(capacity * 4, bytesLimit)
        }
        return nil
    }
}
