import Raster

/// PNG image data before compression: the filter byte and the differences of each row.
@safe
struct PNGFilteredRows: ~Copyable {
    enum Choice: Hashable, Sendable {
        case fixed(PNGFilter)
        /// For each row the filter with the smallest sum of differences.
        case smallest
        /// For each row the filter with the fewest different pairs of adjacent bytes. Slower, and
        /// often better for logos.
        case fewestPairs
    }

    enum Share: Sendable {
        case all
        /// Two of every eight rows.
        case sample
        /// Two of every 32 rows.
        case sparse

        private var period: Int {
            switch self {
            case .all: 2
            case .sample: 8
            case .sparse: 32
            }
        }

        func includes(_ row: Int) -> Bool { row % period < 2 }

        /// Returns the number of included rows among the first `height`.
        func count(of height: Int) -> Int { height / period * 2 + min(height % period, 2) }
    }

    let count: Int
    /// The bytes of a row, with its filter byte.
    let filteredRowBytes: Int
    /// The bytes of a pixel, or 1 if a pixel is smaller than a byte.
    let step: Int
    let base: UnsafeMutableRawPointer

    init(
        _ rows: borrowing PNGPackedRows, choice: Choice, share: Share = .all,
        kernel: KernelChoice = .best
    ) {
        filteredRowBytes = rows.rowBytes + 1
        step = rows.step
        let chosen = (0..<rows.height).lazy.filter(share.includes)
        count = filteredRowBytes * share.count(of: rows.height)
        unsafe base = .allocate(byteCount: count + PNGFilter.slack, alignment: 16)
        var target = unsafe base
        switch choice {
        case .fixed(let filter):
            for row in chosen {
                unsafe target.storeBytes(of: filter.rawValue, as: UInt8.self)
                unsafe filter.apply(
                    rows.row(row), above: rows.row(row - 1), result: target + 1,
                    count: rows.rowBytes, step: rows.step, kernel: kernel)
                unsafe target += filteredRowBytes
            }
        case .smallest, .fewestPairs:
            let scratch = UnsafeMutableRawPointer.allocate(
                byteCount: rows.rowBytes + PNGFilter.slack, alignment: 16)
            defer { unsafe scratch.deallocate() }
            for row in chosen {
                unsafe Self.filter(
                    rows, row: row, choice, scratch: scratch, kernel: kernel, to: target)
                unsafe target += filteredRowBytes
            }
        }
    }

    deinit {
        unsafe base.deallocate()
    }

    private static func filter(
        _ rows: borrowing PNGPackedRows, row: Int, _ choice: Choice,
        scratch: UnsafeMutableRawPointer, kernel: KernelChoice, to target: UnsafeMutableRawPointer
    ) {
        let source = unsafe rows.row(row)
        let above = unsafe rows.row(row - 1)
        let filter =
            unsafe choice == .fewestPairs
            ? PNGFilter.withFewestPairs(
                source, above: above, scratch: scratch, count: rows.rowBytes, step: rows.step,
                kernel: kernel)
            : PNGFilter.smallest(
                source, above: above, scratch: scratch, count: rows.rowBytes, step: rows.step,
                kernel: kernel)
        unsafe target.storeBytes(of: filter.rawValue, as: UInt8.self)
        unsafe filter.apply(
            source, above: above, result: target + 1, count: rows.rowBytes, step: rows.step,
            kernel: kernel)
    }
}

extension PNGFilteredRows {
    /// Returns an estimate of the compressed size in bits, for comparing encodings of the same
    /// image.
    ///
    /// Groups of four bytes that occurred before cost little, because they become part of a match.
    /// The cost of a new group is derived from the byte counts. The test for earlier groups has no
    /// branch, because half of the branches would be mispredicted.
    func guessedSize() -> Int {
        let slots = 4096
        let most = 1024
        let room = slots + most + LiteralCounts.valueCount
        return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: room) { memory in
            guard let seen = memory.baseAddress, count > 4 else { return 0 }
            // An empty slot equals a group of four zeros, which also costs almost nothing.
            unsafe seen.initialize(repeating: 0, count: room)
            let fresh = unsafe seen + slots
            var literals = unsafe LiteralCounts(zeros: fresh + most)
            var known = 0
            var offset = 1
            while offset &+ 4 <= count {
                let groups = min(most, (count &- 4 &- offset) / step &+ 1)
                var new = 0
                // Adds `step` to the offset itself, because `stride` with a variable step takes
                // three times as long.
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

/// The count of each byte among the literals. The counts are in a borrowed buffer, because an
/// inline array would be copied for each group.
@safe
private struct LiteralCounts {
    static let valueCount = 256

    private let counts: UnsafeMutablePointer<UInt32>
    private var total = 0

    @unsafe
    init(zeros: UnsafeMutablePointer<UInt32>) {
        unsafe counts = zeros
    }

    /// Adds the first `bytes` bytes of a group, at most four.
    mutating func add(_ group: UInt32, bytes: Int) {
        var group = group
        for _ in 0..<min(bytes, 4) {
            unsafe counts[Int(group & 0xFF)] &+= 1
            group &>>= 8
        }
        total &+= min(bytes, 4)
    }

    /// The size in bits with optimal code lengths.
    var bits: Int {
        let whole = Self.log2(total)
        var sum = 0
        for value in 0..<Self.valueCount {
            let count = unsafe Int(counts[value])
            sum += count * (whole - Self.log2(count))
        }
        return sum / 256
    }

    /// Returns the logarithm in 256ths by linear interpolation, the same on every processor.
    private static func log2(_ number: Int) -> Int {
        guard number > 0 else { return 0 }
        let exponent = Int.bitWidth - 1 - number.leadingZeroBitCount
        return exponent * 256 + ((number - 1 << exponent) * 256) >> exponent
    }
}
