import CDeflate
import CLibDeflate
import Digest
import Raster

/// Writes PNG with the smallest colour type that holds the image, and no metadata.
package enum PNGEncoder {
    /// Encodes losslessly, or, with `palette`, in at most 256 colours chosen for the image.
    ///
    /// Decoding restores the same premultiplied pixels. The same pixels and effort give the same
    /// bytes. With `codecs` of `.system`, the effort has no effect.
    package static func encode(
        _ picture: borrowing PixelBuffer, palette: Bool, effort: EncodeEffort = .standard,
        codecs: CodecChoice = .fast
    ) throws(EncodeError) -> [UInt8] {
        let edge = OutputFormat.png.edgeLimit
        guard picture.width <= edge, picture.height <= edge else {
            throw .tooLarge(.png, picture.size)
        }
        let pixels = PNGStraightPixels(picture)
        let colors = PNGColors(pixels)
        guard palette, colors == nil else {
            return try write(pixels, colors: colors, effort: effort, codecs: codecs)
        }
        let reduced = PNGStraightPixels(PaletteQuantizer.reduce(picture))
        return try write(reduced, colors: PNGColors(reduced), effort: effort, codecs: codecs)
    }

    private static func write(
        _ pixels: borrowing PNGStraightPixels, colors: PNGColors?, effort: EncodeEffort,
        codecs: CodecChoice
    ) throws(EncodeError) -> [UInt8] {
        guard codecs == .fast else { return try throughLibrary(pixels, colors: colors) }
        return switch effort {
        case .fast: try quickest(pixels, colors: colors)
        case .standard: try smallest(pixels, colors: colors)
        case .small: try searched(pixels, colors: colors)
        }
    }

    /// Encodes the smallest colour type with libpng and its default filters and effort.
    private static func throughLibrary(
        _ pixels: borrowing PNGStraightPixels, colors: PNGColors?
    ) throws(EncodeError) -> [UInt8] {
        let type = pixels.colorType
        if let colors = colors?.sorted(), type != .grey || colors.colors.count <= 16 {
            let header = PNGHeader(indexed: pixels.size, colors: colors.colors.count)
            let rows = PNGPackedRows(pixels, header: header, colors: colors)
            return try PNGLibrary.encode(rows, header: header, palette: colors.colors)
        }
        let header = PNGHeader(unindexed: pixels)
        let rows = PNGPackedRows(pixels, header: header, colors: nil)
        return try PNGLibrary.encode(rows, header: header, palette: [])
    }

    /// The pixel count up to which several encodings are tried: estimates are less accurate for
    /// small images, and trials cost little.
    private static let smallArea = 4096

    /// Estimates the possible encodings and compresses the best. For a small image it compresses
    /// all encodings that could be the best.
    private static func smallest(
        _ pixels: borrowing PNGStraightPixels, colors: PNGColors?
    ) throws(EncodeError) -> [UInt8] {
        let header = PNGHeader(unindexed: pixels)
        // Eight-bit indices are as long as grey samples, so a grey image uses a palette only up to
        // 16 colours.
        if let colors, pixels.count > smallArea,
            header.colorType != .grey || colors.colors.count <= 16
        {
            return try PNGCandidate(pixels, colors: colors.sorted()).written()
        }
        let rows = PNGPackedRows(pixels, header: header, colors: nil)
        guard pixels.count > smallArea else {
            return try trial(pixels, rows, header: header, colors: colors)
        }
        return try PNGCandidate(rows, header: header, strategy: .best(of: rows)).written()
    }

    /// Encodes a small image in each way that could be the smallest.
    private static func trial(
        _ pixels: borrowing PNGStraightPixels, _ rows: borrowing PNGPackedRows,
        header: PNGHeader, colors: PNGColors?
    ) throws(EncodeError) -> [UInt8] {
        var file: [UInt8] = []
        let unfiltered = PNGCandidate(rows, header: header, strategy: .unfiltered)
        let filtered = PNGCandidate(rows, header: header, strategy: .filtered)
        let guess = (unfiltered: unfiltered.guessedSize(), filtered: filtered.guessedSize())
        // Tries the encodings whose estimate is at most 1.4 times the smallest estimate.
        var limit = min(guess.unfiltered, guess.filtered) * 14
        if let colors {
            let indexed = PNGCandidate(pixels, colors: colors.sorted())
            limit = min(limit, indexed.guessedSize() * 14)
            // Indices compress quickly, and for a few scattered colours they are smaller than
            // estimated.
            try indexed.write(smallest: &file)
        }
        if guess.unfiltered * 10 <= limit { try unfiltered.write(smallest: &file) }
        if guess.filtered * 10 <= limit { try filtered.write(smallest: &file) }
        return file
    }

    /// Chooses an encoding by the estimates of a sample, and compresses it quickly.
    private static func quickest(
        _ pixels: borrowing PNGStraightPixels, colors: PNGColors?
    ) throws(EncodeError) -> [UInt8] {
        let header = PNGHeader(unindexed: pixels)
        if let colors, header.colorType != .grey || colors.colors.count <= 16 {
            return try PNGCandidate(pixels, colors: colors.sorted(), effort: .quick).written()
        }
        let rows = PNGPackedRows(pixels, header: header, colors: nil)
        let guess = PNGStrategy.guesses(rows, share: .sparse)
        let strategy = PNGStrategy(
            // Unfiltered rows compress faster, and their estimate is too high more often.
            choice: guess.unfiltered * 4 <= guess.filtered * 5 ? .fixed(.none) : .smallest,
            effort: .quick)
        return try PNGCandidate(rows, header: header, strategy: strategy).written()
    }

    /// Compresses all encodings that could be the best, and the smallest of them again with the
    /// effort `exhaustive`, which takes most of the time.
    private static func searched(
        _ pixels: borrowing PNGStraightPixels, colors: PNGColors?
    ) throws(EncodeError) -> [UInt8] {
        let header = PNGHeader(unindexed: pixels)
        let rows = PNGPackedRows(pixels, header: header, colors: nil)
        let palettes = colors.map { [$0.sorted(), $0.sorted(byUseIn: pixels)] } ?? []
        let choices: [PNGFilteredRows.Choice] = [.fixed(.none), .smallest, .fewestPairs]
        var least = Int.max
        var best = PNGRepresentation.rows(.fixed(.none))
        for way in palettes.map(PNGRepresentation.indexed) + choices.map(PNGRepresentation.rows) {
            let size = try way.write(pixels, rows, header: header, .thorough).count
            if size < least { (least, best) = (size, way) }
        }
        // Compresses the best encoding again instead of keeping every file, so that only one file
        // and its rows take memory.
        let file = try best.write(pixels, rows, header: header, .exhaustive)
        guard file.count > least else { return file }
        return try best.write(pixels, rows, header: header, .thorough)
    }
}

