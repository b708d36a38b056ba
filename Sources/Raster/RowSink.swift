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
                    unsafe kernel.store(values: line, into: pixels, count: width)
                }
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
