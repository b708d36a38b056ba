/// The inner loops of a resampler. Every implementation gives the same bits.
///
/// Between the two passes a value is a signed 16-bit number in 1/64 of a pixel's step, and two
/// neighbouring pixels lie interleaved (red red, green green, blue blue, alpha alpha).
protocol ResampleKernel {
    /// Rows of pixels are mixed by `WovenMixer`.
    static var isWeaving: Bool { get }

    /// Mixes rows of pixels into one row of 16-bit values, `shift` bits coarser than the sum.
    static func blend(
        pixels rows: UnsafePointer<UnsafePointer<UInt8>>, weights: UnsafePointer<Int32>,
        pairs: Int, shift: Int32, into target: UnsafeMutablePointer<Int16>, count: Int)

    /// Mixes rows of 16-bit values into one more.
    static func blend(
        values rows: UnsafePointer<UnsafePointer<Int16>>, weights: UnsafePointer<Int32>,
        pairs: Int, shift: Int32, into target: UnsafeMutablePointer<Int16>, count: Int)

    /// Mixes the pixels of one row, at the positions a table names, into 16-bit values of 1/64 step
    /// (`shift` as above); pixels in their plain order.
    static func gather(
        row: UnsafePointer<Int16>, runs: UnsafePointer<FilterTable.Run>,
        weights: UnsafePointer<Int32>, shift: Int32, into target: UnsafeMutablePointer<Int16>,
        count: Int)

    /// Rounds 16-bit values to whole steps; no colour exceeds its alpha, as a kernel's overshoot
    /// would let it.
    static func store(
        values: UnsafePointer<Int16>, into pixels: UnsafeMutablePointer<UInt8>, count: Int)

    /// Adds up four rows of bytes, those in the middle three times.
    static func weigh(
        rows: UnsafePointer<UnsafePointer<UInt8>>, into sums: UnsafeMutablePointer<Int16>,
        count: Int)

    /// Adds up four neighbouring pixels of sums for every other one, those in the middle three
    /// times, and cuts the fractions off their 64th parts after `roundings` were added. What a
    /// vector reads beyond the last sum is at most eight pixels.
    static func halve(
        sums: UnsafePointer<Int16>, roundings: UnsafePointer<Int16>,
        into pixels: UnsafeMutablePointer<UInt8>, count: Int)
}

extension ResampleKernel {
    static var isWeaving: Bool { false }
}

/// Which of the resampler's equal kernels runs.
package enum KernelChoice: String, CaseIterable, Sendable {
    /// The fastest one that this processor has.
    case best
    /// The one that nearly every processor of this kind has; it stands for the next where not.
    case usual
    /// The one that every processor of this kind has.
    case common
    /// The one in plain Swift, there to be compared with.
    case plain

    /// The name of the kernel that runs, for the record of a run.
    package var name: String {
        #if arch(x86_64)
            switch self {
            case .best: AVX512Kernel.isThere ? "avx512" : KernelChoice.usual.name
            case .usual: AVX2Kernel.isThere ? "avx2" : "sse2"
            case .common: "sse2"
            case .plain: "plain"
            }
        #else
            "plain"
        #endif
    }
}
