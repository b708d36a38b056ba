import Raster

/// Converts premultiplied pixels to straight pixels, for encoders that need them.
enum StraightAlpha {
    private static let alphaBits: UInt64 = 0xFF00_0000_FF00_0000

    /// Copies pixels of the same size and divides each colour by its alpha, rounded to nearest.
    static func copy(_ buffer: borrowing PixelBuffer, into straight: inout PixelBuffer) {
        let count = min(buffer.size.area, straight.size.area)
        unsafe buffer.withUnsafePixels { source in
            unsafe straight.withUnsafeMutablePixels { target in
                _ = unsafe divide(UnsafeRawPointer(source), to: target, count: count)
            }
        }
    }

    /// Divides `count` pixels and returns whether all are opaque and whether all are grey. Fully
    /// transparent pixels become zero.
    @unsafe
    static func divide(
        _ source: UnsafeRawPointer, to result: UnsafeMutableRawPointer, count: Int
    ) -> (isOpaque: Bool, isGrey: Bool) {
        var alphas = UInt64.max
        var differences: UInt64 = 0
        unsafe reciprocals.withUnsafeBufferPointer { reciprocals in
            var offset = 0
            let bytes = count &* 4
            // Tests four pixels at once: most of an emblem is opaque and needs no division.
            while offset &+ 16 <= bytes {
                var first = unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                var second = unsafe source.loadUnaligned(
                    fromByteOffset: offset &+ 8, as: UInt64.self)
                alphas &= first & second
                if first & second & alphaBits != alphaBits {
                    first = unsafe dividedPair(first, reciprocals)
                    second = unsafe dividedPair(second, reciprocals)
                }
                differences |= (first ^ first &>> 8) | (second ^ second &>> 8)
                unsafe result.storeBytes(of: first, toByteOffset: offset, as: UInt64.self)
                unsafe result.storeBytes(of: second, toByteOffset: offset &+ 8, as: UInt64.self)
                offset &+= 16
            }
            while offset < bytes {
                let pixel = unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                let straight = unsafe divided(pixel, reciprocals)
                alphas &= UInt64(pixel) | UInt64(pixel) &<< 32
                differences |= UInt64(straight ^ straight &>> 8)
                unsafe result.storeBytes(of: straight, toByteOffset: offset, as: UInt32.self)
                offset &+= 4
            }
        }
        return (alphas & alphaBits == alphaBits, differences & 0xFFFF_0000_FFFF == 0)
    }

    /// 255 / alpha with 24 fractional bits, rounded up.
    private static let reciprocals: [UInt32] = (0..<256).map { (alpha: UInt32) -> UInt32 in
        let one: UInt32 = 255 << 24
        return alpha == 0 ? 0 : (one + alpha - 1) / alpha
    }

    /// Divides the colours of two pixels by their alpha.
    @inline(__always)
    private static func dividedPair(
        _ pixels: UInt64, _ reciprocals: UnsafeBufferPointer<UInt32>
    ) -> UInt64 {
        if pixels & alphaBits == 0 { return 0 }
        let low = unsafe divided(UInt32(truncatingIfNeeded: pixels), reciprocals)
        let high = unsafe divided(UInt32(truncatingIfNeeded: pixels &>> 32), reciprocals)
        return UInt64(low) | UInt64(high) &<< 32
    }

    @inline(__always)
    private static func divided(
        _ pixel: UInt32, _ reciprocals: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        let alpha = pixel &>> 24
        if (alpha &+ 1) & 0xFF <= 1 { return alpha == 0 ? 0 : pixel }
        let reciprocal = unsafe reciprocals[Int(alpha)]
        return channel(pixel & 0xFF, reciprocal)
            | channel(pixel &>> 8 & 0xFF, reciprocal) &<< 8
            | channel(pixel &>> 16 & 0xFF, reciprocal) &<< 16 | alpha &<< 24
    }

    /// Returns 255 · value / alpha, rounded to nearest.
    @inline(__always)
    private static func channel(_ value: UInt32, _ reciprocal: UInt32) -> UInt32 {
        let quotient = (UInt64(value) &* UInt64(reciprocal) &+ 1 &<< 23) &>> 24
        return UInt32(truncatingIfNeeded: min(quotient, 255))
    }
}

extension PixelBuffer {
    /// Converts straight pixels to premultiplied sRGB.
    ///
    /// The image is first halved as often as a resampler would halve it for the request, because
    /// colour conversion is the most expensive step per pixel.
    consuming func finished(
        by transform: ColorTransform?, for request: DecodeRequest, _ orientation: Orientation
    ) -> PixelBuffer {
        var result = self
        if let transform {
            if let needed = request.neededSize, orientation == .up || request.defersOrientation {
                result = result.halvedStraight(
                    for: orientation.transposes ? needed.transposed : needed)
            }
            var pixels = result.mutablePixels
            transform.convert(&pixels)
        }
        result.premultiply()
        return result
    }

    /// Halves straight pixels, weighted by alpha, and returns straight pixels.
    private consuming func halvedStraight(for needed: PixelSize) -> PixelBuffer {
        var whole = self
        guard PyramidSteps(from: whole.size, to: needed) != .none else { return whole }
        whole.premultiply()
        let halves = whole.halved(for: [needed])
        guard !halves.isOpaque else { return halves }
        var result = PixelBuffer(unwritten: halves.size)
        result.shrinkage = halves.shrinkage
        StraightAlpha.copy(halves, into: &result)
        return result
    }
}
