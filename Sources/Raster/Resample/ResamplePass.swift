/// One resampling of one picture: the tables of both axes, and the pass over the rows.
///
/// The vertical pass mixes rows straight from the source, and the horizontal pass resamples each
/// mixed row. The source is never copied.
struct ResamplePass {
    let columns: FilterTable
    let rows: FilterTable

    init(source: Shrinkage, target: PixelSize, window: PixelRect) {
        let across = FilterAxis(
            source: source.whole.width, target: target.width, stored: source.block,
            halvings: source.halvings.across)
        let down = FilterAxis(
            source: source.whole.height, target: target.height, stored: source.block,
            halvings: source.halvings.down)
        columns = FilterCache.table(
            FilterCache.Key(
                axis: across, window: window.x..<(window.x + window.width), bitsLimit: 14,
                evenStarts: true))
        rows = FilterCache.table(
            FilterCache.Key(
                axis: down, window: window.y..<(window.y + window.height), bitsLimit: 18,
                evenStarts: false))
    }

    /// The source columns that are read; begins at an even column, because pairs of pixels are
    /// interleaved.
    private var sourceColumns: Range<Int> {
        (columns.inputs.lowerBound & ~1)..<columns.inputs.upperBound
    }

    func run<Kernel: ResampleKernel>(
        _ kernel: Kernel.Type, from source: borrowing PixelBuffer, into target: inout PixelBuffer
    ) {
        let (start, count) = (sourceColumns.lowerBound, sourceColumns.count)
        let spans =
            source.isOpaque
            ? nil : RowSpans(of: source, columns: start..<(start + count), rows: rows.inputs)
        let visible = spans?.union(rows.inputs, count: count) ?? 0..<count
        unsafe source.withUnsafePixels { bytes in
            let lines = unsafe SourceLines(
                first: bytes + start * 4, stride: source.bytesPerRow, last: source.height - 1)
            #if arch(x86_64)
                if kernel.usesInterleavedMixer,
                    let mixer = InterleavedMixer(lines, rows, columns: visible)
                {
                    mix(kernel, mixer, spans, columns: count, into: &target)
                    return
                }
            #endif
            mix(kernel, DirectMixer<Kernel>(lines, rows), spans, columns: count, into: &target)
        }
    }

    private func mix<Kernel: ResampleKernel, Mixer: RowMixer & ~Copyable>(
        _ kernel: Kernel.Type, _ mixer: consuming Mixer, _ spans: RowSpans?, columns count: Int,
        into target: inout PixelBuffer
    ) {
        let length = (count + 1) / 2 * 8
        let mixed = UnsafeMutablePointer<Int16>.allocate(capacity: length)
        unsafe mixed.initialize(repeating: 0, count: length)
        defer { unsafe mixed.deallocate() }
        let sink = RowSink(columns: columns, start: sourceColumns.lowerBound)
        var filled = 0..<0
        for (index, run) in rows.runs.enumerated() {
            let span = spans?.union(run.start..<(run.start + run.pairs * 2), count: count)
            let shown = span ?? 0..<count
            unsafe mixer.mix(run, columns: shown, into: mixed)
            unsafe Self.clear(mixed, filled, but: shown)
            filled = shown
            unsafe sink.take(kernel, mixed, visible: shown, row: index, into: &target)
        }
    }

    /// Clears the part of a mixed row that was filled for the previous row and is not filled now.
    /// Pixels are stored in pairs; the second pixel of an incomplete last pair is always zero.
    private static func clear(
        _ mixed: UnsafeMutablePointer<Int16>, _ filled: Range<Int>, but span: Range<Int>
    ) {
        let before =
            filled.lowerBound..<max(filled.lowerBound, min(filled.upperBound, span.lowerBound))
        let after =
            min(filled.upperBound, max(filled.lowerBound, span.upperBound))..<filled.upperBound
        for stale in [before, after] where !stale.isEmpty {
            let end = (stale.upperBound + 1) / 2 * 8
            unsafe (mixed + stale.lowerBound * 4).update(
                repeating: 0, count: end - stale.lowerBound * 4)
        }
    }
}
