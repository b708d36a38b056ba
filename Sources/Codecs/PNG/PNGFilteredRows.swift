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

extension PNGFilteredRows {
    /// A guess at the packed size in bits, good for comparing two ways of writing a picture.
    ///
    /// Four bytes that were seen before cost little, since they will be part of a match; what a
    /// pixel of others costs, their counts say. Whether they were is noted without a branch: half of
    /// the answers would be guessed wrong.
    func guessedSize() -> Int {
        let slots = 4096
        let most = 1024
        let room = slots + most + LiteralCounts.room
        return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: room) { memory in
            guard let seen = memory.baseAddress, count > 4 else { return 0 }
            // An empty slot looks like four zeros, which cost next to nothing either.
            unsafe seen.initialize(repeating: 0, count: room)
            let fresh = unsafe seen + slots
            var literals = unsafe LiteralCounts(zeros: fresh + most)
            var known = 0
            var offset = 1
            while offset &+ 4 <= count {
                let groups = min(most, (count &- 4 &- offset) / step &+ 1)
                var new = 0
                // By hand: a stride of unknown step is three times as slow.
                for _ in 0..<groups {
                    let group = unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                    let slot = unsafe seen + Int((group &* 0x9E37_79B1) &>> 20)
                    unsafe fresh[new] = group
                    new &+= unsafe slot.pointee == group ? 0 : 1
                    unsafe slot.pointee = group
                    offset &+= step
                }
                known &+= groups &- new
                for index in 0..<new { unsafe literals.add(fresh[index], bytes: step) }
            }
            return 3 * known + literals.bits
        }
    }
}

/// How often each byte stands for itself in a stream. As an array in line the counts would be
/// copied with each group.
@safe
private struct LiteralCounts {
    static let room = 256

    private let counts: UnsafeMutablePointer<UInt32>
    private var total = 0

    @unsafe
    init(zeros: UnsafeMutablePointer<UInt32>) {
        unsafe counts = zeros
    }

    /// Adds the first bytes of a group, at most all four.
    mutating func add(_ group: UInt32, bytes: Int) {
        var group = group
        for _ in 0..<min(bytes, 4) {
            unsafe counts[Int(group & 0xFF)] &+= 1
            group &>>= 8
        }
        total &+= min(bytes, 4)
    }

    /// What codes of the best lengths would take.
    var bits: Int {
        let whole = Self.log2(total)
        var sum = 0
        for value in 0..<Self.room {
            let count = unsafe Int(counts[value])
            sum += count * (whole - Self.log2(count))
        }
        return sum / 256
    }

    /// In 256ths, by chords: the same on each processor.
    private static func log2(_ number: Int) -> Int {
        guard number > 0 else { return 0 }
        let exponent = Int.bitWidth - 1 - number.leadingZeroBitCount
        return exponent * 256 + ((number - 1 << exponent) * 256) >> exponent
    }
}
