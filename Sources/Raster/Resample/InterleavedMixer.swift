#if arch(x86_64)
    import CKernels

    /// Mixes rows that are interleaved in groups of four (`emb_weave_rows_avx512`): each 32-bit
    /// word holds the same byte of four rows, as AVX-512 VNNI multiplies them.
    ///
    /// An output reads about two dozen rows, most of which the next outputs read as well, so
    /// interleaving each group once saves unpacking. It also avoids cache conflicts: a picture's
    /// rows are often 2,048 or 4,096 bytes apart, and the first-level cache holds only eight such
    /// rows.
    @safe
    struct InterleavedMixer: ~Copyable, RowMixer {
        private let source: SourceLines
        private let rows: FilterTable
        private let columns: Range<Int>
        private let groupBytes: Int
        /// A ring buffer of interleaved groups, as many as the longest run reads: group `n` is in
        /// slot `n % slotCount`. `groupInSlot`, `rowPointers` and `weights` share this allocation.
        private let ring: UnsafeMutableRawPointer
        /// The number of groups that the ring holds.
        private let slotCount: Int
        /// The group that each slot of the ring holds; -1 for an empty slot.
        private let groupInSlot: UnsafeMutablePointer<Int>
        private let rowPointers: UnsafeMutablePointer<UnsafePointer<UInt8>>
        private let weights: UnsafeMutablePointer<emb_split_weight>

        private static let blockPixels = 16
        private static let blockBytes = 256
        private static let alignment = 64
        /// The maximum size of the ring in bytes. If a picture needs more, its rows are not
        /// interleaved.
        private static let ringLimit = 2 << 20

        /// - Parameter columns: the columns to interleave; all other columns are transparent.
        init?(_ source: SourceLines, _ rows: FilterTable, columns: Range<Int>) {
            let start = columns.lowerBound / Self.blockPixels * Self.blockPixels
            let blocks = (columns.upperBound - start + Self.blockPixels - 1) / Self.blockPixels
            let fours = max(1, (rows.longestRun * 2 + 6) / 4)
            // One extra block keeps the groups from competing for the same cache sets.
            let bytes = (blocks + 1) * Self.blockBytes
            guard bytes.saturating(times: fours) <= Self.ringLimit,
                Int(rows.largestWeight) <= EMB_SPLIT_LIMIT
            else { return nil }
            self.source = source
            self.rows = rows
            self.columns = start..<columns.upperBound
            groupBytes = bytes
            slotCount = fours
            // Eight bytes each: group numbers, row pointers (at least four, for `interleave`) and
            // weights.
            let words = fours + max(4, fours) + fours
            unsafe ring = .allocate(
                byteCount: bytes * fours + words * 8, alignment: Self.alignment)
            let rest = unsafe ring + bytes * fours
            unsafe groupInSlot = rest.bindMemory(to: Int.self, capacity: fours)
            unsafe groupInSlot.initialize(repeating: -1, count: fours)
            unsafe weights = (rest + fours * 8).bindMemory(
                to: emb_split_weight.self, capacity: fours)
            unsafe rowPointers = (rest + fours * 16).bindMemory(
                to: UnsafePointer<UInt8>.self, capacity: max(4, fours))
        }

        deinit {
            unsafe ring.deallocate()
        }

        mutating func mix(
            _ run: FilterTable.Run, columns shown: Range<Int>,
            into mixed: UnsafeMutablePointer<Int16>
        ) {
            guard !shown.isEmpty else { return }
            let first = run.start / 4
            let count = unsafe rows.weights.withUnsafeBufferPointer { words in
                guard let words = words.baseAddress else { return 0 }
                return unsafe emb_split_weights(
                    words + run.first, run.pairs, run.start % 4, weights)
            }
            for four in first..<(first + count) { interleave(four) }
            let start = shown.lowerBound / Self.blockPixels * Self.blockPixels
            let offset = (start - columns.lowerBound) / Self.blockPixels * Self.blockBytes
            for index in 0..<count {
                let line = unsafe slot(of: first + index) + offset
                unsafe (rowPointers + index).initialize(
                    to: UnsafePointer(line.assumingMemoryBound(to: UInt8.self)))
            }
            unsafe emb_blend_woven_avx512(
                rowPointers, weights, count, Int32(rows.bits - 6), mixed + start * 4,
                shown.upperBound - start)
        }

        private func slot(of four: Int) -> UnsafeMutableRawPointer {
            unsafe ring + four % slotCount * groupBytes
        }

        /// Interleaves a group of four rows unless the ring holds it.
        private mutating func interleave(_ four: Int) {
            guard unsafe groupInSlot[four % slotCount] != four else { return }
            unsafe groupInSlot[four % slotCount] = four
            for line in 0..<4 {
                unsafe (rowPointers + line).initialize(
                    to: source.line(four * 4 + line) + columns.lowerBound * 4)
            }
            let interleaved = unsafe slot(of: four).assumingMemoryBound(to: UInt8.self)
            unsafe emb_weave_rows_avx512(rowPointers, interleaved, columns.count)
        }
    }
#endif

/// The vertical pass: mixes rows of a picture into one row of 16-bit values per output, in order.
protocol RowMixer: ~Copyable {
    /// Mixes the rows of `run` within `columns` into `mixed`, which holds a row from column 0 on.
    ///
    /// Up to fifteen transparent columns before `columns` may be written as well.
    @unsafe
    mutating func mix(
        _ run: FilterTable.Run, columns: Range<Int>, into mixed: UnsafeMutablePointer<Int16>)
}

/// The rows of the source, each from its first needed column on.
@safe
struct SourceLines {
    private let first: UnsafePointer<UInt8>
    private let stride: Int
    private let last: Int

    @unsafe
    init(first: UnsafePointer<UInt8>, stride: Int, last: Int) {
        unsafe self.first = first
        self.stride = stride
        self.last = last
    }

    /// Returns row `row`; past the last row, where all weights are zero, returns the last row.
    func line(_ row: Int) -> UnsafePointer<UInt8> {
        unsafe first + min(row, last) * stride
    }
}

/// Mixes rows straight from the source, without interleaving.
@safe
struct DirectMixer<Kernel: ResampleKernel>: ~Copyable, RowMixer {
    private let source: SourceLines
    private let rows: FilterTable
    private let rowPointers: UnsafeMutablePointer<UnsafePointer<UInt8>>

    init(_ source: SourceLines, _ rows: FilterTable) {
        self.source = source
        self.rows = rows
        unsafe rowPointers = .allocate(capacity: max(1, rows.longestRun * 2))
    }

    deinit {
        unsafe rowPointers.deallocate()
    }

    mutating func mix(
        _ run: FilterTable.Run, columns: Range<Int>, into mixed: UnsafeMutablePointer<Int16>
    ) {
        for line in 0..<(run.pairs * 2) {
            unsafe (rowPointers + line).initialize(
                to: source.line(run.start + line) + columns.lowerBound * 4)
        }
        unsafe rows.weights.withUnsafeBufferPointer { weights in
            guard let weights = weights.baseAddress else { return }
            unsafe Kernel.blend(
                pixels: rowPointers, weights: weights + run.first, pairs: run.pairs,
                shift: Int32(rows.bits - 6), into: mixed + columns.lowerBound * 4,
                count: columns.count)
        }
    }
}
