/// The vertical pass: mixes rows of a picture into one row of 16-bit values, for one output after the
/// other.
protocol RowMixer: ~Copyable {
    /// Mixes the rows of `run` within `columns` into `mixed`, which begins at the first column.
    ///
    /// Up to fifteen columns before these may be written as well: nothing is visible there.
    @unsafe
    mutating func mix(
        _ run: FilterTable.Run, columns: Range<Int>, into mixed: UnsafeMutablePointer<Int16>)
}

/// The rows of a picture from one of its columns on.
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

    /// A row; past the last one, where weights are zero, the last one.
    func line(_ row: Int) -> UnsafePointer<UInt8> {
        unsafe first + min(row, last) * stride
    }
}

/// Mixes rows straight from the picture.
@safe
struct LineMixer<Kernel: ResampleKernel>: ~Copyable, RowMixer {
    private let source: SourceLines
    private let rows: FilterTable
    private let lines: UnsafeMutablePointer<UnsafePointer<UInt8>>

    init(_ source: SourceLines, _ rows: FilterTable) {
        self.source = source
        self.rows = rows
        unsafe lines = .allocate(capacity: max(1, rows.longestRun * 2))
    }

    deinit {
        unsafe lines.deallocate()
    }

    mutating func mix(
        _ run: FilterTable.Run, columns: Range<Int>, into mixed: UnsafeMutablePointer<Int16>
    ) {
        for line in 0..<(run.pairs * 2) {
            unsafe (lines + line).initialize(
                to: source.line(run.start + line) + columns.lowerBound * 4)
        }
        unsafe rows.weights.withUnsafeBufferPointer { weights in
            guard let weights = weights.baseAddress else { return }
            unsafe Kernel.blend(
                pixels: lines, weights: weights + run.first, pairs: run.pairs,
                shift: Int32(rows.bits - 6), into: mixed + columns.lowerBound * 4,
                count: columns.count)
        }
    }
}
