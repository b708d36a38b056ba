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
    let base: UnsafeMutableRawPointer

    init(
        _ rows: borrowing PNGPackedRows, choice: Choice, share: Share = .all,
        kernel: KernelChoice = .best
    ) {
        let line = rows.rowBytes + 1
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
                    count: rows.rowBytes, step: rows.step)
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

    /// A guess at the packed size, good for comparing two ways of writing a picture.
    ///
    /// Four bytes that were seen before cost next to nothing, since they will be part of a match;
    /// others cost what a pixel of literals does. Whether they were is counted without a branch:
    /// half of the answers would be guessed wrong.
    func guessedSize(step: Int) -> Int {
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 4096) { seen in
            guard let seen = seen.baseAddress, count > 4 else { return 0 }
            // An empty slot looks like four zeros, which cost nothing either.
            unsafe seen.initialize(repeating: 0, count: 4096)
            var known = 0
            // By hand: a stride of unknown step is three times as slow.
            var offset = 1
            while offset &+ 4 <= count {
                let group = unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                let slot = unsafe seen + Int((group &* 0x9E37_79B1) &>> 20)
                known &+= unsafe slot.pointee == group ? 1 : 0
                unsafe slot.pointee = group
                offset &+= step
            }
            let new = (count &- 5) / step &+ 1 &- known
            return known + new * step * 6
        }
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
            source, above: above, result: target + 1, count: rows.rowBytes, step: rows.step)
    }
}
