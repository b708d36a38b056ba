import Digest

extension Digest256 {
    /// The first 16 bytes as two numbers: enough to tell texts apart, and small enough to keep for
    /// every row.
    var words: (UInt64, UInt64) {
        let bytes = bytes
        func word(_ range: Range<Int>) -> UInt64 {
            bytes[range].reduce(0) { $0 << 8 | UInt64($1) }
        }
        return (word(0..<8), word(8..<16))
    }
}
