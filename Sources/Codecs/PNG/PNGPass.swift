import Raster

/// One of the reduced pictures an interlaced PNG consists of, or the whole of a plain one.
struct PNGPass: Hashable, Sendable {
    /// Columns and rows of this pass; never empty.
    var size: PixelSize
    var firstColumn: Int
    var firstRow: Int
    var columnStep: Int
    var rowStep: Int

    /// The passes that have pixels, in the order of the file.
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

    /// First column, first row, step of columns, step of rows.
    private static let adam7 = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
    ]
}
