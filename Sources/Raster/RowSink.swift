/// The second half of a pass: a mixed row is resampled along itself and stored as pixels.
struct RowSink {
    let columns: FilterTable
    /// The column of the source at which a mixed row begins; even.
    let start: Int
    let linear: Bool

    /// The runs of `columns`, counted from `start`.
    private let runs: [FilterTable.Run]

    init(columns: FilterTable, start: Int, linear: Bool) {
        self.columns = columns
        self.start = start
        self.linear = linear
        runs = columns.runs.map { run in
            FilterTable.Run(start: run.start - start, first: run.first, pairs: run.pairs)
        }
    }

    func take<Kernel: ResampleKernel>(
        _ kernel: Kernel.Type, _ mixed: UnsafePointer<Int16>, row: Int,
        into target: inout PixelBuffer
    ) {
        let width = target.width
        let shift = Int32(columns.bits)
        unsafe withUnsafeTemporaryAllocation(of: Int16.self, capacity: width * 4) { values in
            guard let line = values.baseAddress else { return }
            unsafe runs.withUnsafeBufferPointer { runs in
                unsafe columns.weights.withUnsafeBufferPointer { weights in
                    guard let runs = runs.baseAddress,
                        let weights = weights.baseAddress
                    else { return }
                    unsafe kernel.gather(
                        row: mixed, runs: runs, weights: weights, shift: shift, into: line,
                        count: width)
                }
            }
            unsafe target.withUnsafeMutablePixels { bytes in
                let pixels = unsafe bytes + row * width * 4
                if linear {
                    unsafe storeLight(line, into: pixels, count: width)
                } else {
                    unsafe store(line, into: pixels, count: width)
                }
            }
        }
    }

    /// Rounds to whole steps; no colour exceeds its alpha, as a kernel's overshoot would.
    private func store(
        _ values: UnsafePointer<Int16>, into pixels: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        for index in 0..<count {
            let value = unsafe values + index * 4
            let pixel = unsafe pixels + index * 4
            let alpha = unsafe min(255, max(0, (Int32(value[3]) + 32) >> 6))
            unsafe pixel[3] = UInt8(truncatingIfNeeded: alpha)
            for channel in 0..<3 {
                let step = unsafe min(alpha, max(0, (Int32(value[channel]) + 32) >> 6))
                unsafe pixel[channel] = UInt8(truncatingIfNeeded: step)
            }
        }
    }

    private func storeLight(
        _ values: UnsafePointer<Int16>, into pixels: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        unsafe LinearLight.value.withUnsafeBufferPointer { table in
            guard let table = table.baseAddress else { return }
            for index in 0..<count {
                unsafe LinearLight.store(
                    values + index * 4, table, into: pixels + index * 4)
            }
        }
    }
}
