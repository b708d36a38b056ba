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

/// A pass of an interlaced PNG, or all pixels of a PNG that is not interlaced.
struct PNGPass: Hashable, Sendable {
    /// The columns and rows of this pass; never empty.
    var size: PixelSize
    var firstColumn: Int
    var firstRow: Int
    var columnStep: Int
    var rowStep: Int

    /// Returns the passes that have pixels, in file order.
    static func all(of header: PNGHeader) -> [PNGPass] {
        guard header.isInterlaced else {
            return [
                PNGPass(
                    size: header.size, firstColumn: 0, firstRow: 0, columnStep: 1, rowStep: 1)
            ]
        }
        return adam7.compactMap { column, row, columnStep, rowStep in
            let width = (header.size.width - column + columnStep - 1) / columnStep
            let height = (header.size.height - row + rowStep - 1) / rowStep
            guard width > 0, height > 0 else { return nil }
            return PNGPass(
                size: PixelSize(width: width, height: height), firstColumn: column, firstRow: row,
                columnStep: columnStep, rowStep: rowStep)
        }
    }

    /// The first column, first row, column step and row step of each pass.
    private static let adam7 = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
    ]
}
