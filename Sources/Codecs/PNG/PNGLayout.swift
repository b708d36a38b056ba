import Digest
import Raster

/// The chunks of a PNG file that matter for decoding, with their positions.
struct PNGLayout: Sendable {
    let header: PNGHeader
    /// The position of the RGB entries of the palette.
    private(set) var palette: Range<Int>?
    private(set) var transparency: Range<Int>?
    private(set) var profile: Range<Int>?
    /// The colour code points (cICP) that replace a profile.
    private(set) var codePoints: ColorNumbers?
    private(set) var exif: Range<Int>?
    private(set) var isAnimated = false
    /// The first image data chunk; the chunks that follow it directly continue the data.
    private(set) var firstData: PNGChunk?
    private(set) var dataByteCount = 0
    private(set) var dataChunkCount = 0
    /// The last image data chunk, which may be truncated.
    private(set) var lastData: PNGChunk?
    private(set) var hasEnd = false
    /// Whether a chunk of another kind followed the image data.
    private var isAfterData = false

    /// The part of a file that must be valid.
    enum Depth {
        /// Damage after the header ends the search without an error.
        case header
        /// Checks the checksums of critical chunks and throws on damage.
        case whole
    }

    /// Reads all chunks. The size in the first chunk is checked against the limits.
    init(of bytes: Span<UInt8>, limits: DecodeLimits, depth: Depth) throws(DecodeError) {
        switch PNGSignature(of: bytes) {
        case .none: throw .notImage
        case .truncated: throw .truncated
        case .damaged: throw .corrupt("the signature is damaged")
        case .whole: break
        }
        var walker = PNGChunkWalker()
        guard let first = try walker.next(in: bytes) else { throw .truncated }
        if first.name == PNGChunk.apple { throw .unsupported("Apple's CgBI variant of PNG") }
        guard first.name == PNGChunk.header else { throw .corrupt("the image header is missing") }
        // Checks the length before the end of the file: an image header of two gigabytes is
        // corrupt, not truncated.
        guard walker.offset == first.body.lowerBound + 17 else {
            throw .corrupt("the image header has a wrong length")
        }
        guard first.isWhole else { throw .truncated }
        guard first.hasRightChecksum(in: bytes) else { throw .wrongChecksum(first) }
        header = try PNGHeader(body: bytes.extracting(first.body), limits: limits)
        do throws(DecodeError) {
            while !hasEnd, let chunk = try walker.next(in: bytes) {
                try take(chunk, in: bytes, depth: depth)
            }
        } catch {
            if depth == .whole { throw error }
        }
    }

    private mutating func take(
        _ chunk: PNGChunk, in bytes: Span<UInt8>, depth: Depth
    ) throws(DecodeError) {
        if chunk.name != PNGChunk.imageData, firstData != nil { isAfterData = true }
        if chunk.isCritical {
            if depth == .whole, chunk.isWhole, !chunk.hasRightChecksum(in: bytes) {
                throw .wrongChecksum(chunk)
            }
            try takeCritical(chunk)
        } else {
            takeAncillary(chunk, in: bytes)
        }
    }

    private mutating func takeCritical(_ chunk: PNGChunk) throws(DecodeError) {
        switch chunk.name {
        case PNGChunk.imageData:
            // Image data after another chunk is ignored, as in libpng.
            if isAfterData { return }
            if header.colorType == .palette, palette == nil {
                throw .corrupt("the palette is missing")
            }
            if firstData == nil { firstData = chunk }
            dataByteCount += chunk.body.count
            dataChunkCount += 1
            lastData = chunk
        case PNGChunk.palette:
            // A palette for other colour types is only a suggestion and is ignored.
            guard header.colorType == .palette, firstData == nil, chunk.isWhole else { return }
            guard palette == nil else { throw .corrupt("there are two palettes") }
            guard !chunk.body.isEmpty, chunk.body.count % 3 == 0, chunk.body.count <= 768 else {
                throw .corrupt("the palette has a wrong length")
            }
            palette = chunk.body
        case PNGChunk.end:
            hasEnd = true
        case PNGChunk.header:
            throw .corrupt("there are two image headers")
        default:
            throw .unsupported("a PNG with the unknown critical chunk \(chunk.letters)")
        }
    }

