import CKernels
import System

/// The resampling weights of one axis, as whole numbers.
///
/// Each output has a run of neighbouring inputs. Its weights add up to exactly `1 << bits`, so that
/// an area of one colour keeps its colour. Weights are stored in pairs of 16 bits, as the kernels
/// multiply them.
struct FilterTable: Sendable {
    typealias Run = emb_run

    private(set) var runs: [Run] = []
    /// Two weights per word, the earlier input's weight in the low half.
    private(set) var weights: [Int32] = []
    /// The number of fractional bits of the weights.
    let bits: Int
    /// The inputs that have a weight.
    private(set) var inputs: Range<Int>

    var byteCount: Int {
        weights.count * MemoryLayout<Int32>.stride + runs.count * MemoryLayout<Run>.stride
    }

    /// Rounds the weights in `shares`. `bitsLimit` keeps the sums of a kernel below 32 bits. With
    /// `evenStarts` every run begins at an even input.
    init(_ shares: FilterWeights, bitsLimit: Int, evenStarts: Bool) {
        var largest = 0.0
        for weight in shares.weights { largest = max(largest, abs(weight)) }
        var bits = 14
        // 32,500 leaves room for the rounding remainder below the limit of 16 bits.
        while bits < bitsLimit && largest * Double(2 << bits) < 32_500 { bits += 1 }
        self.bits = bits

        runs.reserveCapacity(shares.runs.count)
        weights.reserveCapacity(shares.weights.count / 2 + shares.runs.count)
        inputs = (shares.runs.first?.start ?? 0)..<(shares.runs.first?.start ?? 0)
        var whole: [Int32] = []
        for run in shares.runs {
            FilterTable.round(run, of: shares.weights, bits: bits, into: &whole)
            let lead = evenStarts ? run.start & 1 : 0
            append(whole, start: run.start - lead, lead: lead)
        }
    }

    private mutating func append(_ whole: [Int32], start: Int, lead: Int) {
        let pairs = (lead + whole.count + 1) / 2
        runs.append(Run(start: start, first: weights.count, pairs: pairs))
        inputs =
            min(inputs.lowerBound, start)..<max(inputs.upperBound, start + lead + whole.count)
        var index = -lead
        for _ in 0..<pairs {
            let early = index >= 0 ? whole[index] : 0
            let late = index + 1 < whole.count ? whole[index + 1] : 0
            weights.append(early & 0xFFFF | late << 16)
            index += 2
        }
    }

    /// Rounds the weights so that they add up to exactly one. The largest weight takes the
    /// remainder; in a symmetric run the middle takes it evenly.
    private static func round(
        _ run: FilterWeights.Run, of shares: [Double], bits: Int, into whole: inout [Int32]
    ) {
        let one = Double(1 << bits)
        whole.removeAll(keepingCapacity: true)
        var missing = Int32(1 << bits)
        var peak = 0
        for index in 0..<run.count {
            let exact = shares[run.first + index] * one + 0.5
            // Conversion is faster than `rounded`, which is a call without SSE4.1.
            var weight = Int32(exact)
            if Double(weight) > exact { weight -= 1 }
            whole.append(weight)
            missing -= weight
            // A mirrored run takes the last of equal peaks, because its original took the first.
            if weight > whole[peak] || run.isMirrored && weight == whole[peak] { peak = index }
        }
        if run.isSymmetric {
            whole[run.count / 2] += missing / 2
            missing -= missing / 2
            peak = (run.count - 1) / 2
        }
        whole[peak] += missing
    }
}

/// The filter tables used last. Most pictures of a run share a few sizes, and making a table takes
/// longer than scaling a small picture.
enum FilterCache {
    struct Key: Hashable {
        let axis: FilterAxis
        let window: Range<Int>
        let bitsLimit: Int
        let evenStarts: Bool
    }

    private static let tables = BoundedCache<Key, FilterTable>(
        countLimit: 768, weightLimit: 8 << 20)
    /// The largest table that is cached, in bytes. Larger tables are seldom reused.
    private static let bytesLimit = 64 << 10

    static func table(_ key: Key) -> FilterTable {
        if let known = tables.value(for: key) { return known }
        let table = FilterTable(
            key.axis.weights(for: key.window), bitsLimit: key.bitsLimit, evenStarts: key.evenStarts)
        let bytes = table.byteCount
        if bytes <= bytesLimit { tables.keep(table, for: key, weight: bytes) }
        return table
    }
}

/// The weights of an axis before rounding: one run of inputs per output.
struct FilterWeights {
    /// The run of one output; its weights add up to 1.
    struct Run {
        /// The index of the first input.
        var start: Int
        /// The index of the first weight in `weights`.
        var first: Int
        var count: Int
        var isSymmetric = false
        /// Whether the run was made as the mirror image of an earlier one.
        var isMirrored = false
    }

    var runs: [Run] = []
    var weights: [Double] = []