/// A representation of the pixels that can be compressed: palette indices or filtered rows.
private enum PNGRepresentation {
    case indexed(PNGColors)
    case rows(PNGFilteredRows.Choice)

    func write(
        _ pixels: borrowing PNGStraightPixels, _ rows: borrowing PNGPackedRows,
        header: PNGHeader, _ effort: PNGDeflate.Effort
    ) throws(EncodeError) -> [UInt8] {
        switch self {
        case .indexed(let colors):
            try PNGCandidate(pixels, colors: colors, effort: effort).written()
        case .rows(let choice):
            try PNGCandidate(
                rows, header: header, strategy: PNGStrategy(choice: choice, effort: effort)
            ).written()
        }
    }
}

extension PNGHeader {
    /// Describes the smallest colour type without a palette.
    fileprivate init(unindexed pixels: borrowing PNGStraightPixels) {
        self.init(
            size: pixels.size, bitDepth: 8, colorType: pixels.colorType, isInterlaced: false)
    }
}

extension PNGStraightPixels {
    /// The smallest colour type that holds every pixel in whole bytes.
    fileprivate var colorType: PNGHeader.ColorType {
        switch (isGrey, isOpaque) {
        case (true, true): .grey
        case (true, false): .greyAlpha
        case (false, true): .rgb
        case (false, false): .rgba
        }
    }
}

struct PNGWriter: Sendable {
    private(set) var bytes: [UInt8]

    init(header: PNGHeader, capacity: Int) {
        bytes = PNGSignature.bytes
        bytes.reserveCapacity(capacity)
        var body: [UInt8] = []
        Self.append(UInt32(truncatingIfNeeded: header.size.width), to: &body)
        Self.append(UInt32(truncatingIfNeeded: header.size.height), to: &body)
        body += [
            UInt8(truncatingIfNeeded: header.bitDepth), header.colorType.rawValue, 0, 0,
            header.isInterlaced ? 1 : 0,
        ]
        append(PNGChunk.header, body.span)
    }

    mutating func append(_ name: UInt32, _ body: Span<UInt8>) {
        Self.append(UInt32(truncatingIfNeeded: body.count), to: &bytes)
        let begin = bytes.count
        Self.append(name, to: &bytes)
        unsafe body.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        Self.append(CRC32.checksum(bytes.span.extracting(begin...)), to: &bytes)
    }

