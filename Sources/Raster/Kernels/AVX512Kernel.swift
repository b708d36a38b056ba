#if arch(x86_64)
    import CKernels

    /// The kernel for processors with AVX-512 VNNI. `InterleavedMixer` does the vertical pass; the other
    /// loops are those of AVX2.
    enum AVX512Kernel: ResampleKernel {
        static let isAvailable = AVX2Kernel.isAvailable && emb_has_avx512() != 0

        static var usesInterleavedMixer: Bool { true }

        static func blend(
            pixels rows: UnsafePointer<UnsafePointer<UInt8>>, weights: UnsafePointer<Int32>,
            pairs: Int, shift: Int32, into target: UnsafeMutablePointer<Int16>, count: Int
        ) {
            unsafe AVX2Kernel.blend(
                pixels: rows, weights: weights, pairs: pairs, shift: shift, into: target,
                count: count)
        }

        static func gather(
            row: UnsafePointer<Int16>, runs: UnsafePointer<FilterTable.Run>,
            weights: UnsafePointer<Int32>, shift: Int32, into target: UnsafeMutablePointer<Int16>,
            count: Int
        ) {
            unsafe AVX2Kernel.gather(
                row: row, runs: runs, weights: weights, shift: shift, into: target, count: count)
        }

        static func store(
            values: UnsafePointer<Int16>, into pixels: UnsafeMutablePointer<UInt8>, count: Int
        ) {
            unsafe AVX2Kernel.store(values: values, into: pixels, count: count)
        }

        static func weigh(
            rows: UnsafePointer<UnsafePointer<UInt8>>, into sums: UnsafeMutablePointer<Int16>,
            count: Int
        ) {
            unsafe AVX2Kernel.weigh(rows: rows, into: sums, count: count)
        }

        static func halve(
            sums: UnsafePointer<Int16>, roundings: UnsafePointer<Int16>,
            into pixels: UnsafeMutablePointer<UInt8>, count: Int
        ) {
            unsafe AVX2Kernel.halve(sums: sums, roundings: roundings, into: pixels, count: count)
        }
    }
#endif
