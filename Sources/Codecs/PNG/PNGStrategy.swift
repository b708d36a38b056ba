import CDeflate
import CLibDeflate
import Raster

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
    static func best(of rows: borrowing PNGPackedRows, kernel: KernelChoice) -> PNGStrategy {
        var (unfiltered, filtered) = guesses(rows, share: .sample, kernel: kernel)
        var height = PNGFilteredRows.Share.sample.count(of: rows.height)
        if unfiltered * 25 > filtered * 27, unfiltered * 5 < filtered * 6 {
            (unfiltered, filtered) = guesses(rows, share: .all, kernel: kernel)
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
        _ rows: borrowing PNGPackedRows, share: PNGFilteredRows.Share, kernel: KernelChoice
    ) -> (unfiltered: Int, filtered: Int) {
        let unfiltered = PNGFilteredRows(rows, choice: .fixed(.none), share: share)
        let filtered = PNGFilteredRows(rows, choice: .smallest, share: share, kernel: kernel)
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
        _ rows: borrowing PNGPackedRows, header: PNGHeader, strategy: PNGStrategy,
        kernel: KernelChoice = .best
    ) {
        self.header = header
        palette = nil
        self.rows = PNGFilteredRows(rows, choice: strategy.choice, kernel: kernel)
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
