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
