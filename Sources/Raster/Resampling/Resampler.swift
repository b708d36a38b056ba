import CKernels

/// Scales pictures: shrinks with a three-lobed Lanczos kernel, widened by the scale, and enlarges
/// with a cubic kernel. Each axis chooses its kernel separately.
///
/// Values are premultiplied, so colours under zero alpha never show. All arithmetic is in integers,
/// so every processor gives the same pixels.
package struct Resampler: Sendable {
    package let kernel: KernelChoice

    package init(kernel: KernelChoice = .best) {
        self.kernel = kernel
    }

    /// Returns the part `visible` (nil: all) of `source` scaled to `size`; no other part is
    /// computed.
    ///
    /// `visible` and `size` refer to the upright picture: the `pendingOrientation` of the source is
    /// applied to the scaled picture.
    package func resample(
        _ source: borrowing PixelBuffer, to size: PixelSize, visible: PixelRect? = nil
    ) -> PixelBuffer {
        var result = scale(source, to: size, visible: visible)
        result.applyPendingOrientation()
        return result
    }

    /// Scales like `resample` but leaves the `pendingOrientation` of the source to the caller.
    ///
    /// A picture of the same size comes back unchanged. Besides the result this needs a few rows of
    /// the source's width and, for a source many times larger, halved copies: at most a third of
    /// its bytes.
    package func scale(
        _ source: borrowing PixelBuffer, to size: PixelSize, visible: PixelRect? = nil
    ) -> PixelBuffer {
        precondition(size.width > 0 && size.height > 0, "A target has at least one pixel.")
        let window = visible ?? PixelRect(size)
        precondition(window.isInside(size), "The visible part lies inside the target.")
        let orientation = source.pendingOrientation
        if orientation == .up { return scaleStored(source, to: size, window: window) }
        var result = scaleStored(
            source, to: orientation.upright(size), window: orientation.stored(window, of: size))
        result.pendingOrientation = orientation
        return result
    }

    /// Scales the stored rows, from a halved copy if the source is many times larger.
    private func scaleStored(
        _ source: borrowing PixelBuffer, to size: PixelSize, window: PixelRect
    ) -> PixelBuffer {
        let origin = source.origin
        precondition(origin.size == source.size, "A shrunk picture has a pixel for each block.")
        if size == origin.whole && size == origin.size { return source.part(window) }
        let wanted = PyramidSteps(from: source.size, to: size)
        if wanted == .none {
            var result = PixelBuffer(unwritten: window.size)
            result.isOpaque = source.isOpaque
            ResamplePass(origin, size, window, kernel).run(from: source, into: &result)
            return result
        }
        if let halves = source.halvedCopy, halves.halvings.leads(to: wanted) {
            return scaleStored(halves.pixels, to: size, window: window)
        }
        let halves = source.halved(wanted.after(1), kernel: kernel)
        return scaleStored(halves, to: size, window: window)
    }
}

extension PixelBuffer {
    /// Returns the picture shrunk so that neither side exceeds `edge`; it is never enlarged.
    package func reduced(to edge: Int) -> PixelBuffer {
        let upright = pendingOrientation.upright(size)
        let placement = Placement(
            source: (Double(upright.width), Double(upright.height)),
            canvas: PixelSize(width: edge, height: edge), mode: .fit, largestFactor: 1)
        return Resampler().resample(self, to: placement.scaled)
    }
}

/// One resampling of one picture. The vertical pass mixes rows straight from the source, and the
/// horizontal pass resamples each mixed row. The source is never copied.
private struct ResamplePass {
    private let columns: FilterTable
    private let rows: FilterTable
    private let kernel: KernelChoice
    /// The first source column that is read; even, because pairs of pixels are interleaved.
    private let start: Int
    /// The number of source columns that are read.
    private let count: Int
    /// The run of input columns for each output column, relative to `start`.
    private let runs: [FilterTable.Run]

    init(_ source: Shrinkage, _ target: PixelSize, _ window: PixelRect, _ kernel: KernelChoice) {
        self.kernel = kernel
        columns = FilterCache.table(
            FilterCache.Key(
                axis: FilterAxis(
                    source: source.whole.width, target: target.width, stored: source.block,
                    halvings: source.halvings.across),
                window: window.x..<(window.x + window.width), bitsLimit: 14, evenStarts: true))
        rows = FilterCache.table(
            FilterCache.Key(
                axis: FilterAxis(
                    source: source.whole.height, target: target.height, stored: source.block,
                    halvings: source.halvings.down),
                window: window.y..<(window.y + window.height), bitsLimit: 18, evenStarts: false))
        let start = columns.inputs.lowerBound & ~1
        self.start = start
        count = columns.inputs.upperBound - start
        runs = columns.runs.map { run in
            FilterTable.Run(start: run.start - start, first: run.first, pairs: run.pairs)
        }
    }

