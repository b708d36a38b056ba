/// Prepares rows for the vertical pass: averages blocks of source pixels, in sRGB values or in
/// light, into 16-bit values of 1/64 step.
struct RowBlocks {
    let across: FilterAxis
    let down: FilterAxis
    /// The blocks of a row that are wanted; begins at an even one.
    let columns: Range<Int>
    let linear: Bool

    /// Prepares one row of blocks, pairs of blocks interleaved as the kernels read them.
    func prepare(
        row: Int, of source: borrowing PixelBuffer, into values: UnsafeMutablePointer<Int16>
    ) {
        let top = row * down.block
        let bottom = min(top + down.block, source.height)
        let stride = source.bytesPerRow
        unsafe source.withUnsafePixels { bytes in
            unsafe LinearLight.light.withUnsafeBufferPointer { table in
                guard let table = table.baseAddress else { return }
                for column in columns {
                    let left = column * across.block
                    let right = min(left + across.block, across.source)
                    var sum = SIMD4<Int32>.zero
                    for y in top..<bottom {
                        let line = unsafe bytes + y * stride
                        for x in left..<right {
                            let pixel = unsafe line + x * 4
                            sum &+=
                                unsafe linear ? LinearLight.light(of: pixel, table) : steps(pixel)
                        }
                    }
                    let area = Int32((right - left) * (bottom - top))
                    let index = column - columns.lowerBound
                    let place = unsafe values + (index >> 1) * 8 + (index & 1)
                    for channel in 0..<4 {
                        unsafe place[channel * 2] = Int16(
                            truncatingIfNeeded: (sum[channel] + area / 2) / area)
                    }
                }
            }
        }
    }

    @inline(__always)
    private func steps(_ pixel: UnsafePointer<UInt8>) -> SIMD4<Int32> {
        unsafe SIMD4(
            Int32(pixel[0]) << 6, Int32(pixel[1]) << 6, Int32(pixel[2]) << 6, Int32(pixel[3]) << 6)
    }
}
