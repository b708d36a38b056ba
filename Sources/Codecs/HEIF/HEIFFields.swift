/// Numbers inside one box, high byte first; what would end outside the box is `nil`.
struct HEIFFields: ~Escapable {
    private let reader: ByteReader
    let range: Range<Int>

    @_lifetime(copy reader)
    init(_ reader: ByteReader, _ range: Range<Int>) {
        self.reader = reader
        self.range = range
    }

    /// The version of a box that has one.
    var version: Int { number(0, bytes: 1) ?? 0 }

    /// A number of 0 to 8 bytes; one of no bytes is 0, as the format has it.
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

    /// Four bytes that may be below zero.
    func signed(_ offset: Int) -> Int? {
        number(offset, bytes: 4).map { Int(Int32(truncatingIfNeeded: $0)) }
    }
}
