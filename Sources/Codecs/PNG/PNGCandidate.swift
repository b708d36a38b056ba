import Raster

/// One way of writing a picture, everything but compressed.
struct PNGCandidate: ~Copyable {
    private let header: PNGHeader
    private let palette: [UInt32]?
    private let rows: PNGFilteredRows
    private let effort: PNGDeflate.Effort

    /// Samples in one of the ways.
    init(
        _ rows: borrowing PNGPackedRows, header: PNGHeader, way: PNGStrategy,
        kernel: KernelChoice = .best
    ) {
        self.header = header
        palette = nil
        self.rows = PNGFilteredRows(rows, choice: way.choice, kernel: kernel)
        effort = way.effort
    }

    /// Indices into a palette.
    init(_ pixels: borrowing PNGStraightPixels, colors: PNGColors) {
        var colors = colors
        colors.sort()
        header = PNGHeader(indexed: pixels.size, colors: colors.colors.count)
        palette = colors.colors
        let packed = PNGPackedRows(pixels, header: header, colors: colors)
        rows = PNGFilteredRows(packed, choice: .fixed(.none))
        effort = .thorough
    }

    /// Comparable with that of other drafts of the same picture; walks over all the bytes.
    func guessedSize() -> Int {
        12 * (palette?.count ?? 0) + rows.guessedSize()
    }

    /// Compresses the draft, and keeps the result when it is smaller than `file` or the first.
    func write(smallest file: inout [UInt8]) throws(EncodeError) {
        let bytes = try written()
        if file.isEmpty || bytes.count < file.count { file = bytes }
    }

    private func written() throws(EncodeError) -> [UInt8] {
        let packed = try PNGDeflate.pack(rows, effort: effort)
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
