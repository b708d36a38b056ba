/// Prepares rows for the vertical pass: halves a picture both ways, each of the new pixels weighed
/// (1 3 3 1) from four rows and four columns.
///
/// The weights of both ways add up to 64, so that a value comes out in 1/64 of a step with nothing
/// to be rounded. Pairs of halves lie interleaved, as the kernels read them.
struct RowHalves: PreparedRows {
    /// The halves of a row that are wanted; begins at an even one.
    let columns: Range<Int>

    /// A pixel before and one after the four of each pair, and what a vector reads beyond.
    var sumsCount: Int { (columns.count * 2 + 24) * 4 }

    func prepare<Kernel: ResampleKernel>(
        _ kernel: Kernel.Type, row: Int, of source: borrowing PixelBuffer,
        sums: UnsafeMutablePointer<Int16>, into values: UnsafeMutablePointer<Int16>
    ) {
        let (stride, width, last) = (source.bytesPerRow, source.width, source.height - 1)
        let begin = 2 * columns.lowerBound - 1
        let first = max(0, begin)
        let end = min(width, 2 * columns.upperBound + 1)
        unsafe source.withUnsafePixels { bytes in
            unsafe withUnsafeTemporaryAllocation(
                of: UnsafePointer<UInt8>.self, capacity: 4
            ) { lines in
                for line in 0..<4 {
                    let y = min(max(2 * row - 1 + line, 0), last)
                    unsafe lines.initializeElement(at: line, to: bytes + y * stride + first * 4)
                }
                guard let lines = lines.baseAddress else { return }
                unsafe kernel.weigh(
                    rows: lines, into: sums + (first - begin) * 4, count: (end - first) * 4)
            }
        }
        // Past an edge the last pixel counts again.
        for channel in 0..<4 {
            if begin < 0 { unsafe sums[channel] = sums[4 + channel] }
            for place in (end - begin)..<max(end - begin, columns.count * 2 + 2) {
                unsafe sums[place * 4 + channel] = sums[(end - begin - 1) * 4 + channel]
            }
        }
        unsafe kernel.halve(sums: sums, into: values, pairs: (columns.count + 1) / 2)
    }
}