    func run(from source: borrowing PixelBuffer, into target: inout PixelBuffer) {
        let spans =
            source.isOpaque
            ? nil : RowSpans(of: source, columns: start..<(start + count), rows: rows.inputs)
        // The kernel reads up to 16 bytes past the last pair.
        let length = (count + 1) / 2 * 8 + 8
        let mixed = UnsafeMutablePointer<Int16>.allocate(capacity: length)
        unsafe mixed.initialize(repeating: 0, count: length)
        let values = UnsafeMutablePointer<Int16>.allocate(capacity: runs.count * 4)
        let taps = rows.runs.reduce(1) { max($0, $1.pairs * 2) }
        let lines = UnsafeMutablePointer<UnsafePointer<UInt8>>.allocate(capacity: taps)
        defer {
            unsafe mixed.deallocate()
            unsafe values.deallocate()
            unsafe lines.deallocate()
        }
        var filled = 0..<0
        for (index, run) in rows.runs.enumerated() {
            let taps = run.start..<(run.start + run.pairs * 2)
            let shown = spans?.union(taps, count: count) ?? 0..<count
            unsafe source.withUnsafePixels { pixels in
                for tap in taps {
                    // Past the last row, where all weights are zero, the last row is read.
                    let row = unsafe pixels + min(tap, source.height - 1) * source.bytesPerRow
                    unsafe (lines + tap - run.start).initialize(
                        to: row + (start + shown.lowerBound) * 4)
                }
                unsafe mix(lines, run, into: mixed + shown.lowerBound * 4, count: shown.count)
            }
            unsafe Self.clear(mixed, filled, but: shown)
            filled = shown
            let outputs = outputs(of: shown)
            unsafe gather(mixed, outputs, into: values)
            unsafe target.withUnsafeMutablePixels { pixels in
                let row = unsafe pixels + index * runs.count * 4
                unsafe row.update(repeating: 0, count: outputs.lowerBound * 4)
                unsafe kernel.loops.pointee.store_pixels(
                    values, row + outputs.lowerBound * 4, outputs.count)
                unsafe (row + outputs.upperBound * 4).update(
                    repeating: 0, count: (runs.count - outputs.upperBound) * 4)
            }
        }
    }

    /// The vertical pass: mixes rows of the source into one row of 16-bit values.
    private func mix(
        _ lines: UnsafePointer<UnsafePointer<UInt8>>, _ run: FilterTable.Run,
        into mixed: UnsafeMutablePointer<Int16>, count: Int
    ) {
        unsafe rows.weights.withUnsafeBufferPointer { weights in
            guard let weights = weights.baseAddress else { return }
            unsafe kernel.loops.pointee.blend_rows(
                lines, weights + run.first, run.pairs, Int32(rows.bits - 6), mixed, count)
        }
    }

    /// The horizontal pass: resamples a mixed row.
    private func gather(
        _ mixed: UnsafePointer<Int16>, _ outputs: Range<Int>,
        into values: UnsafeMutablePointer<Int16>
    ) {
        unsafe runs.withUnsafeBufferPointer { runs in
            unsafe columns.weights.withUnsafeBufferPointer { weights in
                guard let runs = runs.baseAddress, let weights = weights.baseAddress else { return }
                unsafe kernel.loops.pointee.blend_columns(
                    mixed, runs + outputs.lowerBound, weights, Int32(columns.bits), values,
                    outputs.count)
            }
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

/// The visible columns of each row of a picture. Logos have wide margins, and transparent pixels
/// need not be mixed.
private struct RowSpans {
    private let top: Int
    /// The visible columns of each row, counted in groups of eight from the first requested column.
    private var spans: [Range<Int32>] = []

    private static let group = 8

    /// Searches each of `rows` from both ends of `columns` inwards.
    init(of source: borrowing PixelBuffer, columns: Range<Int>, rows: Range<Int>) {
        top = rows.lowerBound
        spans.reserveCapacity(rows.count)
        let groups = (columns.count + Self.group - 1) / Self.group
        let last = columns.count % Self.group
        unsafe source.withUnsafeWords { words in
            for y in rows {
                let row = unsafe words + y * source.width + columns.lowerBound
                var (start, end) = (0, columns.count / Self.group)
                let ends = (0..<last).contains { unsafe row[end * Self.group + $0] != 0 }
                // Large steps first: a margin is either absent or wide.
                while start + 4 <= end, unsafe Self.isEmpty(row + start * Self.group, 4) {
                    start += 4
                }
                while start < end, unsafe Self.isEmpty(row + start * Self.group, 1) { start += 1 }
                if ends {
                    end = groups
                } else {
                    while start + 4 <= end, unsafe Self.isEmpty(row + (end - 4) * Self.group, 4) {
                        end -= 4
                    }
                    while end > start, unsafe Self.isEmpty(row + (end - 1) * Self.group, 1) {
                        end -= 1
                    }
                }
                spans.append(Int32(start)..<Int32(end))
            }
        }
    }

    @inline(__always)
    private static func isEmpty(_ pixels: UnsafePointer<UInt32>, _ groups: Int) -> Bool {
        var all = SIMD4<UInt64>.zero
        for group in 0..<groups {
            all |= unsafe UnsafeRawPointer(pixels + group * Self.group).loadUnaligned(
                as: SIMD4<UInt64>.self)
        }
        return all[0] | all[1] | all[2] | all[3] == 0
    }

    /// Returns the columns that cover everything visible in `rows`; whole groups of eight, except
    /// at the end of a row.
    func union(_ rows: Range<Int>, count: Int) -> Range<Int> {
        var (start, end) = (Int32.max, Int32.min)
        for row in rows where row - top < spans.count {
            let span = spans[row - top]
            if span.isEmpty { continue }
            start = min(start, span.lowerBound)
            end = max(end, span.upperBound)
        }
        guard start < end else { return 0..<0 }
        return Int(start) * Self.group..<min(Int(end) * Self.group, count)
    }
}
