import CLibDeflate

/// Compresses image data through libdeflate.
enum PNGDeflate {
    /// A zlib stream of the bytes, or nil where there is no memory for it.
    @unsafe
    static func pack(_ source: UnsafeRawBufferPointer, level: Int32) -> [UInt8]? {
        guard let packer = unsafe libdeflate_alloc_compressor(level) else { return nil }
        defer { unsafe libdeflate_free_compressor(packer) }
        let capacity = unsafe libdeflate_zlib_compress_bound(packer, source.count)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = unsafe libdeflate_zlib_compress(
                packer, source.baseAddress, source.count, buffer.baseAddress, capacity)
        }
        return bytes.isEmpty ? nil : bytes
    }
}
