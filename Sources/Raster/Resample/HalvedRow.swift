/// Makes rows of a halved picture: each pixel is the (1 3 3 1) / 8 average, in both directions, of
/// four rows and four columns (`HalvedAxis`).
///
/// Rounding varies from pixel to pixel, so that a fine pattern keeps its average brightness. Opaque
/// pixels stay opaque, areas of one colour keep their colour, colours stay below alpha, and mirror
/// images stay mirrored.
@safe
struct HalvedRow: ~Copyable {
    private let axis: HalvedAxis
    private let isHalvedAcross: Bool
    private let rows: Int
    /// The sum of four rows, with one pixel before the first and room for a vector's reads past the
    /// last.
    private let sums: UnsafeMutablePointer<Int16>
    private let roundings: UnsafeMutablePointer<Int16>

    /// Rounding terms in 64ths, by the parity of row and column as counted from the nearer edge.
    private static let roundingTerms: [[Int16]] = [[8, 40], [56, 24]]

    init(_ axis: HalvedAxis, isHalvedAcross: Bool, rows: Int) {
        self.axis = axis
        self.isHalvedAcross = isHalvedAcross
        self.rows = rows
        let count = (axis.count + 24) * 4
        unsafe sums = .allocate(capacity: count)
        unsafe sums.initialize(repeating: 0, count: count)
        let width = isHalvedAcross ? axis.halvedCount : axis.count
        unsafe roundings = .allocate(capacity: width * 8)
        for parity in 0..<2 {
            for x in 0..<width {
                let step = Self.roundingTerms[parity][min(x, width - 1 - x) & 1]
                unsafe (roundings + (parity * width + x) * 4).initialize(repeating: step, count: 4)
            }
        }
    }

    deinit {
        unsafe sums.deallocate()
        unsafe roundings.deallocate()
    }

    /// Mixes four rows of the source, given from the top, into row `index` of the halved picture.
    func make<Kernel: ResampleKernel>(
        _ kernel: Kernel.Type, _ index: Int, of lines: UnsafePointer<UnsafePointer<UInt8>>,
        into pixels: UnsafeMutablePointer<UInt8>
    ) {
        let (first, width) = unsafe (sums + 4, axis.count)
        let parity = min(index, rows - 1 - index) & 1
        unsafe kernel.weigh(rows: lines, into: first, count: width * 4)
        guard isHalvedAcross else {
            let rounding = unsafe roundings + parity * width * 4
            for byte in 0..<(width * 4) {
                let sum = unsafe first[byte] &+ rounding[byte] &>> 3
                unsafe pixels[byte] = UInt8(truncatingIfNeeded: sum &>> 3)
            }
            return
        }
        for channel in 0..<4 {
            unsafe sums[channel] = first[channel]
            for past in width...(width + 1) {
                let twin = axis.pixel(past)
                unsafe first[past * 4 + channel] = first[twin * 4 + channel]
            }
        }
        unsafe kernel.halve(
            sums: sums, roundings: roundings + parity * axis.halvedCount * 4, into: pixels,
            count: axis.halvedCount)
    }
}

/// One axis of a picture that is halved: pixel `h` of the result is the (1 3 3 1) / 8 average of
/// the four pixels from `2 h - 1` on.
struct HalvedAxis {
    let count: Int
    /// The pixels that are read in place of the two pixels past the end, as distances from the end.
    private let substitutes: (Int, Int)

    /// Makes the axis of `whole` original pixels, `unit` of which form one stored pixel.
    ///
    /// The last stored pixel may cover fewer original pixels. The pixels read past the end are
    /// chosen so that each stored pixel contributes to the result about in proportion to its
    /// length.
    init(whole: Int, unit: Int) {
        count = (whole + unit - 1) / unit
        let last = whole - (count - 1) * unit
        if count % 2 == 0 {
            substitutes = (last * 4 > unit * 3 ? 1 : 2, 2)
        } else {
            substitutes = last * 3 > unit * 2 ? (1, 2) : last * 8 > unit * 3 ? (2, 1) : (2, 2)
        }
    }

    var halvedCount: Int { (count + 1) / 2 }

    /// Returns the pixel that is read for `index`, which may lie past an edge.
    func pixel(_ index: Int) -> Int {
        if index < 0 { return -1 - index }
        if index < count { return index }
        return max(0, count - (index == count ? substitutes.0 : substitutes.1))
    }
}

/// Converts weights of pixels to the weights of halved pixels that approximate them best, by least
/// squares.
///
/// A halved pixel is a smooth average of four pixels, and the weights of a kernel with lobes of two
/// or more pixels are smooth. The error is therefore less than a tenth of that of averages of two
/// pixels.
struct HalfWeights {
    let axis: HalvedAxis

    /// Returns the weights, in eighths, of the pixels `2 half - 1` to `2 half + 2` in the halved
    /// pixel `half`.
    private func eighths(of half: Int) -> SIMD4<Double> {
        let first = 2 * half - 1
        let weights = SIMD4<Double>(1, 3, 3, 1)
        var result = SIMD4<Double>.zero
        for tap in 0..<4 { result[axis.pixel(first + tap) - first] += weights[tap] }
        return result
    }

    /// Returns the weights of the halved pixels `halves`. `pixels` holds the weights to
    /// approximate, from pixel `start` on.
    func nearest(
        to pixels: [Double], from start: Int, halves: ClosedRange<Int>
    ) -> [Double] {
        func pixel(_ index: Int) -> Double {
            let tap = index - start
            return pixels.indices.contains(tap) ? pixels[tap] : 0
        }
        // Only neighbouring halved pixels share pixels, so the system of equations is tridiagonal.
        var weights: [Double] = []
        weights.reserveCapacity(halves.count)
        var couplings: [Double] = []
        couplings.reserveCapacity(halves.count)
        var (before, own, coupling) = (SIMD4<Double>.zero, eighths(of: halves.lowerBound), 0.0)
        for half in halves {
            let shared = before[2] * own[0] + before[3] * own[1]
            var wanted = 0.0
            for tap in 0..<4 { wanted += own[tap] * pixel(2 * half - 1 + tap) }
            let pivot = 1 / ((own * own).sum() - shared * coupling)
            weights.append((wanted - shared * (weights.last ?? 0)) * pivot)
            let next = half < halves.upperBound ? eighths(of: half + 1) : .zero
            coupling = (own[2] * next[0] + own[3] * next[1]) * pivot
            couplings.append(coupling)
            (before, own) = (own, next)
        }
        for index in stride(from: weights.count - 2, through: 0, by: -1) {
            weights[index] -= couplings[index] * weights[index + 1]
        }
        return weights
    }
}
