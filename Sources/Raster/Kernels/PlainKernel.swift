/// The reference implementation of the resampler's loops; every other kernel must give the same
/// bits.
enum PlainKernel: ResampleKernel {
    static func blend(
        pixels rows: UnsafePointer<UnsafePointer<UInt8>>, weights: UnsafePointer<Int32>,
        pairs: Int, shift: Int32, into target: UnsafeMutablePointer<Int16>, count: Int
    ) {
        unsafe blend(
            pixels: rows, weights: weights, pairs: pairs, shift: shift, into: target, from: 0,
            to: count)
    }

    /// Mixes the pixels from `start` to `end`; faster kernels call this function for the pixels
    /// after their last full vector.
    static func blend(
        pixels rows: UnsafePointer<UnsafePointer<UInt8>>, weights: UnsafePointer<Int32>,
        pairs: Int, shift: Int32, into target: UnsafeMutablePointer<Int16>, from start: Int,
        to end: Int
    ) {
        for pixel in start..<end {
            let offset = (pixel >> 1) * 8 + (pixel & 1)
            for channel in 0..<4 {
                let index = pixel * 4 + channel
                var sum = half(shift)
                for pair in 0..<pairs {
                    let weight = unsafe weights[pair]
                    let early = unsafe Int32(rows[2 * pair][index])
                    let late = unsafe Int32(rows[2 * pair + 1][index])
                    sum &+= early &* low(weight) &+ late &* high(weight)
                }
                unsafe target[offset + channel * 2] = saturated(sum >> shift)
            }
        }
    }

    static func gather(
        row: UnsafePointer<Int16>, runs: UnsafePointer<FilterTable.Run>,
        weights: UnsafePointer<Int32>, shift: Int32, into target: UnsafeMutablePointer<Int16>,
        count: Int
    ) {
        for index in 0..<count {
            let run = unsafe runs[index]
            let values = unsafe row + run.start * 4
            let pairs = unsafe weights + run.first
            for channel in 0..<4 {
                var sum = half(shift)
                for pair in 0..<run.pairs {
                    let weight = unsafe pairs[pair]
                    let early = unsafe Int32(values[pair * 8 + channel * 2])
                    let late = unsafe Int32(values[pair * 8 + channel * 2 + 1])
                    sum &+= early &* low(weight) &+ late &* high(weight)
                }
                unsafe target[index * 4 + channel] = saturated(sum >> shift)
            }
        }
    }

    static func store(
        values: UnsafePointer<Int16>, into pixels: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        unsafe store(values: values, into: pixels, from: 0, to: count)
    }

    static func store(
        values: UnsafePointer<Int16>, into pixels: UnsafeMutablePointer<UInt8>, from start: Int,
        to end: Int
    ) {
        for index in start..<end {
            let value = unsafe values + index * 4
            let pixel = unsafe pixels + index * 4
            let alpha = unsafe min(255, max(0, (Int32(value[3]) + 32) >> 6))
            unsafe pixel[3] = UInt8(truncatingIfNeeded: alpha)
            for channel in 0..<3 {
                let step = unsafe min(alpha, max(0, (Int32(value[channel]) + 32) >> 6))
                unsafe pixel[channel] = UInt8(truncatingIfNeeded: step)
            }
        }
    }

    static func weigh(
        rows: UnsafePointer<UnsafePointer<UInt8>>, into sums: UnsafeMutablePointer<Int16>,
        count: Int
    ) {
        unsafe weigh(rows: rows, into: sums, from: 0, to: count)
    }

    static func weigh(
        rows: UnsafePointer<UnsafePointer<UInt8>>, into sums: UnsafeMutablePointer<Int16>,
        from start: Int, to end: Int
    ) {
        for index in start..<end {
            let outer = unsafe Int16(rows[0][index]) &+ Int16(rows[3][index])
            let inner = unsafe Int16(rows[1][index]) &+ Int16(rows[2][index])
            unsafe sums[index] = outer &+ inner &* 3
        }
    }

    static func halve(
        sums: UnsafePointer<Int16>, roundings: UnsafePointer<Int16>,
        into pixels: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        unsafe halve(sums: sums, roundings: roundings, into: pixels, from: 0, to: count)
    }

    static func halve(
        sums: UnsafePointer<Int16>, roundings: UnsafePointer<Int16>,
        into pixels: UnsafeMutablePointer<UInt8>, from start: Int, to end: Int
    ) {
        for half in start..<end {
            for channel in 0..<4 {
                let first = unsafe sums + half * 8 + channel
                let inner = unsafe (first[4] &+ first[8]) &* 3
                let sum = unsafe first[0] &+ first[12] &+ inner &+ roundings[half * 4 + channel]
                unsafe pixels[half * 4 + channel] = UInt8(truncatingIfNeeded: sum &>> 6)
            }
        }
    }

    @inline(__always)
    private static func half(_ shift: Int32) -> Int32 { (1 << shift) >> 1 }

    @inline(__always)
    private static func low(_ pair: Int32) -> Int32 { Int32(Int16(truncatingIfNeeded: pair)) }

    @inline(__always)
    private static func high(_ pair: Int32) -> Int32 { pair >> 16 }

    @inline(__always)
    private static func saturated(_ value: Int32) -> Int16 {
        Int16(truncatingIfNeeded: min(32_767, max(-32_768, value)))
    }
}
