#if arch(x86_64)
    import CKernels

    /// The loops over planes in vectors, where the processor has them; ends are done plainly.
    enum AVX2PlaneKernel: PlaneKernel {
        static func weigh(
            rows: UnsafePointer<UnsafePointer<UInt8>>, into sums: UnsafeMutablePointer<Int16>,
            count: Int
        ) {
            unsafe AVX2Kernel.weigh(rows: rows, into: sums, count: count)
        }

        static func halve(
            sums: UnsafePointer<Int16>, roundings: UnsafePointer<Int16>,
            into target: UnsafeMutablePointer<UInt8>, count: Int
        ) {
            let done = unsafe emb_halve_plane_avx2(sums, roundings, target, count)
            unsafe PlainPlaneKernel.halve(
                sums: sums + done * 2, roundings: roundings + done, into: target + done,
                count: count - done)
        }

        static func smoothDown(
            _ above: UnsafePointer<UInt8>, _ here: UnsafePointer<UInt8>,
            _ below: UnsafePointer<UInt8>, into sums: UnsafeMutablePointer<UInt16>, count: Int
        ) {
            let done = unsafe emb_smooth_down_avx2(above, here, below, sums, count)
            unsafe PlainPlaneKernel.smoothDown(
                above + done, here + done, below + done, into: sums + done, count: count - done)
        }

        static func smoothAcross(
            _ sums: UnsafePointer<UInt16>, into target: UnsafeMutablePointer<UInt8>, count: Int
        ) {
            let done = unsafe emb_smooth_across_avx2(sums, target, count)
            unsafe PlainPlaneKernel.smoothAcross(
                sums + done, into: target + done, count: count - done)
        }

        static func mean(
            _ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>,
            into target: UnsafeMutablePointer<UInt8>, count: Int
        ) {
            let done = unsafe emb_mean_alphas_avx2(upper, lower, target, count)
            unsafe PlainPlaneKernel.mean(
                upper + done * 2, lower + done * 2, into: target + done, count: count - done)
        }

        static func weigh(
            _ values: UnsafeMutablePointer<UInt8>, by alphas: UnsafePointer<UInt8>, count: Int
        ) {
            let done = unsafe emb_weigh_plane_avx2(values, alphas, count)
            unsafe PlainPlaneKernel.weigh(values + done, by: alphas + done, count: count - done)
        }

        static func straighten(
            _ values: UnsafeMutablePointer<UInt8>, by alphas: UnsafePointer<UInt8>, count: Int
        ) {
            let done = unsafe emb_straighten_plane_avx2(values, alphas, count)
            unsafe PlainPlaneKernel.straighten(
                values + done, by: alphas + done, count: count - done)
        }

        static func mix(
            _ luma: UnsafePointer<UInt8>, _ blue: UnsafePointer<UInt8>,
            _ red: UnsafePointer<UInt8>, alpha: UnsafePointer<UInt8>?,
            into pixels: UnsafeMutablePointer<UInt8>, count: Int
        ) {
            let done = unsafe emb_mix_colors_avx2(luma, blue, red, alpha, pixels, count)
            unsafe PlainPlaneKernel.mix(
                luma + done, blue + done, red + done, alpha: alpha.map { unsafe $0 + done },
                into: pixels + done * 4, count: count - done)
        }
    }
#endif
