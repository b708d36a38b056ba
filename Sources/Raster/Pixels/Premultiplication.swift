#if arch(x86_64)
    import CKernels
#endif

/// Conversion from straight to premultiplied RGBA, rounded to the nearest; used for every PNG row.
package enum Premultiplication {
    private static let alphaBits: UInt64 = 0xFF00_0000_FF00_0000

    /// Converts `count` pixels and returns the AND of their alphas in the highest byte. `source`
    /// and `result` are equal or do not overlap.
    @unsafe
    package static func row(
        _ source: UnsafeRawPointer, result: UnsafeMutableRawPointer, count: Int,
        kernel: KernelChoice = .best
    ) -> UInt32 {
        #if arch(x86_64)
            if kernel == .best && AVX2Kernel.isAvailable {
                var alphas = UInt32.max
                let done = unsafe emb_premultiply_avx2(
                    source.assumingMemoryBound(to: UInt8.self),
                    result.assumingMemoryBound(to: UInt8.self), count, &alphas)
                return unsafe alphas
                    & plainRow(source + done * 4, result: result + done * 4, count: count - done)
            }
        #endif
        return unsafe plainRow(source, result: result, count: count)
    }

    private static func plainRow(
        _ source: UnsafeRawPointer, result: UnsafeMutableRawPointer, count: Int
    ) -> UInt32 {
        var alphas = UInt64.max
        let bytes = count &* 4
        var offset = 0
        // Four pixels at a time, because logos are mostly fully opaque or fully transparent.
        while offset &+ 16 <= bytes {
            let first = unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let second = unsafe source.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
            alphas &= first & second
            if first & second & alphaBits == alphaBits {
                unsafe result.storeBytes(of: first, toByteOffset: offset, as: UInt64.self)
                unsafe result.storeBytes(of: second, toByteOffset: offset &+ 8, as: UInt64.self)
            } else if (first | second) & alphaBits == 0 {
                unsafe result.storeBytes(of: 0, toByteOffset: offset, as: UInt64.self)
                unsafe result.storeBytes(of: 0, toByteOffset: offset &+ 8, as: UInt64.self)
            } else {
                unsafe result.storeBytes(of: pair(first), toByteOffset: offset, as: UInt64.self)
                unsafe result.storeBytes(
                    of: pair(second), toByteOffset: offset &+ 8, as: UInt64.self)
            }
            offset &+= 16
        }
        var rest = UInt32(truncatingIfNeeded: alphas) & UInt32(truncatingIfNeeded: alphas >> 32)
        while offset < bytes {
            let pixel = unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            rest &= pixel
            unsafe result.storeBytes(of: single(pixel), toByteOffset: offset, as: UInt32.self)
            offset &+= 4
        }
        return rest
    }

    @inline(__always)
    private static func single(_ pixel: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: pair(UInt64(pixel)))
    }

    /// Converts two pixels; the first pixel's red is in the lowest byte.
    @inline(__always)
    private static func pair(_ pixels: UInt64) -> UInt64 {
        // Colours are multiplied by alpha, and alpha by 255. The sum (t + 128 + (t + 128 >> 8)) >>
        // 8 divides every product t of two bytes by 255 and rounds it to the nearest.
        let ones: UInt64 = 0x0000_0001_0001_0001
        let alphaLane: UInt64 = 0x00FF_0000_0000_0000
        let factors = SIMD2<UInt64>(
            (pixels >> 24 & 0xFF) &* ones | alphaLane, (pixels >> 56) &* ones | alphaLane)
        let bytes = unsafe unsafeBitCast(pixels, to: SIMD8<UInt8>.self)
        let lanes = unsafe unsafeBitCast(factors, to: SIMD8<UInt16>.self)
        let sum = SIMD8<UInt16>(truncatingIfNeeded: bytes) &* lanes &+ 128
        let quotient = (sum &+ (sum &>> 8)) &>> 8
        return unsafe unsafeBitCast(SIMD8<UInt8>(truncatingIfNeeded: quotient), to: UInt64.self)
    }
}
