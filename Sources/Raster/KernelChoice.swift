/// Which of the resampler's equal kernels runs.
package enum KernelChoice: String, CaseIterable, Sendable {
    /// The fastest one that this processor has.
    case best
    /// The one in plain Swift, there to be compared with.
    case plain

    /// The name of the kernel that runs, for the record of a run.
    package var name: String {
        #if arch(x86_64)
            self == .best ? "sse2" : "plain"
        #else
            "plain"
        #endif
    }
}