    /// Reads an ancillary chunk; ignores invalid and misplaced chunks.
    private mutating func takeAncillary(_ chunk: PNGChunk, in bytes: Span<UInt8>) {
        switch chunk.name {
        case PNGChunk.transparency:
            guard transparency == nil, firstData == nil,
                isTransparencyLength(chunk.body.count), chunk.hasRightChecksum(in: bytes)
            else { return }
            transparency = chunk.body
        case PNGChunk.profile:
            guard profile == nil, firstData == nil, chunk.hasRightChecksum(in: bytes)
            else { return }
            profile = chunk.body
        case PNGChunk.codePoints:
            guard codePoints == nil, firstData == nil, chunk.body.count == 4,
                chunk.hasRightChecksum(in: bytes)
            else { return }
            let body = bytes.extracting(chunk.body)
            codePoints = ColorNumbers(
                primaries: Int(body[0]), transfer: Int(body[1]), matrix: Int(body[2]),
                isFullRange: body[3] == 1)
        case PNGChunk.exif:
            guard exif == nil, chunk.hasRightChecksum(in: bytes) else { return }
            exif = chunk.body
        case PNGChunk.animation:
            if firstData == nil, chunk.hasRightChecksum(in: bytes) { isAnimated = true }
        default:
            break
        }
    }

    /// Copies the data of all image data chunks into one buffer.
    @unsafe
    func copyData(
        of file: UnsafeRawBufferPointer, _ firstData: PNGChunk,
        to result: UnsafeMutableRawBufferPointer
    ) throws(DecodeError) {
        let bytes = unsafe Span<UInt8>(_unsafeBytes: file)
        var walker = PNGChunkWalker(offset: firstData.body.lowerBound - 8)
        var done = 0
        while let chunk = try walker.next(in: bytes), chunk.name == PNGChunk.imageData {
            let part = unsafe UnsafeRawBufferPointer(rebasing: file[chunk.body])
            unsafe UnsafeMutableRawBufferPointer(rebasing: result[done...]).copyMemory(from: part)
            done += part.count
        }
    }

    /// Returns the profile in the file, or a profile made from its colour code points (cICP); nil if
    /// it is broken, too long, or for another colour model.
    func colorProfile(in bytes: Span<UInt8>, limits: DecodeLimits) -> ColorProfile? {
        guard limits.readsProfiles else { return nil }
        let isGrey = header.colorType.model == .grey
        guard let range = profile else {
            // Only RGB with full range is supported in a PNG.
            guard !isGrey, let numbers = codePoints, numbers.matrix == 0, numbers.isFullRange
            else { return nil }
            return numbers.profile
        }
        let body = bytes.extracting(range)
        // A name of at most 79 bytes, a zero, method 0, then the compressed profile.
        guard let nameEnd = (0..<min(80, body.count)).first(where: { body[$0] == 0 }), nameEnd > 0,
            nameEnd + 2 < body.count, body[nameEnd + 1] == 0,
            let inflated = try? Inflate.all(
                body.extracting(nameEnd + 2..<body.count), .zlib, guess: 16 << 10,
                bytesLimit: limits.profileBytes),
            let profile = ColorProfile(inflated.span, bytesLimit: limits.profileBytes)
        else { return nil }
        return profile.model == (isGrey ? .grey : .rgb) ? profile : nil
    }

    private func isTransparencyLength(_ count: Int) -> Bool {
        switch header.colorType {
        case .grey: count == 2
        case .rgb: count == 6
        case .palette: count > 0 && count * 3 <= palette?.count ?? 0
        case .greyAlpha, .rgba: false
        }
    }
}

extension DecodeError {
    static func wrongChecksum(_ chunk: PNGChunk) -> DecodeError {
        .corrupt("the checksum of \(chunk.letters) is wrong")
    }
}

