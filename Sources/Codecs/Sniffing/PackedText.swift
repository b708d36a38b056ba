import CZlib

/// The beginning of a text packed by gzip, enough to see what it is.
enum PackedText {
    /// How much is unpacked: comments before the root are rarely longer.
    private static let bytesLimit = 128 << 10

    static func isPacked(_ bytes: Span<UInt8>) -> Bool {
        bytes.count > 2 && bytes[0] == 0x1F && bytes[1] == 0x8B
    }

    /// As much of the text as unpacks without error, up to the limit.
    static func beginning(of bytes: Span<UInt8>) -> [UInt8] {
        var stream = unsafe z_stream()
        // 15 bits of window, and 16 for the gzip wrapping.
        guard
            unsafe inflateInit2_(
                &stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return [] }
        defer { unsafe inflateEnd(&stream) }
        return unsafe bytes.withUnsafeBufferPointer { input in
            unsafe [UInt8](unsafeUninitializedCapacity: bytesLimit) { output, count in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.avail_in = UInt32(clamping: input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(output.count)
                unsafe _ = inflate(&stream, Z_SYNC_FLUSH)
                count = unsafe output.count - Int(stream.avail_out)
            }
        }
    }
}