    /// Makes a run of the weights from `begin` on, removes zeros at its ends and scales the sum to
    /// 1.
    ///
    /// With a whole scale factor, the ends of a run fall on zeros of the kernel.
    mutating func closeRun(start: Int, from begin: Int) {
        while weights.count > begin + 1 && weights[weights.count - 1] == 0 { weights.removeLast() }
        var skipped = 0
        while begin + skipped < weights.count - 1 && weights[begin + skipped] == 0 { skipped += 1 }
        let first = begin + skipped
        var sum = 0.0
        for index in first..<weights.count { sum += weights[index] }
        let scale = 1 / sum
        for index in first..<weights.count { weights[index] *= scale }
        runs.append(Run(start: start + skipped, first: first, count: weights.count - first))
    }

    /// Adds the mirror image of an earlier run; the axis has `inputs` inputs.
    mutating func appendMirror(of index: Int, inputs: Int) {
        let run = runs[index]
        let first = weights.count
        for offset in 0..<run.count {
            weights.append(weights[run.first + run.count - 1 - offset])
        }
        runs.append(
            Run(
                start: inputs - run.start - run.count, first: first, count: run.count,
                isMirrored: true))
    }

    /// Replaces the last run by its mirror image.
    mutating func mirrorLast(inputs: Int) {
        let run = runs[runs.count - 1]
        weights[run.first...].reverse()
        runs[runs.count - 1].start = inputs - run.start - run.count
        runs[runs.count - 1].isMirrored = true
    }
}

/// One axis of a picture that is resampled from `source` to `target` pixels.
///
/// With a `block` above 1 the inputs are averages of that many source pixels (the last block may be
/// shorter), and the weights compensate for the loss of fine detail. Inputs may also be halved
/// `halvings` times (`HalfWeights`). An axis that grows uses the cubic kernel, any other the
/// Lanczos kernel, independent of the other axis.
struct FilterAxis: Hashable, Sendable {
    let source: Int
    let target: Int
    let block: Int
    let halvings: Int

    /// The maximum number of halvings that weights are propagated through; after more halvings,
    /// blocks are precise enough.
    private static let halvingsLimit = 4

    /// - Parameter stored: the number of source pixels in one stored pixel before halving.
    init(source: Int, target: Int, stored: Int, halvings: Int) {
        self.source = source
        self.target = target
        self.halvings = min(halvings, FilterAxis.halvingsLimit)
        block = stored << (halvings - self.halvings)
    }

    private var blocks: Int { (source + block - 1) / block }

    /// The number of stored pixels along the axis.
    var inputs: Int {
        let unit = block << halvings
        return (source + unit - 1) / unit
    }

    /// Whether every output has a mirror image with reversed weights.
    private var isSymmetric: Bool { source % (block << halvings) == 0 }

    /// Whether the axis is enlarged. A picture that is to be enlarged was never shrunk before.
    private var grows: Bool { target > source && block == 1 && halvings == 0 }

    /// The distance from an output's centre beyond which all weights are zero, in source pixels.
    private var reach: Double {
        grows ? Cubic.radius : Lanczos.radius * max(1, Double(source) / Double(target))
    }

    func weights(for window: Range<Int>) -> FilterWeights {
        var shares = FilterWeights()
        shares.runs.reserveCapacity(window.count)
        let longest = 2 * Int(reach / Double(block << halvings)) + 8
        shares.weights.reserveCapacity(window.count * min(longest, inputs))
        for output in window {
            let mirrored = target - 1 - output
            if isSymmetric && mirrored < output {
                // The weights of `mirrored` are unknown if it lies before the window.
                let twin = mirrored - window.lowerBound
                if twin >= 0 {
                    shares.appendMirror(of: twin, inputs: inputs)
                } else {
                    append(mirrored, to: &shares)
                    shares.mirrorLast(inputs: inputs)
                }
            } else {
                append(output, to: &shares)
                shares.runs[shares.runs.count - 1].isSymmetric = isSymmetric && mirrored == output
            }
        }
        return shares
    }

    private func append(_ output: Int, to shares: inout FilterWeights) {
        let stretch = max(1, Double(source) / Double(target))
        let narrowing = 1 / stretch
        // A quotient of whole numbers is exact wherever the centre is a pixel's centre or edge.
        let centre = Double((2 * output + 1) * source) / Double(2 * target)
        let unit = Double(block)
        // Blocks need one more input on each side, for sharpening.
        let margin = block > 1 ? 1 : 0
        let first = max(0, Int(((centre - reach) / unit).rounded(.down)) - margin)
        let last = min(blocks - 1, Int(((centre + reach) / unit).rounded(.up)) + margin)
        if halvings == 0 {
            let begin = shares.weights.count
            append(first...last, centre: centre, narrowing: narrowing, to: &shares.weights)
            shares.closeRun(start: first, from: begin)
        } else {
            var weights: [Double] = []
            weights.reserveCapacity(last - first + 1)
            append(first...last, centre: centre, narrowing: narrowing, to: &weights)
            appendHalves(of: weights, start: first, to: &shares)
        }
    }

