import CKernels

/// The choice between the tables of inner loops, which all give the same bits.
package enum KernelChoice: String, CaseIterable, Sendable {
    /// The fastest loops for this processor.
    case best
    /// The loops with the vectors that every processor of this architecture has.
    case common
    /// The reference without vector instructions.
    case plain

    var loops: UnsafePointer<emb_kernels> {
        switch self {
        case .best: unsafe emb_best_kernels()
        case .common: unsafe emb_common_kernels()
        case .plain: unsafe emb_plain_kernels()
        }
    }

    package var name: String {
        if self == .plain { return "plain" }
        #if arch(x86_64)
            return self == .best && emb_has_avx2() != 0 ? "avx2" : "sse2"
        #else
            return "neon"
        #endif
    }
}

/// Conversion from straight to premultiplied RGBA, rounded to the nearest; used for every PNG row.
package enum Premultiplication {
    /// Converts `count` pixels and returns the AND of their alphas in the highest byte. `source`
    /// and `result` are equal or do not overlap.
    @unsafe
    package static func row(
        _ source: UnsafeRawPointer, result: UnsafeMutableRawPointer, count: Int,
        kernel: KernelChoice = .best
    ) -> UInt32 {
        unsafe kernel.loops.pointee.premultiply_pixels(
            source.assumingMemoryBound(to: UInt8.self),
            result.assumingMemoryBound(to: UInt8.self), count)
    }
}
