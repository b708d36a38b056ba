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
