extension [UInt8] {
    /// Appends four bytes, most significant first.
    mutating func appendBig32(_ value: UInt32) {
        for shift in [UInt32(24), 16, 8, 0] { append(UInt8(value >> shift & 255)) }
    }

    /// Appends two bytes, most significant first.
    mutating func appendBig16(_ value: Int) {
        append(UInt8(value >> 8 & 255))
        append(UInt8(value & 255))
    }

    /// Appends `count` bytes, least significant first.
    mutating func appendLittle(_ value: Int, count: Int) {
        for index in 0..<count { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    mutating func append(text: String) {
        append(contentsOf: Array(text.utf8))
    }
}
