/// Numbers as bytes in files.
extension [UInt8] {
    /// Adds a number of four bytes, the highest first.
    mutating func appendBig32(_ value: UInt32) {
        for shift in [UInt32(24), 16, 8, 0] { append(UInt8(value >> shift & 255)) }
    }

    /// Adds a number of two bytes, the highest first.
    mutating func appendBig16(_ value: Int) {
        append(UInt8(value >> 8 & 255))
        append(UInt8(value & 255))
    }

    /// Adds a number of so many bytes, the lowest first.
    mutating func appendLittle(_ value: Int, count: Int) {
        for index in 0..<count { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    /// Adds a word of ASCII.
    mutating func append(text: String) {
        append(contentsOf: Array(text.utf8))
    }
}
