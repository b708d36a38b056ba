/// What a Targa file begins with: no letters to know it by, only numbers that go together.
///
/// One of true colours begins like a cursor that says it holds no picture at all.
enum TargaHeader {
    static func begins(_ bytes: Span<UInt8>) -> Bool {
        let reader = ByteReader(bytes)
        guard let hasMap = reader.u8(1), let kind = reader.u8(2), let entryBits = reader.u8(7),
            let width = reader.little16(12), let height = reader.little16(14),
            let bits = reader.u8(16), let flags = reader.u8(17),
            width > 0, height > 0, flags & 0xC0 == 0
        else { return false }
        // Packed pictures are of the same kinds, and eight.
        switch kind & ~8 {
        case 1:
            return hasMap == 1 && [15, 16, 24, 32].contains(entryBits) && [8, 16].contains(bits)
        case 2: return hasNoMap(reader) && [15, 16, 24, 32].contains(bits)
        case 3: return hasNoMap(reader) && [8, 16].contains(bits)
        default: return false
        }
    }

    private static func hasNoMap(_ reader: borrowing ByteReader) -> Bool {
        reader.u8(1) == 0 && reader.big32(3) == 0 && reader.u8(7) == 0
    }
}
