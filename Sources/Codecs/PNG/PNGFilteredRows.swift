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
    }

    let choice: Choice
    let count: Int
    let base: UnsafeMutableRawPointer

    init(
        _ rows: borrowing PNGPackedRows, choice: Choice, share: Share = .all,
        kernel: KernelChoice = .best
    ) {
        self.choice = choice
        let line = rows.rowBytes + 1
        let chosen = (0..<rows.height).lazy.filter(share.includes)
        count = line * chosen.count
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
    /// others cost what a pixel of literals does.
    func guessedSize(step: Int) -> Int {
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 4096) { seen in
            unsafe seen.initialize(repeating: 0)
            var known = 0
            var new = 0
            var offset = 1
            var last: UInt32 = 0
            while offset &+ 4 <= count {
                let group = unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                if group == last, offset > step {
                    // What repeats was just seen, up to the end of the run.
                    let groups = runLength(at: offset, step: step)
                    known &+= groups
                    offset &+= groups &* step
                    continue
                }
                last = group
                let slot = Int((group &* 0x9E37_79B1) &>> 20)
                // An empty slot looks like four zeros, which are never new.
                let isKnown = unsafe seen[slot] == group
                unsafe seen[slot] = group
                known &+= isKnown ? 1 : 0
                new &+= isKnown ? 0 : 1
                offset &+= step
            }
            return known + new * step * 6
        }
    }

    /// How many groups from `offset` on are like the one `step` bytes before; the first one is.
    @inline(__always)
    private func runLength(at offset: Int, step: Int) -> Int {
        var end = offset &+ 4
        while end &+ 8 <= count,
            unsafe base.loadUnaligned(fromByteOffset: end, as: UInt64.self)
                == base.loadUnaligned(fromByteOffset: end &- step, as: UInt64.self)
        {
            end &+= 8
        }
        let length = end &- offset &- 4
        return length == 0 ? 1 : length / step &+ 1
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
