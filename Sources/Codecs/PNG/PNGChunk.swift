import Digest

/// A chunk of a PNG: four letters and the range of its bytes in the file.
struct PNGChunk: Hashable, Sendable {
    /// The four letters as one number, the first in the highest byte.
    var name: UInt32
    /// Where the body lies, clipped to the end of the file.
    var body: Range<Int>
    /// Body and checksum are there in full.
    var isWhole: Bool

    /// A decoder must know this chunk to show the picture.
    var isCritical: Bool { name & 0x2000_0000 == 0 }

    /// The letters as text, for messages.
    var letters: String {
        String(
            decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: name >> $0) }, as: UTF8.self)
    }

    /// The checksum at its end is that of its letters and body.
    func hasRightChecksum(in bytes: Span<UInt8>) -> Bool {
        guard isWhole else { return false }
        let sum = CRC32.checksum(bytes.extracting(body.lowerBound - 4..<body.upperBound))
        return Int(sum) == bytes.bigEndian32(at: body.upperBound)
    }

    static let header: UInt32 = 0x4948_4452  // IHDR
    static let palette: UInt32 = 0x504C_5445  // PLTE
    static let imageData: UInt32 = 0x4944_4154  // IDAT
    static let end: UInt32 = 0x4945_4E44  // IEND
    static let transparency: UInt32 = 0x7452_4E53  // tRNS
    static let profile: UInt32 = 0x6943_4350  // iCCP
    static let numbers: UInt32 = 0x6349_4350  // cICP
    static let exif: UInt32 = 0x6558_4966  // eXIf
    static let animation: UInt32 = 0x6163_544C  // acTL
    static let apple: UInt32 = 0x4367_4249  // CgBI
}

/// Goes through the chunks of a PNG in the order of the file.
struct PNGChunkWalker {
    /// Where the next chunk begins.
    private(set) var offset: Int

    init(offset: Int = PNGSignature.count) {
        self.offset = offset
    }

    /// The next chunk, or nil where the file ends; throws where no chunk can be.
    mutating func next(in bytes: Span<UInt8>) throws(DecodeError) -> PNGChunk? {
        guard bytes.count - offset >= 8 else { return nil }
        let length = bytes.bigEndian32(at: offset)
        guard length <= 0x7FFF_FFFF else { throw .corrupt("a chunk's length is out of range") }
        var name: UInt32 = 0
        for index in offset + 4..<offset + 8 {
            let letter = bytes[index]
            guard (0x41...0x5A).contains(letter & 0xDF) else {
                throw .corrupt("a chunk name contains other characters than letters")
            }
            name = name << 8 | UInt32(letter)
        }
        let begin = offset + 8
        let end = min(begin + length, bytes.count)
        offset = begin + length + 4
        return PNGChunk(
            name: name, body: begin..<end, isWhole: offset <= bytes.count)
    }
}
