extension [UInt8] {
    /// Adds a word, the lowest byte first.
    mutating func append(word: some FixedWidthInteger & UnsignedInteger) {
        unsafe Swift.withUnsafeBytes(of: word.littleEndian) { unsafe append(contentsOf: $0) }
    }

    /// The bytes of a word, the lowest first.
    init(word: some FixedWidthInteger & UnsignedInteger) {
        self = unsafe Swift.withUnsafeBytes(of: word.littleEndian) { unsafe Array($0) }
    }
}