    /// Appends the palette, and its alphas up to the last one that is not opaque.
    mutating func append(_ palette: [UInt32]) {
        let body = palette.flatMap {
            [
                UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8),
                UInt8(truncatingIfNeeded: $0 >> 16),
            ]
        }
        append(PNGChunk.palette, body.span)
        guard let last = palette.lastIndex(where: { $0 >> 24 != 255 }) else { return }
        let alphas = palette[...last].map { UInt8(truncatingIfNeeded: $0 >> 24) }
        append(PNGChunk.transparency, alphas.span)
    }

    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        for shift: UInt32 in [24, 16, 8, 0] {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}

/// The pixels in PNG's form: straight alpha.
///
/// Premultiplying them restores exactly the original image.
@safe
struct PNGStraightPixels: ~Copyable {
    let size: PixelSize
    /// The pixels, with red in the lowest byte; fully transparent pixels are zero.
    let base: UnsafeMutablePointer<UInt32>
    let isOpaque: Bool
    let isGrey: Bool

    init(_ picture: borrowing PixelBuffer) {
        size = picture.size
        let count = picture.size.area
        unsafe base = .allocate(capacity: count)
        (isOpaque, isGrey) = unsafe picture.withUnsafePixels { [base] source in
            unsafe StraightAlpha.divide(UnsafeRawPointer(source), to: base, count: count)
        }
    }

    deinit {
        unsafe base.deallocate()
    }

    var count: Int { size.area }
}

struct PNGStrategy {
    let choice: PNGFilteredRows.Choice
    let effort: PNGDeflate.Effort

    static let unfiltered = PNGStrategy(choice: .fixed(.none), effort: .thorough)
    static let filtered = PNGStrategy(choice: .smallest, effort: .thorough)

    /// Unfiltered rows with quick compression, for data with long matches: takes a fifth less time
    /// than `unfiltered` and makes files 3 % larger. The files of the measurement were a sixth
    /// smaller than those of libpng.
    private static let unfilteredQuick = PNGStrategy(choice: .fixed(.none), effort: .quick)

    /// Returns the strategy with the smaller estimate.
    ///
    /// The estimates use a quarter of the rows, or all rows if the results are close. Unfiltered
    /// rows win ties: their estimate is slightly too high, and they compress in less than half of
    /// the time.
    static func best(of rows: borrowing PNGPackedRows) -> PNGStrategy {
        var (unfiltered, filtered) = guesses(rows, share: .sample)
        var height = PNGFilteredRows.Share.sample.count(of: rows.height)
        if unfiltered * 25 > filtered * 27, unfiltered * 5 < filtered * 6 {
            (unfiltered, filtered) = guesses(rows, share: .all)
            height = rows.height
        }
        let bytes = height * rows.rowBytes
        guard unfiltered * 25 <= filtered * 27 else { return Self.filtered }
        // Nearly all data is repeated, so the size depends on the match lengths, and quick
        // compression finds only short matches.
        if unfiltered * 8 < bytes * 9 { return Self.unfiltered }
        return unfilteredQuick
    }

    /// Returns the estimated sizes of unfiltered and of filtered rows, from a share of all rows.
    static func guesses(
        _ rows: borrowing PNGPackedRows, share: PNGFilteredRows.Share
    ) -> (unfiltered: Int, filtered: Int) {
        let unfiltered = PNGFilteredRows(rows, choice: .fixed(.none), share: share)
        let filtered = PNGFilteredRows(rows, choice: .smallest, share: share)
        return (unfiltered.guessedSize(), filtered.guessedSize())
    }
}

/// An encoding of an image before compression.
struct PNGCandidate: ~Copyable {
    private let header: PNGHeader
    private let palette: [UInt32]?
    private let rows: PNGFilteredRows
    private let effort: PNGDeflate.Effort

    init(
        _ rows: borrowing PNGPackedRows, header: PNGHeader, strategy: PNGStrategy
    ) {
        self.header = header
        palette = nil
        self.rows = PNGFilteredRows(rows, choice: strategy.choice)
        effort = strategy.effort
    }

    /// Creates an encoding with palette indices in the order of `colors`.
    init(
        _ pixels: borrowing PNGStraightPixels, colors: PNGColors,
        effort: PNGDeflate.Effort = .thorough
    ) {
        header = PNGHeader(indexed: pixels.size, colors: colors.colors.count)
        palette = colors.colors
        let packed = PNGPackedRows(pixels, header: header, colors: colors)
        rows = PNGFilteredRows(packed, choice: .fixed(.none))
        self.effort = effort
    }

