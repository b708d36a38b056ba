/// What makes the rows that the vertical pass mixes out of those of a picture.
protocol PreparedRows {
    /// The numbers for which `prepare` wants room while it works; zero at first.
    var sumsCount: Int { get }

    /// Prepares one row: 16-bit values of 1/64 step, two neighbours interleaved.
    func prepare<Kernel: ResampleKernel>(
        _ kernel: Kernel.Type, row: Int, of source: borrowing PixelBuffer,
        sums: UnsafeMutablePointer<Int16>, into values: UnsafeMutablePointer<Int16>)
}
