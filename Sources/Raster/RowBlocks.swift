/// Prepares rows for the vertical pass: averages blocks of source pixels, in sRGB values or in
/// light, into 16-bit values of 1/64 step, pairs of blocks interleaved as the kernels read them.
struct RowBlocks: PreparedRows {
    let across: FilterAxis
    let down: FilterAxis
    /// The blocks of a row that are wanted; begins at an even one.
    let columns: Range<Int>
    let linear: Bool

    /// The pixels of a row that the wanted blocks take.
    var pixels: Range<Int> {
        let start = columns.lowerBound * across.storedPerBlock
        return
            start..<max(start, min(columns.upperBound * across.storedPerBlock, across.storedCount))
    }

    /// Four numbers for each of `pixels`.
    var sumsCount: Int { pixels.count * 4 }

    func prepare<Kernel: ResampleKernel>(
        _ kernel: Kernel.Type, row: Int, of source: borrowing PixelBuffer,
        sums: UnsafeMutablePointer<Int16>, into values: UnsafeMutablePointer<Int16>
    ) {
        let top = row * down.storedPerBlock
        let height = min(down.storedPerBlock, source.height - top)
        let (stride, pixels) = (source.bytesPerRow, pixels)
        unsafe source.withUnsafePixels { bytes in
            let line = unsafe bytes + top * stride + pixels.lowerBound * 4
            if linear {
                unsafe averageLight(line, stride: stride, height: height, into: values)
            } else {
                unsafe kernel.sum(
                    rows: line, stride: stride, height: height, into: sums,
                    count: pixels.count * 4)
                unsafe average(kernel, sums, height: height, into: values)
            }
        }
    }

    private func average<Kernel: ResampleKernel>(
        _ kernel: Kernel.Type, _ sums: UnsafePointer<Int16>, height: Int,
        into values: UnsafeMutablePointer<Int16>
    ) {
        let width = across.storedPerBlock
        var done = 0
        let area = width * height
        if area & (area - 1) == 0 {
            // Whole blocks, two at a time: a quotient by a power of two.
            done = pixels.count / width & ~1
            unsafe kernel.average(
                sums: sums, width: width, shift: Int32(area.trailingZeroBitCount), into: values,
                count: done)
        }
        for index in done..<columns.count {
            let start = index * width
            let end = min(start + width, pixels.count)
            var sum = SIMD4<Int32>.zero
            for x in start..<end {
                for channel in 0..<4 { sum[channel] += unsafe Int32(sums[x * 4 + channel]) }
            }
            unsafe put(sum &<< 6, area: (end - start) * height, at: index, of: values)
        }
    }

    private func averageLight(
        _ line: UnsafePointer<UInt8>, stride: Int, height: Int,
        into values: UnsafeMutablePointer<Int16>
    ) {
        let count = pixels.count
        unsafe LinearLight.light.withUnsafeBufferPointer { table in
            guard let table = table.baseAddress else { return }
            for index in 0..<columns.count {
                let start = index * across.storedPerBlock
                let end = min(start + across.storedPerBlock, count)
                var sum = SIMD4<Int32>.zero
                for y in 0..<height {
                    let pixels = unsafe line + y * stride
                    for x in start..<end {
                        sum &+= unsafe LinearLight.light(of: pixels + x * 4, table)
                    }
                }
                unsafe put(sum, area: (end - start) * height, at: index, of: values)
            }
        }
    }

    /// Stores the rounded quotient of a block.
    @inline(__always)
    private func put(
        _ sum: SIMD4<Int32>, area: Int, at index: Int, of values: UnsafeMutablePointer<Int16>
    ) {
        let place = unsafe values + (index >> 1) * 8 + (index & 1)
        for channel in 0..<4 {
            let mean = area == 1 ? sum[channel] : (sum[channel] + Int32(area / 2)) / Int32(area)
            unsafe place[channel * 2] = Int16(truncatingIfNeeded: mean)
        }
    }
}
