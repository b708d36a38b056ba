/// One resampling of one picture: the tables of both axes, and the walk over the rows.
///
/// Rows are mixed first (the vertical pass), straight from the source where nothing has to be done
/// to its values, else from a ring of prepared rows; then each mixed row is resampled along
/// itself. The source is never held a second time.
struct ResamplePass {
    let columns: FilterTable
    let rows: FilterTable
    let across: FilterAxis
    let down: FilterAxis
    let linear: Bool
    /// Rows are halved both ways before they are mixed.
    let isHalved: Bool

    init(source: Shrinkage, target: PixelSize, window: PixelRect, linear: Bool) {
        self.linear = linear
        let (kept, stored) = (source.size, source.block)
        let wide = stored * ResamplePass.block(kept.width, target.width)
        let high = stored * ResamplePass.block(kept.height, target.height)
        isHalved =
            !linear && wide == 1 && high == 1
            && kept.width % 2 == 0 && kept.height % 2 == 0
            && kept.width >= Resampler.shareOfHalves * target.width
            && kept.height >= Resampler.shareOfHalves * target.height
        across = FilterAxis(
            source: source.whole.width, target: target.width, block: wide, stored: stored,
            isHalved: isHalved)
        down = FilterAxis(
            source: source.whole.height, target: target.height, block: high, stored: stored,
            isHalved: isHalved)
        let horizontal = window.x..<(window.x + window.width)
        let vertical = window.y..<(window.y + window.height)
        let stock = FilterStock.shared
        columns = stock.table(
            FilterStock.Key(axis: across, window: horizontal, bitsLimit: 14, evenStarts: true))
        rows = stock.table(
            FilterStock.Key(
                axis: down, window: vertical,
                bitsLimit: linear || isHalved || across.storedPerBlock * down.storedPerBlock > 1
                    ? 14 : 18,
                evenStarts: false))
    }

    /// The largest power of two that leaves the kernel something to do.
    private static func block(_ source: Int, _ target: Int) -> Int {
        var block = 1
        while block < 128 && source / (2 * block) / Resampler.shareOfKernel >= target {
            block *= 2
        }
        return block
    }

    /// Source values need no preparation: no light, no blocks.
    private var isDirect: Bool {
        !linear && !isHalved && across.storedPerBlock == 1 && down.storedPerBlock == 1
    }

    func run<Kernel: ResampleKernel>(
        _ kernel: Kernel.Type, from source: borrowing PixelBuffer, into target: inout PixelBuffer
    ) {
        // Even on both sides, as pairs of pixels lie interleaved.
        let start = columns.inputs.lowerBound & ~1
        let count = columns.inputs.upperBound - start
        let mixed = UnsafeMutablePointer<Int16>.allocate(capacity: (count + 1) / 2 * 8)
        unsafe mixed.initialize(repeating: 0, count: (count + 1) / 2 * 8)
        defer { unsafe mixed.deallocate() }
        let sink = RowSink(columns: columns, start: start, linear: linear)
        if isDirect {
            unsafe mixPixels(kernel, source, start: start, count: count, mixed, sink, &target)
        } else if isHalved {
            unsafe mixValues(
                kernel, source, RowHalves(columns: start..<(start + count)), count: count, mixed,
                sink, &target)
        } else {
            let blocks = RowBlocks(
                across: across, down: down, columns: start..<(start + count), linear: linear)
            unsafe mixValues(kernel, source, blocks, count: count, mixed, sink, &target)
        }
    }

    private func mixPixels<Kernel: ResampleKernel>(
        _ kernel: Kernel.Type, _ source: borrowing PixelBuffer, start: Int, count: Int,
        _ mixed: UnsafeMutablePointer<Int16>, _ sink: RowSink, _ target: inout PixelBuffer
    ) {
        let capacity = rows.longestRun * 2
        let lines = UnsafeMutablePointer<UnsafePointer<UInt8>>.allocate(capacity: capacity)
        defer { unsafe lines.deallocate() }
        let (stride, last) = (source.bytesPerRow, source.height - 1)
        unsafe source.withUnsafePixels { bytes in
            unsafe rows.weights.withUnsafeBufferPointer { weights in
                guard let weights = weights.baseAddress else { return }
                for (index, run) in rows.runs.enumerated() {
                    for line in 0..<(run.pairs * 2) {
                        // Past the last row stands a weight of 0.
                        let row = min(run.start + line, last)
                        unsafe (lines + line).initialize(to: bytes + row * stride + start * 4)
                    }
                    unsafe kernel.blend(
                        pixels: lines, weights: weights + run.first, pairs: run.pairs,
                        shift: Int32(rows.bits - 6), into: mixed, count: count)
                    unsafe sink.take(kernel, mixed, row: index, into: &target)
                }
            }
        }
    }

    private func mixValues<Kernel: ResampleKernel, Rows: PreparedRows>(
        _ kernel: Kernel.Type, _ source: borrowing PixelBuffer, _ preparing: Rows, count: Int,
        _ mixed: UnsafeMutablePointer<Int16>, _ sink: RowSink, _ target: inout PixelBuffer
    ) {
        let capacity = rows.longestRun * 2
        let length = (count + 1) / 2 * 8
        let ring = UnsafeMutablePointer<Int16>.allocate(capacity: capacity * length)
        unsafe ring.initialize(repeating: 0, count: capacity * length)
        let lines = UnsafeMutablePointer<UnsafePointer<Int16>>.allocate(capacity: capacity)
        defer {
            unsafe ring.deallocate()
            unsafe lines.deallocate()
        }
        let sums = UnsafeMutablePointer<Int16>.allocate(capacity: preparing.sumsCount)
        unsafe sums.initialize(repeating: 0, count: preparing.sumsCount)
        defer { unsafe sums.deallocate() }
        var prepared = rows.inputs.lowerBound
        let last = down.inputs - 1
        unsafe rows.weights.withUnsafeBufferPointer { weights in
            guard let weights = weights.baseAddress else { return }
            for (index, run) in rows.runs.enumerated() {
                let end = min(run.start + run.pairs * 2, last + 1)
                while prepared < end {
                    unsafe preparing.prepare(
                        kernel, row: prepared, of: source, sums: sums,
                        into: ring + prepared % capacity * length
                    )
                    prepared += 1
                }
                for line in 0..<(run.pairs * 2) {
                    let row = min(run.start + line, last)
                    unsafe (lines + line).initialize(to: ring + row % capacity * length)
                }
                unsafe kernel.blend(
                    values: lines, weights: weights + run.first, pairs: run.pairs,
                    shift: Int32(rows.bits), into: mixed, count: length)
                unsafe sink.take(kernel, mixed, row: index, into: &target)
            }
        }
    }
}
