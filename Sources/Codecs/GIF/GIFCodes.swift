/// Unpacks the LZW data of a frame to one colour index per pixel.
///
/// A new code is the previous string plus one byte, and both are adjacent in the output. A code is
/// therefore stored as an offset and a length in the output, and unpacking copies bytes.
struct GIFCodes {
    enum End {
        case whole, cut, broken
    }

    /// The colour indices; indices missing from the data are missing at the end.
    private(set) var indices: [UInt8] = []
    private(set) var end = End.cut

    init(_ bytes: Span<UInt8>, start: Int, count: Int) {
        let reader = ByteReader(bytes)
        guard let bits = reader.u8(start) else { return }
        guard (1...11).contains(bits) else {
            end = .broken
            return
        }
        var end = End.cut
        indices = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe [UInt8](unsafeUninitializedCapacity: count) { output, written in
                let blocks = unsafe Blocks(bytes: input, offset: start + 1)
                (written, end) = unsafe Self.unpack(blocks, bits: bits, into: output, count: count)
            }
        }
        self.end = end
    }

    /// Reads bits from a chain of blocks of up to 255 bytes, low bits first.
    @unsafe
    private struct Blocks {
        let bytes: UnsafeBufferPointer<UInt8>
        var offset: Int
        var left = 0
        var bits: UInt32 = 0
        var count = 0

        init(bytes: UnsafeBufferPointer<UInt8>, offset: Int) {
            unsafe self.bytes = unsafe bytes
            unsafe self.offset = offset
        }

        /// Returns the next code, or -1 at the end of the blocks or bytes.
        @inline(__always)
        mutating func next(_ width: Int) -> Int {
            while unsafe count < width {
                if unsafe left == 0 {
                    guard unsafe offset < bytes.count else { return -1 }
                    unsafe left = Int(bytes[offset])
                    unsafe offset += 1
                    if unsafe left == 0 { return -1 }
                }
                guard unsafe offset < bytes.count else { return -1 }
                unsafe bits |= UInt32(bytes[offset]) << UInt32(count)
                unsafe offset += 1
                unsafe left -= 1
                unsafe count += 8
            }
            let code = unsafe bits & (1 << UInt32(width) - 1)
            unsafe bits >>= UInt32(width)
            unsafe count -= width
            return Int(code)
        }
    }

    @unsafe
    private static func unpack(
        _ input: Blocks, bits: Int, into output: UnsafeMutableBufferPointer<UInt8>, count: Int
    ) -> (Int, End) {
        var blocks = unsafe input
        var offsets = [Int32](repeating: 0, count: 4096)
        var lengths = [Int32](repeating: 0, count: 4096)
        let clear = 1 << bits
        var next = clear + 2
        var width = bits + 1
        var written = 0
        // The previous string; its length is 0 right after a clear code.
        var offset = 0
        var length = 0
        while written < count {
            let code = unsafe blocks.next(width)
            if code < 0 || code == clear + 1 { return (written, .cut) }
            if code == clear {
                next = clear + 2
                width = bits + 1
                length = 0
                continue
            }
            let begin = written
            if code < clear {
                unsafe output[written] = UInt8(truncatingIfNeeded: code)
                written += 1
            } else {
                let from: Int
                let size: Int
                if code < next {
                    (from, size) = (Int(offsets[code]), Int(lengths[code]))
                } else if code == next, length > 0 {
                    (from, size) = (offset, length + 1)
                } else {
                    return (written, .broken)
                }
                // Copies byte by byte, because the string may overlap the destination.
                let stop = min(count, written + size)
                var source = from
                while written < stop {
                    unsafe output[written] = output[source]
                    written += 1
                    source += 1
                }
            }
            if length > 0, next < 4096 {
                offsets[next] = Int32(truncatingIfNeeded: offset)
                lengths[next] = Int32(truncatingIfNeeded: length + 1)
                next += 1
                if next == 1 << width, width < 12 { width += 1 }
            }
            offset = begin
            length = written - begin
        }
        return (written, .whole)
    }
}
