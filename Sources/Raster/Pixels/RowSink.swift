/// The horizontal pass: resamples a mixed row, which is a result of the vertical pass, and stores
/// it as pixels.
@safe
struct RowSink: ~Copyable {
    private let columns: FilterTable
    /// The run of input columns for each output column, relative to the first column of a mixed row.
    private let runs: [FilterTable.Run]
    private let values: UnsafeMutablePointer<Int16>

    /// - Parameter start: the first source column of a mixed row; even.
    init(columns: FilterTable, start: Int) {
        self.columns = columns
        runs = columns.runs.map { run in
            FilterTable.Run(start: run.start - start, first: run.first, pairs: run.pairs)
        }
        unsafe values = .allocate(capacity: columns.runs.count * 4)
        unsafe values.initialize(repeating: 0, count: columns.runs.count * 4)
    }

    deinit {
        unsafe values.deallocate()
    }

    /// Resamples a mixed row that is zero outside of `span` and stores it in row `row` of `target`.
    func take<Kernel: ResampleKernel>(
        _ kernel: Kernel.Type, _ mixed: UnsafePointer<Int16>, visible span: Range<Int>, row: Int,
        into target: inout PixelBuffer
    ) {
        let width = target.width
        let shown = outputs(of: span)
        unsafe runs.withUnsafeBufferPointer { runs in
            unsafe columns.weights.withUnsafeBufferPointer { weights in
                guard let runs = runs.baseAddress, let weights = weights.baseAddress else { return }
                unsafe kernel.gather(
                    row: mixed, runs: runs + shown.lowerBound, weights: weights,
                    shift: Int32(columns.bits), into: values, count: shown.count)
            }
        }
        unsafe target.withUnsafeMutablePixels { bytes in
            let pixels = unsafe bytes + row * width * 4
            let first = unsafe pixels + shown.lowerBound * 4
            unsafe pixels.update(repeating: 0, count: shown.lowerBound * 4)
            unsafe kernel.store(values: values, into: first, count: shown.count)
            unsafe (pixels + shown.upperBound * 4).update(
                repeating: 0, count: (width - shown.upperBound) * 4)
        }
    }

    /// Returns the outputs that have an input within `span`.
    private func outputs(of span: Range<Int>) -> Range<Int> {
        var (start, end) = (0, runs.count)
        while start < end, runs[start].start + runs[start].pairs * 2 <= span.lowerBound {
            start += 1
        }
        while end > start, runs[end - 1].start >= span.upperBound { end -= 1 }
        return span.isEmpty ? 0..<0 : start..<end
    }
}
