import CLibDeflate
import Raster

/// Inflates streams with libdeflate.
enum Inflate {
    enum Wrapper { case zlib, gzip }
    enum Failure: Error { case noMemory, tooLong, damaged }

    /// Inflates exactly `count` bytes of a zlib stream and verifies its checksum. Returns false if
    /// the stream is longer, shorter or invalid; does not report which.
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

    /// Inflates a whole stream of at most `bytesLimit` bytes, and tries `guess` bytes first.
    /// libdeflate does not distinguish truncated from damaged streams.
    static func all(
        _ source: Span<UInt8>, _ wrapper: Wrapper, guess: Int, bytesLimit: Int
    ) throws(Failure) -> [UInt8] {
        guard let inflater = unsafe libdeflate_alloc_decompressor() else { throw .noMemory }
        defer { unsafe libdeflate_free_decompressor(inflater) }
        var capacity = min(guess, bytesLimit)
        while true {
            var outcome = LIBDEFLATE_BAD_DATA
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                var length = 0
                outcome = unsafe source.withUnsafeBufferPointer { packed in
                    let decompress =
                        unsafe wrapper == .zlib
                        ? libdeflate_zlib_decompress : libdeflate_gzip_decompress
                    return unsafe decompress(
                        inflater, packed.baseAddress, packed.count, buffer.baseAddress, capacity,
                        &length)
                }
                count = outcome == LIBDEFLATE_SUCCESS ? length : 0
            }
            switch outcome {
            case LIBDEFLATE_SUCCESS: return bytes
            case LIBDEFLATE_INSUFFICIENT_SPACE where capacity < bytesLimit:
                capacity = min(bytesLimit, capacity.saturating(times: 4))
            case LIBDEFLATE_INSUFFICIENT_SPACE: throw .tooLong
            default: throw .damaged
            }
        }
    }
}
