import CShims
import Digest

/// The state of the eight-byte PNG signature at the start of a file.
package enum PNGSignature: Sendable {
    case whole
    /// The file ends inside the signature, after at least four bytes.
    case truncated
    /// The signature of a PNG that a text-mode transfer changed.
    case damaged
    case none

    static let count = 8
    static let bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    package init(of bytes: Span<UInt8>) {
        var equal = 0
        while equal < min(bytes.count, Self.count), bytes[equal] == Self.bytes[equal] {
            equal += 1
        }
        if equal == Self.count {
            self = .whole
        } else if equal == bytes.count, equal >= 4 {
            self = .truncated
        } else if Self.hasDamagedHeader(bytes) {
            self = .damaged
        } else {
            self = .none
        }
    }

    /// Returns whether "IHDR" is near its offset, after at least two letters of "PNG".
    private static func hasDamagedHeader(_ bytes: Span<UInt8>) -> Bool {
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

/// A PNG chunk: its name and the range of its body in the file.
struct PNGChunk: Hashable, Sendable {
    /// The four letters as a number, the first in the highest byte.
    var name: UInt32
    /// The range of the body, clipped to the end of the file.
    var body: Range<Int>
    var isWhole: Bool

    /// Whether a decoder must know this chunk to show the image.
    var isCritical: Bool { name & 0x2000_0000 == 0 }

    var letters: String {
        String(
            decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: name >> $0) }, as: UTF8.self)
    }

    /// Returns whether the stored checksum matches the name and body.
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
    static let codePoints: UInt32 = 0x6349_4350  // cICP
    static let exif: UInt32 = 0x6558_4966  // eXIf
    static let animation: UInt32 = 0x6163_544C  // acTL
    static let apple: UInt32 = 0x4367_4249  // CgBI
}

/// Iterates over the chunks of a PNG in file order.
struct PNGChunkWalker {
    private(set) var offset: Int

    init(offset: Int = PNGSignature.count) {
        self.offset = offset
    }

    /// Returns the next chunk, or nil at the end of the file; throws if the bytes are not a chunk.
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

/// The chunks that define the image, assembled as a file in which every chunk is complete. Most
/// pieces refer to the given file; a few are generated.
struct PNGPieces {
    private enum Piece {
        case range(Range<Int>)
        case bytes([UInt8])
    }

    private var pieces: [Piece]

    private static let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    init(_ layout: PNGLayout, firstData: PNGChunk) {
        // Signature and image header.
        pieces = [.range(0..<PNGSignature.count + 25)]
        for body in [layout.palette, layout.transparency] {
            if let body { pieces.append(.range(body.lowerBound - 8..<body.upperBound + 4)) }
        }
        let last = layout.lastData ?? firstData
        let start = firstData.body.lowerBound - 8
        if last.isWhole {
            pieces.append(.range(start..<last.body.upperBound + 4))
        } else {
            // A truncated last chunk is declared complete; its checksum is not checked.
            let length = UInt32(truncatingIfNeeded: last.body.count)
            let head = [length, last.name].flatMap { number in
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
            }
            pieces += [
                .range(start..<last.body.lowerBound - 8), .bytes(head), .range(last.body),
                .bytes([0, 0, 0, 0]),
            ]
        }
        pieces.append(.bytes(Self.end))
    }

    /// Passes the non-empty pieces to the closure, in order.
    @unsafe
    func withParts<Result>(
        of file: Span<UInt8>, _ body: (UnsafeBufferPointer<emb_png_part>) -> Result
    ) -> Result {
        let made = pieces.flatMap { piece in
            if case .bytes(let bytes) = piece { bytes } else { [UInt8]() }
        }
        return unsafe file.withUnsafeBufferPointer { file in
            unsafe made.withUnsafeBufferPointer { made in
                var offset = 0
                var parts: [emb_png_part] = unsafe []
                for piece in pieces {
                    let base: UnsafePointer<UInt8>?
                    let count: Int
                    switch piece {
                    case .range(let range):
                        unsafe base = file.baseAddress.map { unsafe $0 + range.lowerBound }
                        count = range.count
                    case .bytes(let bytes):
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
