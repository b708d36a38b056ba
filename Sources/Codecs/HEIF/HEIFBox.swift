/// A box of an ISO media file (ISO/IEC 14496-12, 4.2).
struct HEIFBox {
    /// The four-character type as a number.
    let kind: Int
    /// The offset of the type in the file.
    let kindOffset: Int
    let body: Range<Int>

    /// Iterates over the boxes in a range of the file.
    struct Cursor {
        private(set) var offset: Int
        /// The offsets of the length bytes of a last box whose length is left open (0), and the
        /// explicit values to put there. Some libraries do not support open lengths.
        private(set) var openLengths: [(offset: Int, value: UInt8)] = []
        private let end: Int
        private let isFile: Bool

        /// Starts at the boxes of the whole file, or at the boxes inside another box.
        init(_ range: Range<Int>, isFile: Bool = false) {
            (offset, end) = (range.lowerBound, range.upperBound)
            self.isFile = isFile
        }

        /// Returns the next box, or `nil` at the end. Throws `truncated` for a box past the end of
        /// the file, except for pixel data, whose absence the library reports.
        mutating func next(_ reader: ByteReader) throws(DecodeError) -> HEIFBox? {
            guard offset < end else { return nil }
            guard let declared = reader.big32(offset), let kind = reader.big32(offset + 4) else {
                throw .truncated
            }
            var head = 8
            var length = declared
            if declared == 1 {
                guard let high = reader.big32(offset + 8), let low = reader.big32(offset + 12),
                    high == 0
                else { throw .truncated }
                (head, length) = (16, low)
            } else if declared == 0, end - offset <= Int(UInt32.max) {
                length = end - offset
                for byte in 0..<4 {
                    let value = UInt8(truncatingIfNeeded: length >> (24 - 8 * byte))
                    openLengths.append((offset + byte, value))
                }
            }
            guard length >= head else { throw .corrupt("a box of invalid length") }
            let stop = offset + length
            guard stop <= end || isFile && kind == fourCC("mdat") else {
                throw stop > reader.count
                    ? .truncated : .corrupt("a box that ends outside its parent")
            }
            defer { offset = stop }
            return HEIFBox(kind: kind, kindOffset: offset + 4, body: offset + head..<stop)
        }

        /// Returns the next box, or `nil` before other data, which some programs append.
        mutating func nextIfAny(_ reader: ByteReader) -> HEIFBox? {
            try? next(reader)
        }
    }
}

/// Returns a four-character code as the number it forms in a file.
func fourCC(_ text: StaticString) -> Int {
    var number = 0
    for index in 0..<min(4, text.utf8CodeUnitCount) {
        number = unsafe number << 8 | Int(text.utf8Start[index])
    }
    return number
}

/// Reads big-endian numbers inside a box. A read past the end of the box returns `nil`.
struct HEIFFields: ~Escapable {
    private let reader: ByteReader
    let range: Range<Int>

    @_lifetime(copy reader)
    init(_ reader: ByteReader, _ range: Range<Int>) {
        self.reader = reader
        self.range = range
    }

    /// The version of a full box.
    var version: Int { number(0, bytes: 1) ?? 0 }

    /// Reads a number of 0 to 8 bytes. A number of 0 bytes is 0, as the format defines.
    func number(_ offset: Int, bytes: Int) -> Int? {
        guard bytes > 0 else { return 0 }
        guard bytes <= 8, offset >= 0, offset <= range.count - bytes else { return nil }
        var number = 0
        for index in 0..<bytes {
            guard let byte = reader.u8(range.lowerBound + offset + index), number >> 55 == 0 else {
                return nil
            }
            number = number << 8 | byte
        }
        return number
    }

    func signed(_ offset: Int) -> Int? {
        number(offset, bytes: 4).map { Int(Int32(truncatingIfNeeded: $0)) }
    }
}
