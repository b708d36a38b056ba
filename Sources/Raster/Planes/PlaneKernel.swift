/// The inner loops over planes of one byte per value. All implementations give the same bits.
protocol PlaneKernel {
    /// Adds four rows with the weights 1, 3, 3, 1.
    static func weigh(
        rows: UnsafePointer<UnsafePointer<UInt8>>, into sums: UnsafeMutablePointer<Int16>,
        count: Int)

    /// Adds four neighbouring sums with the weights 1, 3, 3, 1 for every second value, adds
    /// `roundings` and divides by 64, rounding down.
    static func halve(
        sums: UnsafePointer<Int16>, roundings: UnsafePointer<Int16>,
        into target: UnsafeMutablePointer<UInt8>, count: Int)

    /// Adds three rows with the weights 3, 10, 3.
    static func smoothDown(
        _ above: UnsafePointer<UInt8>, _ here: UnsafePointer<UInt8>, _ below: UnsafePointer<UInt8>,
        into sums: UnsafeMutablePointer<UInt16>, count: Int)

    /// Adds three neighbouring sums with the weights 3, 10, 3, divides by 256 and rounds to the
    /// nearest.
    static func smoothAcross(
        _ sums: UnsafePointer<UInt16>, into target: UnsafeMutablePointer<UInt8>, count: Int)

    /// Averages blocks of two by two values, rounded to the nearest.
    static func mean(
        _ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>,
        into target: UnsafeMutablePointer<UInt8>, count: Int)

    /// Multiplies values by alpha / 255, in place.
    static func weigh(
        _ values: UnsafeMutablePointer<UInt8>, by alphas: UnsafePointer<UInt8>, count: Int)

    /// Multiplies values by 255 / alpha, in place; values with alpha 0 are unchanged.
    static func straighten(
        _ values: UnsafeMutablePointer<UInt8>, by alphas: UnsafePointer<UInt8>, count: Int)

    /// Converts luma and chroma to straight pixels, opaque if `alpha` is nil.
    static func mix(
        _ luma: UnsafePointer<UInt8>, _ blue: UnsafePointer<UInt8>, _ red: UnsafePointer<UInt8>,
        alpha: UnsafePointer<UInt8>?, into pixels: UnsafeMutablePointer<UInt8>, count: Int)
}

#if arch(x86_64)
    import CKernels

    /// The loops over planes with AVX2; the remainder after the last vector uses the plain kernel.
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
            let done = unsafe emb_average_plane_avx2(upper, lower, target, count)
            unsafe PlainPlaneKernel.mean(
                upper + done * 2, lower + done * 2, into: target + done, count: count - done)
        }

        static func weigh(
            _ values: UnsafeMutablePointer<UInt8>, by alphas: UnsafePointer<UInt8>, count: Int
        ) {
            let done = unsafe emb_premultiply_plane_avx2(values, alphas, count)
            unsafe PlainPlaneKernel.weigh(values + done, by: alphas + done, count: count - done)
        }

        static func straighten(
            _ values: UnsafeMutablePointer<UInt8>, by alphas: UnsafePointer<UInt8>, count: Int
        ) {
            let done = unsafe emb_unpremultiply_plane_avx2(values, alphas, count)
            unsafe PlainPlaneKernel.straighten(
                values + done, by: alphas + done, count: count - done)
        }

        static func mix(
            _ luma: UnsafePointer<UInt8>, _ blue: UnsafePointer<UInt8>,
            _ red: UnsafePointer<UInt8>, alpha: UnsafePointer<UInt8>?,
            into pixels: UnsafeMutablePointer<UInt8>, count: Int
        ) {
            let done = unsafe emb_yuv_to_rgba_avx2(luma, blue, red, alpha, pixels, count)
            unsafe PlainPlaneKernel.mix(
                luma + done, blue + done, red + done, alpha: alpha.map { unsafe $0 + done },
                into: pixels + done * 4, count: count - done)
        }
    }
#endif

