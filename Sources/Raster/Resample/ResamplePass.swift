/// One resampling of one picture: the tables of both axes, and the pass over the rows.
///
/// The vertical pass mixes rows straight from the source, or from a ring buffer of linear-light
/// rows. The horizontal pass then resamples each mixed row. The source is never copied.
struct ResamplePass {
    let columns: FilterTable
    let rows: FilterTable

    init(source: Shrinkage, target: PixelSize, window: PixelRect, linear: Bool) {
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
                axis: down, window: window.y..<(window.y + window.height),
                bitsLimit: linear ? 14 : 18, evenStarts: false))
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
        let sink = RowSink(columns: columns, start: sourceColumns.lowerBound, linear: false)
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

    func run<Kernel: ResampleKernel>(
        _ kernel: Kernel.Type, from source: LinearRows, into target: inout PixelBuffer
    ) {
        let sourceColumns = sourceColumns
        let length = (sourceColumns.count + 1) / 2 * 8
        let capacity = rows.longestRun * 2
        // One mixed row, one row as it is read, and a ring of interleaved rows.
        let mixed = UnsafeMutablePointer<Int16>.allocate(capacity: (capacity + 2) * length)
        unsafe mixed.initialize(repeating: 0, count: (capacity + 2) * length)
        let lines = UnsafeMutablePointer<UnsafePointer<Int16>>.allocate(capacity: capacity)
        defer {
            unsafe mixed.deallocate()
            unsafe lines.deallocate()
        }
        let plain = unsafe mixed + length
        let ring = unsafe plain + length
        let sink = RowSink(columns: columns, start: sourceColumns.lowerBound, linear: true)
        var read = rows.inputs.lowerBound
        let last = source.size.height - 1
        unsafe rows.weights.withUnsafeBufferPointer { weights in
            guard let weights = weights.baseAddress else { return }
            for (index, run) in rows.runs.enumerated() {
                while read < min(run.start + run.pairs * 2, last + 1) {
                    unsafe source.read(read, sourceColumns, into: plain)
                    unsafe Self.interleave(
                        plain, into: ring + read % capacity * length, count: length)
                    read += 1
                }
                for line in 0..<(run.pairs * 2) {
                    // The weight of a row past the last one is 0.
                    let row = min(run.start + line, last)
                    unsafe (lines + line).initialize(to: ring + row % capacity * length)
                }
                unsafe kernel.blend(
                    values: lines, weights: weights + run.first, pairs: run.pairs,
                    shift: Int32(rows.bits), into: mixed, count: length)
                unsafe sink.take(
                    kernel, mixed, visible: 0..<sourceColumns.count, row: index, into: &target)
            }
        }
    }

    /// Interleaves the channels of every two pixels; `count` is a multiple of eight.
    private static func interleave(
        _ values: UnsafePointer<Int16>, into target: UnsafeMutablePointer<Int16>, count: Int
    ) {
        for index in stride(from: 0, to: count, by: 8) {
            for channel in 0..<4 {
                unsafe target[index + channel * 2] = values[index + channel]
                unsafe target[index + channel * 2 + 1] = values[index + channel + 4]
            }
        }
    }
}
