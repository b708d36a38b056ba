extension [UInt8] {
    /// Adds a word, the lowest byte first.
    mutating func append(word: UInt32) {
        unsafe Swift.withUnsafeBytes(of: word.littleEndian) { unsafe append(contentsOf: $0) }
    }

    mutating func append(word: UInt64) {
        unsafe Swift.withUnsafeBytes(of: word.littleEndian) { unsafe append(contentsOf: $0) }
    }

    /// The bytes of a word, the lowest first.
    init(word: UInt32) {
        self = unsafe Swift.withUnsafeBytes(of: word.littleEndian) { unsafe Array($0) }
    }
}
