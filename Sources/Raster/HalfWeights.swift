/// The weights on halves that do what given weights on pixels do, as nearly as any can.
///
/// A half is (1 3 3 1) / 8 of four neighbouring pixels, every other pixel a new one; past an edge
/// the last pixel counts again. Weights on halves are weights on pixels that bend smoothly from
/// one to the next, which those of a kernel two or more pixels wide a lobe do anyway: the best
/// ones, by least squares, miss them by less than a tenth of what averages of two pixels do.
struct HalfWeights {
    /// The pixels along the axis, an even number above 2: halves are then their own mirror image.
    let source: Int

    /// What each of the pixels `2 half - 1` to `2 half + 2` counts in a half, in eighths.
    private func eighths(of half: Int) -> SIMD4<Double> {
        if half == 0 { return SIMD4(0, 4, 3, 1) }
        return 2 * half + 2 < source ? SIMD4(1, 3, 3, 1) : SIMD4(1, 3, 4, 0)
    }

    /// The weights of `halves` that come nearest to `pixels`, whose first is that of pixel `start`;
    /// appended to `weights`.
    func append(
        nearestTo pixels: [Double], from start: Int, halves: ClosedRange<Int>,
        to weights: inout [Double]
    ) {
        func pixel(_ index: Int) -> Double {
            let place = index - start
            return pixels.indices.contains(place) ? pixels[place] : 0
        }
        // Only neighbouring halves share pixels: the equations have three unknowns each.
        let begin = weights.count
        var couplings: [Double] = []
        couplings.reserveCapacity(halves.count)
        var (before, coupling) = (SIMD4<Double>.zero, 0.0)
        for half in halves {
            let own = eighths(of: half)
            let shared = half == halves.lowerBound ? 0 : before[2] * own[0] + before[3] * own[1]
            var wanted = 0.0
            for place in 0..<4 { wanted += own[place] * pixel(2 * half - 1 + place) }
            let previous = weights.count > begin ? weights[weights.count - 1] : 0
            let pivot = 1 / ((own * own).sum() - shared * coupling)
            weights.append((wanted - shared * previous) * pivot)
            let next = eighths(of: half + 1)
            coupling = (own[2] * next[0] + own[3] * next[1]) * pivot
            couplings.append(coupling)
            before = own
        }
        for index in stride(from: halves.count - 2, through: 0, by: -1) {
            weights[begin + index] -= couplings[index] * weights[begin + index + 1]
        }
    }
}