/// The image header chunk (IHDR): size, samples and row order.
package struct PNGHeader: Hashable, Sendable {
    package enum ColorType: UInt8, Sendable, CaseIterable {
        case grey = 0
        case rgb = 2
        case palette = 3
        case greyAlpha = 4
        case rgba = 6

        package var channels: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .rgb: 3
            case .rgba: 4
            }
        }

        package var depths: [Int] {
            switch self {
            case .grey: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .rgb, .greyAlpha, .rgba: [8, 16]
            }
        }

        var model: ColorModel {
            switch self {
            case .grey, .greyAlpha: .grey
            case .palette: .palette
            case .rgb, .rgba: .rgb
            }
        }

        package var hasAlphaSample: Bool { self == .greyAlpha || self == .rgba }
    }

    package let size: PixelSize
    package let bitDepth: Int
    package let colorType: ColorType
    package let isInterlaced: Bool

    package init(size: PixelSize, bitDepth: Int, colorType: ColorType, isInterlaced: Bool) {
        self.size = size
        self.bitDepth = bitDepth
        self.colorType = colorType
        self.isInterlaced = isInterlaced
    }

    /// Creates a header for a palette of `count` colours, with the smallest bit depth.
    init(indexed size: PixelSize, colors count: Int) {
        self.init(
            size: size, bitDepth: count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8,
            colorType: .palette, isInterlaced: false)
    }

    /// Reads the 13 bytes of IHDR. Rejects invalid values and sizes beyond `limits`.
    init(body: Span<UInt8>, limits: DecodeLimits) throws(DecodeError) {
        guard body.count == 13 else { throw .corrupt("the image header has a wrong length") }
        let width = body.bigEndian32(at: 0)
        let height = body.bigEndian32(at: 4)
        guard width > 0, height > 0 else { throw .corrupt("width or height is zero") }
        guard let colorType = ColorType(rawValue: body[9]) else {
            throw .corrupt("colour type \(body[9]) does not exist")
        }
        guard colorType.depths.contains(Int(body[8])) else {
            throw .corrupt("bit depth \(body[8]) is not allowed for the colour type")
        }
        guard body[10] == 0, body[11] == 0 else {
            throw .corrupt("unknown compression or filter method")
        }
        guard body[12] <= 1 else { throw .corrupt("unknown interlace method") }
        size = PixelSize(width: width, height: height)
        bitDepth = Int(body[8])
        self.colorType = colorType
        isInterlaced = body[12] == 1
        try limits.check(size)
    }

    var bitsPerPixel: Int { bitDepth * colorType.channels }

    /// The distance in bytes to the left neighbour that filters use.
    var filterStep: Int { max(1, bitsPerPixel / 8) }

    /// Returns the bytes in a row of `width` pixels, without the filter byte.
    func rowBytes(width: Int) -> Int { (width * bitsPerPixel + 7) / 8 }

    /// The size of the inflated image data, or `Int.max` on overflow.
    var rawByteCount: Int {
        (isInterlaced ? Self.adam7 : [(0, 0, 1, 1)]).reduce(0) { sum, pass in
            let (column, row, columnStep, rowStep) = pass
            let width = (size.width - column + columnStep - 1) / columnStep
            let height = (size.height - row + rowStep - 1) / rowStep
            guard width > 0, height > 0 else { return sum }
            return sum.saturating(plus: (rowBytes(width: width) + 1).saturating(times: height))
        }
    }

    /// The first column, first row, column step and row step of each pass of an interlaced image.
    private static let adam7 = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
    ]
}

extension Span where Element == UInt8 {
    func bigEndian32(at offset: Int) -> Int {
        Int(self[offset]) << 24 | Int(self[offset + 1]) << 16 | Int(self[offset + 2]) << 8
            | Int(self[offset + 3])
    }

    func bigEndian16(at offset: Int) -> Int {
        Int(self[offset]) << 8 | Int(self[offset + 1])
    }
}

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
