/// Makes rows of a halved picture, each of the new pixels weighed (1 3 3 1) / 8 both ways from four
/// rows and four columns (`HalvedAxis`).
///
/// Where they round up varies from pixel to pixel, so that a fine pattern is on average as bright as
/// before. What is opaque stays opaque, an even surface even, no colour comes to exceed its alpha,
/// and mirror images stay so.
@safe
struct HalvedRow: ~Copyable {
    private let axis: HalvedAxis
    private let isHalvedAcross: Bool
    /// The rows that come of it.
    private let rows: Int
    /// The four rows added up: a pixel before the first, and what a vector reads beyond the last.
    private let sums: UnsafeMutablePointer<Int16>
    /// What is added before fractions are cut off, for even rows and for odd ones.
    private let roundings: UnsafeMutablePointer<Int16>

    /// 64th parts by row and column, counted from the nearer edges.
    private static let steps: [[Int16]] = [[8, 40], [56, 24]]

    init(_ axis: HalvedAxis, isHalvedAcross: Bool, rows: Int) {
        self.axis = axis
        self.isHalvedAcross = isHalvedAcross
        self.rows = rows
        let count = (axis.count + 24) * 4
        unsafe sums = .allocate(capacity: count)
        unsafe sums.initialize(repeating: 0, count: count)
        let width = isHalvedAcross ? axis.halves : axis.count
        unsafe roundings = .allocate(capacity: width * 8)
        for parity in 0..<2 {
            for x in 0..<width {
                let step = Self.steps[parity][min(x, width - 1 - x) & 1]
                unsafe (roundings + (parity * width + x) * 4).initialize(repeating: step, count: 4)
            }
        }
    }

    deinit {
        unsafe sums.deallocate()
        unsafe roundings.deallocate()
    }

    /// Mixes four rows, the upper ones first, into row `index`.
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
            sums: sums, roundings: roundings + parity * axis.halves * 4, into: pixels,
            count: axis.halves)
    }
}

/// One axis of a picture that is halved: half `h` is (1 3 3 1) / 8 of the pixels from `2 h - 1` on.
struct HalvedAxis {
    /// The pixels before.
    let count: Int
    /// How many pixels before the end those pixels stand that stand for the two after it.
    private let twins: (Int, Int)

    /// An axis of `whole` pixels, each `unit` of which are one now.
    ///
    /// The last one may stand for less than the others. What is past it is chosen such that over
    /// all halves each pixel counts by what it stands for, or nearly.
    init(whole: Int, unit: Int) {
        count = (whole + unit - 1) / unit
        let last = whole - (count - 1) * unit
        if count % 2 == 0 {
            twins = (last * 4 > unit * 3 ? 1 : 2, 2)
        } else {
            twins = last * 3 > unit * 2 ? (1, 2) : last * 8 > unit * 3 ? (2, 1) : (2, 2)
        }
    }

    /// The halves.
    var halves: Int { (count + 1) / 2 }

    /// The pixel that stands for one that may lie past an edge.
    func pixel(_ index: Int) -> Int {
        if index < 0 { return -1 - index }
        if index < count { return index }
        return max(0, count - (index == count ? twins.0 : twins.1))
    }
}

/// The weights on halves that do what given weights on pixels do, as nearly as any can.
///
/// Weights on halves are weights on pixels that bend smoothly from one to the next, which those of
/// a kernel two or more pixels wide a lobe do anyway: the best ones, by least squares, miss them by
/// less than a tenth of what averages of two pixels do.
struct HalfWeights {
    let axis: HalvedAxis

    /// What each of the pixels `2 half - 1` to `2 half + 2` counts in a half, in eighths.
    private func eighths(of half: Int) -> SIMD4<Double> {
        let first = 2 * half - 1
        let weights = SIMD4<Double>(1, 3, 3, 1)
        var result = SIMD4<Double>.zero
        for tap in 0..<4 { result[axis.pixel(first + tap) - first] += weights[tap] }
        return result
    }

    /// The weights of `halves` that come nearest to `pixels`, whose first is that of pixel `start`.
    func nearest(
        to pixels: [Double], from start: Int, halves: ClosedRange<Int>
    ) -> [Double] {
        func pixel(_ index: Int) -> Double {
            let tap = index - start
            return pixels.indices.contains(tap) ? pixels[tap] : 0
        }
        // Only neighbouring halves share pixels: the equations have three unknowns each.
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
