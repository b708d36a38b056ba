/// One axis of a picture on its way from `source` to `target` pixels, in exact positions.
///
/// With a `block` above 1 the inputs are averages of that many source pixels (the last block may
/// be shorter). Averaging dims fine detail a little; the weights make up for it.
struct FilterAxis: Sendable {
    let source: Int
    let target: Int
    let block: Int

    /// One output's weights over a run of inputs; they add up to 1.
    struct Taps {
        var start: Int
        var weights: [Double]
        var isSymmetric = false
    }

    /// The number of inputs: pixels, or blocks of them.
    var inputs: Int { (source + block - 1) / block }

    /// The weights of one output. Those in the second half mirror the first half exactly.
    func taps(for output: Int) -> Taps {
        let mirrored = target - 1 - output
        guard source % block == 0, mirrored <= output else { return firstHalfTaps(for: output) }
        var taps = firstHalfTaps(for: mirrored)
        taps.isSymmetric = mirrored == output
        taps.start = inputs - taps.start - taps.weights.count
        taps.weights.reverse()
        return taps
    }

    private func firstHalfTaps(for output: Int) -> Taps {
        let stretch = max(1, Double(source) / Double(target))
        // A quotient of whole numbers: exact wherever the centre is a pixel's centre or edge.
        let centre = Double((2 * output + 1) * source) / Double(2 * target)
        let reach = Lanczos.radius * stretch
        let unit = Double(block)
        let first = max(0, Int(((centre - reach) / unit).rounded(.down)) - 1)
        let last = min(inputs - 1, Int(((centre + reach) / unit).rounded(.up)) + 1)

        var weights: [Double] = []
        weights.reserveCapacity(last - first + 1)
        for index in first...last {
            let start = index * block
            let end = min(start + block, source)
            let middle = Double(start + end) / 2
            let share = Double(end - start) / unit
            weights.append(share * Lanczos.weight(at: (middle - centre) / stretch))
        }
        if block > 1 { sharpen(&weights) }

        // Zeros at both ends are the common case: whole factors put the ends on the kernel's zeros.
        let from = weights.firstIndex { $0 != 0 } ?? 0
        let to = weights.lastIndex { $0 != 0 } ?? weights.count - 1
        let sum = weights[from...to].reduce(0, +)
        return Taps(start: first + from, weights: weights[from...to].map { $0 / sum })
    }

    /// Undoes, to the second order, what averaging over a block does to slow waves.
    private func sharpen(_ weights: inout [Double]) {
        let unit = Double(block)
        let strength = (1 - 1 / (unit * unit)) / 24
        let plain = weights
        for index in plain.indices {
            let before = plain[max(index - 1, 0)]
            let after = plain[min(index + 1, plain.count - 1)]
            weights[index] = plain[index] - strength * (before - 2 * plain[index] + after)
        }
    }
}
