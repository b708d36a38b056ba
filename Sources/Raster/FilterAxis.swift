/// One axis of a picture on its way from `source` to `target` pixels, in exact positions.
///
/// With a `block` above 1 the inputs are averages of that many source pixels (the last block may
/// be shorter). Averaging dims fine detail a little; the weights make up for it.
struct FilterAxis: Hashable, Sendable {
    let source: Int
    let target: Int
    let block: Int
    /// How many source pixels one stored pixel stands for already; divides `block`.
    var stored = 1
    /// The inputs are halves: every other pixel, weighed with its neighbours (`HalfWeights`).
    var isHalved = false

    /// The stored pixels that make up a block.
    var storedPerBlock: Int { block / stored }

    /// The stored pixels along the axis.
    var storedCount: Int { (source + stored - 1) / stored }

    /// The number of inputs: pixels, or blocks of them.
    var inputs: Int { isHalved ? source / 2 : (source + block - 1) / block }

    /// Every output has a mirror image with the same weights in reverse.
    private var isSymmetric: Bool { source % (isHalved ? 2 : block) == 0 }

    /// The exact weights of the outputs in `window`.
    func shares(for window: Range<Int>) -> FilterShares {
        var shares = FilterShares()
        shares.runs.reserveCapacity(window.count)
        let stretch = max(1, Double(source) / Double(target))
        let longest = 2 * Int(Lanczos.radius * stretch / Double(block)) + 6
        shares.weights.reserveCapacity(window.count * min(longest, inputs))
        for output in window {
            let mirrored = target - 1 - output
            if isSymmetric && mirrored < output {
                // Computed, not copied, where the window leaves the first half out.
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

    private func append(_ output: Int, to shares: inout FilterShares) {
        let stretch = max(1, Double(source) / Double(target))
        let narrowing = 1 / stretch
        // A quotient of whole numbers: exact wherever the centre is a pixel's centre or edge.
        let centre = Double((2 * output + 1) * source) / Double(2 * target)
        let reach = Lanczos.radius * stretch
        if isHalved {
            appendHalves(centre: centre, reach: reach, narrowing: narrowing, to: &shares)
            return
        }
        let unit = Double(block)
        // Blocks get one more on each side, for sharpening.
        let margin = block > 1 ? 1 : 0
        let first = max(0, Int(((centre - reach) / unit).rounded(.down)) - margin)
        let last = min(inputs - 1, Int(((centre + reach) / unit).rounded(.up)) + margin)

        let begin = shares.weights.count
        if block == 1 {
            for index in first...last {
                let distance = (Double(index) + 0.5 - centre) * narrowing
                shares.weights.append(Lanczos.weight(at: distance))
            }
        } else {
            for index in first...last {
                let start = index * block
                let end = min(start + block, source)
                let distance = (Double(start + end) / 2 - centre) * narrowing
                shares.weights.append(Double(end - start) / unit * Lanczos.weight(at: distance))
            }
            sharpen(&shares.weights, from: begin)
        }
        shares.closeRun(start: first, from: begin)
    }

    private func appendHalves(
        centre: Double, reach: Double, narrowing: Double, to shares: inout FilterShares
    ) {
        let start = max(0, Int((centre - reach).rounded(.down)))
        let end = min(source - 1, Int((centre + reach).rounded(.up)))
        let pixels = (start...end).map { index in
            Lanczos.weight(at: (Double(index) + 0.5 - centre) * narrowing)
        }
        let halves = max(0, start / 2 - 1)...min(inputs - 1, end / 2 + 1)
        let begin = shares.weights.count
        HalfWeights(source: source).append(
            nearestTo: pixels, from: start, halves: halves, to: &shares.weights)
        shares.closeRun(start: halves.lowerBound, from: begin)
    }

    /// Undoes, to the second order, what averaging over a block does to slow waves.
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
