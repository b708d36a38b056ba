import Raster

/// One way of writing a picture, everything but compressed.
struct PNGDraft: ~Copyable {
    private let header: PNGHeader
    private let palette: [UInt32]?
    private let rows: PNGFilteredRows
    /// Flat colours left unfiltered, whose matches are long.
    private let isFlat: Bool

    /// Samples as they are.
    init(header: PNGHeader, rows: consuming PNGFilteredRows, isFlat: Bool = false) {
        self.header = header
        palette = nil
        self.rows = rows
        self.isFlat = isFlat
    }

    /// Indices into a palette.
    init(_ pixels: borrowing PNGStraightPixels, colors: PNGColors) {
        var colors = colors
        colors.sort()
        let count = colors.colors.count
        let depth = count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8
        header = PNGHeader(
            size: pixels.size, bitDepth: depth, colorType: .palette, isInterlaced: false)
        palette = colors.colors
        let packed = PNGPackedRows(pixels, header: header, colors: colors)
        rows = PNGFilteredRows(packed, choice: .fixed(.none))
        isFlat = false
    }

    /// Comparable with that of other drafts of the same picture; walks over all the bytes.
    func guessedSize() -> Int {
        guard let palette else { return rows.guessedSize(step: header.filterStep) }
        return rows.guessedSize(step: 1) + 12 * palette.count
    }

    /// Compresses the draft, and keeps the result when it is smaller than `file` or the first.
    func write(smallest file: inout [UInt8]) throws(EncodeError) {
        let bytes = try written()
        if file.isEmpty || bytes.count < file.count { file = bytes }
    }

    /// libdeflate's level. With one less some smooth pictures come out larger than libpng's, and
    /// the next one takes half as much time again to save half a percent.
    private static let level: Int32 = 6

    /// The level for slow shades, whose differences repeat in short runs: there six comes out up
    /// to a sixth larger than libpng's, and searching longer costs next to nothing.
    private static let smoothLevel: Int32 = 7

    /// The level for flat colours left unfiltered: three fifths of the time are saved and five
    /// percent lost, of files a sixth smaller than libpng's.
    private static let flatLevel: Int32 = 1

    /// Nearly every difference was seen before.
    private var isSmooth: Bool {
        rows.choice == .smallest && guessedSize() < 3 * header.size.area
    }

    private func written() throws(EncodeError) -> [UInt8] {
        let packed = unsafe PNGDeflate.pack(
            UnsafeRawBufferPointer(start: rows.base, count: rows.count),
            level: isSmooth ? Self.smoothLevel : isFlat ? Self.flatLevel : Self.level)
        guard let packed else { throw .failed(.png, "no memory for compression") }
        var writer = PNGWriter(header: header, capacity: packed.count + 1500)
        if let palette { writer.append(palette) }
        // A chunk holds less than two gigabytes; pieces of one are as good as the whole.
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
