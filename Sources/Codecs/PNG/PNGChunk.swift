import CShims
import Digest

/// The eight bytes a PNG begins with, and what transfers as text make of them.
package enum PNGSignature: Sendable {
    /// All eight bytes are right.
    case whole
    /// The file ends inside the eight bytes, four or more of which are there.
    case cut
    /// Surely meant as a PNG, but the bytes were changed on the way.
    case damaged
    /// Something else.
    case none

    static let count = 8
    static let bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Judges the beginning of `bytes`.
    package init(of bytes: Span<UInt8>) {
        var equal = 0
        while equal < min(bytes.count, Self.count), bytes[equal] == Self.bytes[equal] {
            equal += 1
        }
        if equal == Self.count {
            self = .whole
        } else if equal == bytes.count, equal >= 4 {
            self = .cut
        } else if Self.isNearlyThere(bytes) {
            self = .damaged
        } else {
            self = .none
        }
    }

    /// The name of the first chunk stands near its offset, after at least two letters of "PNG".
    private static func isNearlyThere(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 16 else { return false }
        var letters = 0
        for index in 1...3 where bytes[index] == Self.bytes[index] { letters += 1 }
        guard letters >= 2 else { return false }
        for start in 10...min(18, bytes.count - 4)
        where UInt32(truncatingIfNeeded: bytes.bigEndian32(at: start)) == PNGChunk.header {
            return true
        }
        return false
    }
}

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

/// The chunks of a PNG that make its picture, as a file of their own in which every chunk is whole:
/// most pieces lie in the given file, a few are made.
struct PNGPieces {
    private enum Piece {
        case taken(Range<Int>)
        case made([UInt8])
    }

    private var pieces: [Piece]

    /// The chunk that ends a file.
    private static let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    init(_ layout: PNGLayout, firstData: PNGChunk) {
        // Signature and image header.
        pieces = [.taken(0..<PNGSignature.count + 25)]
        for body in [layout.palette, layout.transparency] {
            if let body { pieces.append(.taken(body.lowerBound - 8..<body.upperBound + 4)) }
        }
        let last = layout.lastData ?? firstData
        let start = firstData.body.lowerBound - 8
        if last.isWhole {
            pieces.append(.taken(start..<last.body.upperBound + 4))
        } else {
            // What is left of the last chunk is called all of it. Its checksum says nothing.
            let length = UInt32(truncatingIfNeeded: last.body.count)
            let head = [length, last.name].flatMap { number in
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
            }
            pieces += [
                .taken(start..<last.body.lowerBound - 8), .made(head), .taken(last.body),
                .made([0, 0, 0, 0]),
            ]
        }
        pieces.append(.made(Self.end))
    }

    /// Hands out the pieces that hold anything, in their order.
    @unsafe
    func withParts<Result>(
        of file: Span<UInt8>, _ body: (UnsafeBufferPointer<emb_png_part>) -> Result
    ) -> Result {
        let made = pieces.flatMap { piece in
            if case .made(let bytes) = piece { bytes } else { [UInt8]() }
        }
        return unsafe file.withUnsafeBufferPointer { file in
            unsafe made.withUnsafeBufferPointer { made in
                var offset = 0
                var parts: [emb_png_part] = unsafe []
                for piece in pieces {
                    let base: UnsafePointer<UInt8>?
                    let count: Int
                    switch piece {
                    case .taken(let range):
                        unsafe base = file.baseAddress.map { unsafe $0 + range.lowerBound }
                        count = range.count
                    case .made(let bytes):
                        unsafe base = made.baseAddress.map { [offset] in unsafe $0 + offset }
                        count = bytes.count
                        offset += count
                    }
                    if count > 0 { unsafe parts.append(emb_png_part(bytes: base, length: count)) }
                }
                return unsafe parts.withUnsafeBufferPointer { unsafe body($0) }
            }
        }
    }
}
