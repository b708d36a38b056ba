import Raster

/// The image data of a PNG before compression: filter byte and differences of each row.
@safe
struct PNGFilteredRows: ~Copyable {
    /// How the filter of a row is found.
    enum Choice: Hashable, Sendable {
        /// One for all rows.
        case fixed(PNGFilter)
        /// The one whose differences are smallest in sum.
        case smallest
    }

    /// Which rows are there.
    enum Share: Sendable {
        case all
        /// Two of each eight.
        case sample

        func includes(_ row: Int) -> Bool { self == .all || row & 7 < 2 }

        /// So many of the first `height` rows.
        func count(of height: Int) -> Int {
            self == .all ? height : height / 8 * 2 + min(height % 8, 2)
        }
    }

    let count: Int
    /// A row with the byte of its filter.
    let line: Int
    /// Of a pixel, or 1 where it is less than a byte.
    let step: Int
    let base: UnsafeMutableRawPointer

    init(
        _ rows: borrowing PNGPackedRows, choice: Choice, share: Share = .all,
        kernel: KernelChoice = .best
    ) {
        line = rows.rowBytes + 1
        step = rows.step
        let chosen = (0..<rows.height).lazy.filter(share.includes)
        count = line * share.count(of: rows.height)
        unsafe base = .allocate(byteCount: count + PNGFilter.slack, alignment: 16)
        var target = unsafe base
        switch choice {
        case .fixed(let filter):
            for row in chosen {
                unsafe target.storeBytes(of: filter.rawValue, as: UInt8.self)
                unsafe filter.apply(
                    rows.row(row), above: rows.row(row - 1), result: target + 1,
                    count: rows.rowBytes, step: rows.step, kernel: kernel)
                unsafe target += line
            }
        case .smallest:
            let scratch = UnsafeMutableRawPointer.allocate(
                byteCount: rows.rowBytes + PNGFilter.slack, alignment: 16)
            defer { unsafe scratch.deallocate() }
            for row in chosen {
                unsafe Self.filterSmallest(
                    rows, row: row, scratch: scratch, kernel: kernel, to: target)
                unsafe target += line
            }
        }
    }

    deinit {
        unsafe base.deallocate()
    }

    private static func filterSmallest(
        _ rows: borrowing PNGPackedRows, row: Int, scratch: UnsafeMutableRawPointer,
        kernel: KernelChoice, to target: UnsafeMutableRawPointer
    ) {
        let source = unsafe rows.row(row)
        let above = unsafe rows.row(row - 1)
        let filter = unsafe PNGFilter.smallest(
            source, above: above, scratch: scratch, count: rows.rowBytes, step: rows.step,
            kernel: kernel)
        unsafe target.storeBytes(of: filter.rawValue, as: UInt8.self)
        unsafe filter.apply(
            source, above: above, result: target + 1, count: rows.rowBytes, step: rows.step,
            kernel: kernel)
    }
}
