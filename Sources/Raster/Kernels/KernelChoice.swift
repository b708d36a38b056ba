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