    private func append(
        _ inputs: ClosedRange<Int>, centre: Double, narrowing: Double, to weights: inout [Double]
    ) {
        if block == 1 {
            for index in inputs {
                let distance = (Double(index) + 0.5 - centre) * narrowing
                weights.append(grows ? Cubic.weight(at: distance) : Lanczos.weight(at: distance))
            }
            return
        }
        let begin = weights.count
        for index in inputs {
            let start = index * block
            let end = min(start + block, source)
            let distance = (Double(start + end) / 2 - centre) * narrowing
            weights.append(Double(end - start) / Double(block) * Lanczos.weight(at: distance))
        }
        sharpen(&weights, from: begin)
    }

    /// Converts the weights of blocks, from block `start` on, to weights of halved pixels, and
    /// appends them as a run.
    private func appendHalves(
        of blockWeights: [Double], start: Int, to shares: inout FilterWeights
    ) {
        var (weights, start) = (blockWeights, start)
        for halving in 0..<halvings {
            let axis = HalvedAxis(whole: source, unit: block << halving)
            let end = start + weights.count - 1
            let halves = max(0, start / 2 - 1)...min(axis.halvedCount - 1, end / 2 + 1)
            weights = HalfWeights(axis: axis).nearest(to: weights, from: start, halves: halves)
            start = halves.lowerBound
        }
        let begin = shares.weights.count
        shares.weights += weights
        shares.closeRun(start: start, from: begin)
    }

    /// Compensates, to the second order, for the attenuation of low frequencies by block averaging.
    private func sharpen(_ weights: inout [Double], from begin: Int) {
        let unit = Double(block)
        let strength = (1 - 1 / (unit * unit)) / 24
        var before = weights[begin]
        for index in begin..<weights.count {
            let plain = weights[index]
            let after = weights[min(index + 1, weights.count - 1)]
            weights[index] = plain - strength * ((before + after) - 2 * plain)
            before = plain
        }
    }
}

/// The cubic kernel of Mitchell and Netravali with B = C = 1/3, for enlarging.
///
/// When enlarging, Lanczos overshoots flat edges by an eighth of the step and produces blotches.
/// This kernel overshoots by less than 4 %. It does not reproduce the source's values exactly, so
/// an axis of unchanged length uses Lanczos, which copies.
enum Cubic {
    static let radius = 2.0

    /// The kernel at distance `x`: the piecewise polynomials of D. Mitchell and A. Netravali,
    /// "Reconstruction Filters in Computer Graphics" (1988), over a common denominator of 18.
    static func weight(at x: Double) -> Double {
        let distance = abs(x)
        if distance < 1 { return ((21 * distance - 36) * distance * distance + 16) / 18 }
        if distance < radius {
            return (((36 - 7 * distance) * distance - 60) * distance + 32) / 18
        }
        return 0
    }
}

/// The Lanczos kernel of three lobes, equal to the last bit on every processor.
enum Lanczos {
    static let radius = 3.0

    /// The kernel at distance `x`; exactly 1 at 0 and exactly 0 at every other whole number.
    static func weight(at x: Double) -> Double {
        let distance = abs(x)
        guard distance < radius else { return 0 }
        // Conversion is faster than `rounded`, which is a call without SSE4.1.
        guard distance != Double(Int(distance)) else { return distance == 0 ? 1 : 0 }
        // sin(3t) = 3 sin t - 4 sin³ t, so one sine is enough for both factors.
        let angle = distance * (Double.pi / 3)
        let slow = ExactSine.sine(angle)
        let fast = slow * (3 - 4 * slow * slow)
        return fast * slow / (3 * angle * angle)
    }
}

/// Sine and cosine from exact IEEE operations only. The last bit of the C library's functions may
/// differ between processors.
enum ExactSine {
    @inline(__always)
    static func sine(_ angle: Double) -> Double {
        let t = angle > Double.pi / 2 ? Double.pi - angle : angle
        let s = t * t
        // The Taylor series up to t¹⁷; the next term is below 5e-14 at π/2.
        var sum = 1.0 / 355_687_428_096_000
        sum = sum * s - 1.0 / 1_307_674_368_000
        sum = sum * s + 1.0 / 6_227_020_800
        sum = sum * s - 1.0 / 39_916_800
        sum = sum * s + 1.0 / 362_880
        sum = sum * s - 1.0 / 5_040
        sum = sum * s + 1.0 / 120
        sum = sum * s - 1.0 / 6
        return t * (sum * s + 1)
    }

    /// Returns the cosine of `numerator`/`denominator` half turns, both whole and non-negative.
    static func cosine(halfTurns numerator: Int, of denominator: Int) -> Double {
        let turn = 2 * denominator
        let rest = numerator % turn
        // cos(2π - t) = cos t, and cos t = sin(π/2 - t) = -sin(t - π/2).
        let folded = min(rest, turn - rest)
        let quarter = denominator - 2 * folded
        let size = sine(Double(abs(quarter)) / Double(turn) * Double.pi)
        return quarter < 0 ? -size : size
    }
}