    /// Returns an estimate of the size in bits, for comparing encodings of the same image. Reads
    /// all bytes.
    func guessedSize() -> Int {
        12 * (palette?.count ?? 0) + rows.guessedSize()
    }

    /// Compresses the data. Stores the result in `file` if it is smaller or `file` is empty.
    func write(smallest file: inout [UInt8]) throws(EncodeError) {
        let bytes = try written()
        if file.isEmpty || bytes.count < file.count { file = bytes }
    }

    func written() throws(EncodeError) -> [UInt8] {
        let packed = try PNGDeflate.pack(rows, effort: effort)
        var writer = PNGWriter(header: header, capacity: packed.count + 1500)
        if let palette { writer.append(palette) }
        // A chunk holds less than two gigabytes; larger data is split.
        var begin = 0
        while begin < packed.count {
            let end = min(packed.count, begin + 1 << 30)
            writer.append(PNGChunk.imageData, packed.span.extracting(begin..<end))
            begin = end
        }
        writer.append(PNGChunk.end, [UInt8]().span)
        return writer.bytes
    }
}

/// A compressor for the rows of a PNG.
///
/// In a finished emblem, nine of ten bytes are part of matches longer than 16 bytes. A general
/// compressor adds every position inside a match to its search table; `CDeflate` adds only the ends
/// of the match, and works on whole pixels. Compared with libdeflate at level 6, filtered rows of
/// logos become 2 % smaller and those of photographs 0.5 % larger, in half the time. Unfiltered
/// rows become 1 % larger in a third of the time.
enum PNGDeflate {
    enum Effort: Sendable {
        /// For unfiltered rows, whose matches are easy to find.
        case quick
        case thorough
        /// libdeflate at its highest level, which searches for the cheapest matches: 6 % smaller
        /// for small emblems and 9 % for large ones, in a hundred times the time.
        case exhaustive
    }

    /// The zlib header: deflate, a 32 KB window, default compression.
    private static let header: [UInt8] = [0x78, 0x9C]
    private static let checksumBytes = 4
    private static let noMemory = EncodeError.failed(.png, "no memory for compression")
    /// The level of libdeflate for animations.
    private static let patientLevel: Int32 = 9
    private static let exhaustiveLevel: Int32 = 12
    /// The memory of a compressor of libdeflate at its highest level for images of any size. It is
    /// 9,009,552 bytes, rounded up.
    static let exhaustiveBytes = 9 << 20

    static func pack(
        _ rows: borrowing PNGFilteredRows, effort: Effort
    ) throws(EncodeError) -> [UInt8] {
        switch effort {
        case .quick: try pack(rows, EMB_DEFLATE_QUICK)
        case .thorough: try pack(rows, EMB_DEFLATE_THOROUGH)
        case .exhaustive: try packPatiently(rows, level: exhaustiveLevel)
        }
    }

    private static func pack(
        _ rows: borrowing PNGFilteredRows, _ effort: emb_deflate_effort
    ) throws(EncodeError) -> [UInt8] {
        let capacity = header.count + emb_deflate_bound(rows.count) + checksumBytes
        let source = unsafe UnsafeRawPointer(rows.base)
        let shape = emb_deflate_rows(length: rows.filteredRowBytes, step: rows.step)
        let sourceCount = rows.count
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            let size = unsafe emb_deflate(
                source, sourceCount, shape, effort, start + header.count)
            guard size > 0 else { return }
            for (index, byte) in header.enumerated() { unsafe buffer[index] = byte }
            let checksum = unsafe libdeflate_adler32(1, source, sourceCount).bigEndian
            unsafe UnsafeMutableRawPointer(start + header.count + size)
                .storeBytes(of: checksum, as: UInt32.self)
            count = header.count + size + checksumBytes
        }
        guard !bytes.isEmpty else { throw noMemory }
        return bytes
    }

    /// Returns a zlib stream made with libdeflate, for data that is written once and loaded often:
    /// animations become an eighth smaller.
    static func packPatiently(
        _ rows: borrowing PNGFilteredRows, level: Int32 = patientLevel
    ) throws(EncodeError) -> [UInt8] {
        guard let packer = unsafe libdeflate_alloc_compressor(level) else {
            throw noMemory
        }
        defer { unsafe libdeflate_free_compressor(packer) }
        let (source, sourceCount) = unsafe (UnsafeRawPointer(rows.base), rows.count)
        let capacity = unsafe libdeflate_zlib_compress_bound(packer, sourceCount)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = unsafe libdeflate_zlib_compress(
                packer, source, sourceCount, buffer.baseAddress, capacity)
        }
        guard !bytes.isEmpty else { throw noMemory }
        return bytes
    }
}
