/// The stretches of a JSON string that stand for themselves: ASCII without quotes, backslashes and
/// hidden characters. Nearly all names and values are one.
enum PlainRun {
    /// Where the first byte at or after `start` stands that is not plain; the count where all are.
    static func end(in bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        unsafe bytes.withUnsafeBytes { bytes in
            while index + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                let marks = marks(of: UInt64(littleEndian: word))
                guard marks == 0 else {
                    index += marks.trailingZeroBitCount / 8
                    return
                }
                index += 8
            }
            while index < bytes.count, isPlain(unsafe bytes[index]) { index += 1 }
        }
        return index
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// The highest bit of each byte that is not plain. Above the first of them others may be marked
    /// that are: a borrow went through them.
    private static func marks(of word: UInt64) -> UInt64 {
        func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
        let hidden = (word &- ones &* 0x20) & ~word
        let quotes = zeros(word ^ ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = zeros(word ^ ones &* UInt64(UInt8(ascii: "\\")))
        let deletes = zeros(word ^ ones &* 0x7F)
        return (hidden | quotes | backslashes | deletes | word) & (ones &* 0x80)
    }
}