enum PlainPlaneKernel: PlaneKernel {
    static func weigh(
        rows: UnsafePointer<UnsafePointer<UInt8>>, into sums: UnsafeMutablePointer<Int16>,
        count: Int
    ) {
        unsafe PlainKernel.weigh(rows: rows, into: sums, count: count)
    }

    static func halve(
        sums: UnsafePointer<Int16>, roundings: UnsafePointer<Int16>,
        into target: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        for index in 0..<count {
            let first = unsafe sums + index * 2
            let inner = unsafe (first[1] &+ first[2]) &* 3
            let sum = unsafe first[0] &+ first[3] &+ inner &+ roundings[index]
            unsafe target[index] = UInt8(truncatingIfNeeded: sum &>> 6)
        }
    }

    static func smoothDown(
        _ above: UnsafePointer<UInt8>, _ here: UnsafePointer<UInt8>, _ below: UnsafePointer<UInt8>,
        into sums: UnsafeMutablePointer<UInt16>, count: Int
    ) {
        for index in 0..<count {
            let outer = unsafe UInt16(above[index]) &+ UInt16(below[index])
            unsafe sums[index] = outer &* 3 &+ UInt16(here[index]) &* 10
        }
    }

    static func smoothAcross(
        _ sums: UnsafePointer<UInt16>, into target: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        for index in 0..<count {
            let outer = unsafe sums[index] &+ sums[index + 2]
            let sum = unsafe outer &* 3 &+ sums[index + 1] &* 10 &+ 128
            unsafe target[index] = UInt8(truncatingIfNeeded: sum &>> 8)
        }
    }

    static func mean(
        _ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>,
        into target: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        for index in 0..<count {
            let above = unsafe UInt16(upper[index * 2]) &+ UInt16(upper[index * 2 + 1])
            let below = unsafe UInt16(lower[index * 2]) &+ UInt16(lower[index * 2 + 1])
            unsafe target[index] = UInt8(truncatingIfNeeded: (above &+ below &+ 2) &>> 2)
        }
    }

    static func weigh(
        _ values: UnsafeMutablePointer<UInt8>, by alphas: UnsafePointer<UInt8>, count: Int
    ) {
        for index in 0..<count {
            let sum = unsafe UInt16(values[index]) &* UInt16(alphas[index]) &+ 128
            unsafe values[index] = UInt8(truncatingIfNeeded: (sum &+ sum &>> 8) &>> 8)
        }
    }

    static func straighten(
        _ values: UnsafeMutablePointer<UInt8>, by alphas: UnsafePointer<UInt8>, count: Int
    ) {
        for index in 0..<count {
            let alpha = unsafe UInt32(alphas[index])
            guard alpha > 0 else { continue }
            let value = unsafe (UInt32(values[index]) &* 510 &+ alpha) / (alpha &* 2)
            unsafe values[index] = UInt8(truncatingIfNeeded: min(value, 255))
        }
    }

    /// The factors are those of BT.601 in 1/2^14; each product keeps six fractional bits. The
    /// offsets (luma 16, chroma 128) are subtracted afterwards, so that an area of one colour
    /// equals libwebp's result to the last bit.
    static func mix(
        _ luma: UnsafePointer<UInt8>, _ blue: UnsafePointer<UInt8>, _ red: UnsafePointer<UInt8>,
        alpha: UnsafePointer<UInt8>?, into pixels: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        for index in 0..<count {
            let y = unsafe (Int32(luma[index]) &* 19_077) &>> 8
            let (u, v) = unsafe (Int32(blue[index]), Int32(red[index]))
            let pixel = unsafe pixels + index * 4
            unsafe pixel[0] = shown(y &+ (v &* 26_149) &>> 8 &- 14_234)
            unsafe pixel[1] = shown(y &- (u &* 6_419) &>> 8 &- (v &* 13_320) &>> 8 &+ 8_708)
            unsafe pixel[2] = shown(y &+ (u &* 33_050) &>> 8 &- 17_685)
            unsafe pixel[3] = alpha?[index] ?? 255
        }
    }

    @inline(__always)
    private static func shown(_ value: Int32) -> UInt8 {
        UInt8(truncatingIfNeeded: min(255, max(0, value &>> 6)))
    }
}
