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

    let choice: Choice
    let count: Int
    let base: UnsafeMutableRawPointer

    init(_ rows: borrowing PNGPackedRows, choice: Choice) {
        self.choice = choice
        let line = rows.rowBytes + 1
        count = line * rows.height
        unsafe base = .allocate(byteCount: count + PNGFilter.slack, alignment: 16)
        switch choice {
        case .fixed(let filter):
            for row in 0..<rows.height {
                let target = unsafe base + row * line
                unsafe target.storeBytes(of: filter.rawValue, as: UInt8.self)
                unsafe filter.apply(
                    rows.row(row), above: rows.row(row - 1), result: target + 1,
                    count: rows.rowBytes, step: rows.step)
            }
        case .smallest:
            let scratch = UnsafeMutableRawPointer.allocate(
                byteCount: rows.rowBytes + PNGFilter.slack, alignment: 16)
            defer { unsafe scratch.deallocate() }
            for row in 0..<rows.height {
                unsafe Self.filterSmallest(
                    rows, row: row, scratch: scratch, to: base + row * line)
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
        var seen = [UInt32](repeating: 0, count: 4096)
        var known = 0
        var new = 0
        unsafe seen.withUnsafeMutableBufferPointer { [base, count] seen in
            var offset = 1
            while offset &+ 4 <= count {
                let group = unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                let slot = Int((group &* 0x9E37_79B1) &>> 20)
                // An empty slot looks like four zeros, which are never new.
                if unsafe seen[slot] == group {
                    known &+= 1
                } else {
                    unsafe seen[slot] = group
                    new &+= 1
                }
                offset &+= step
            }
        }
        return known + new * step * 6
    }

    private static func filterSmallest(
        _ rows: borrowing PNGPackedRows, row: Int, scratch: UnsafeMutableRawPointer,
        to target: UnsafeMutableRawPointer
    ) {
        let source = unsafe rows.row(row)
        let above = unsafe rows.row(row - 1)
        var smallest = Int.max
        for filter in PNGFilter.allCases {
            // What is tried lies in the scratch row unless it is the best so far.
            unsafe filter.apply(
                source, above: above, result: scratch, count: rows.rowBytes, step: rows.step)
            let magnitude = unsafe PNGFilter.magnitude(scratch, count: rows.rowBytes)
            if magnitude < smallest {
                smallest = magnitude
                unsafe target.storeBytes(of: filter.rawValue, as: UInt8.self)
                unsafe (target + 1).copyMemory(from: scratch, byteCount: rows.rowBytes)
            }
        }
    }
}
