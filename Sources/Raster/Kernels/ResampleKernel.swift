/// The inner loops of a resampler. All implementations give the same bits.
///
/// Between the two passes a value is a signed 16-bit number in 1/64 of a pixel level. Two
/// neighbouring pixels are interleaved (red red, green green, blue blue, alpha alpha).
protocol ResampleKernel {
    /// Whether the vertical pass may use `InterleavedMixer`.
    static var usesInterleavedMixer: Bool { get }

    /// Mixes 2 × `pairs` rows of pixels into one row of 16-bit values. Each element of `weights`
    /// holds the weights of two rows; the sum is shifted right by `shift` bits.
    static func blend(
        pixels rows: UnsafePointer<UnsafePointer<UInt8>>, weights: UnsafePointer<Int32>,
        pairs: Int, shift: Int32, into target: UnsafeMutablePointer<Int16>, count: Int)

    /// Mixes the pixels of one row, at the positions given by `runs`, into 16-bit values. The
    /// pixels are not interleaved.
    static func gather(
        row: UnsafePointer<Int16>, runs: UnsafePointer<FilterTable.Run>,
        weights: UnsafePointer<Int32>, shift: Int32, into target: UnsafeMutablePointer<Int16>,
        count: Int)

    /// Rounds 16-bit values to whole levels and limits each colour to its alpha, which a kernel's
    /// overshoot can exceed.
    static func store(
        values: UnsafePointer<Int16>, into pixels: UnsafeMutablePointer<UInt8>, count: Int)

    /// Adds four rows of bytes with the weights 1, 3, 3, 1.
    static func weigh(
        rows: UnsafePointer<UnsafePointer<UInt8>>, into sums: UnsafeMutablePointer<Int16>,
        count: Int)

    /// Adds four neighbouring pixels with the weights 1, 3, 3, 1 for every second pixel, adds
    /// `roundings` and divides by 64, rounding down. A vector reads at most eight pixels beyond the
    /// last sum.
    static func halve(
        sums: UnsafePointer<Int16>, roundings: UnsafePointer<Int16>,
        into pixels: UnsafeMutablePointer<UInt8>, count: Int)
}

extension ResampleKernel {
    static var usesInterleavedMixer: Bool { false }
}

/// The choice between the resampler's kernels, which all give the same bits.
package enum KernelChoice: String, CaseIterable, Sendable {
    /// The fastest kernel that this processor supports.
    case best
    /// The kernel that nearly every processor of this architecture supports; on other processors,
    /// the same as `common`.
    case usual
    /// The kernel that every processor of this architecture supports.
    case common
    /// The reference implementation without vector instructions.
    case plain

    package var name: String {
        if self == .plain { return "plain" }
        #if arch(x86_64)
            if self == .best && AVX512Kernel.isAvailable { return "avx512" }
            if self != .common && AVX2Kernel.isAvailable { return "avx2" }
            return "sse2"
        #else
            return "neon"
        #endif
    }
}
