/// The weights with which one axis of a picture is resampled, as whole numbers.
///
/// Each output takes a run of neighbouring inputs. Its weights add up to exactly `1 << bits`, so a
/// constant stays constant, and they are stored in pairs of 16 bits, as the kernels multiply them.
struct FilterTable: Sendable {
    /// One output's run of inputs.
    struct Run: Sendable {
        /// The first input.
        var start: Int
        /// Where the run's weights begin in `weights`.
        var first: Int
        /// How many pairs of inputs it takes; the last one's second weight may be 0.
        var pairs: Int
    }

    let runs: [Run]
    /// Two weights a word, the earlier input's in the low half.
    let weights: [Int32]
    let bits: Int
    /// The inputs that any run takes.
    let inputs: Range<Int>

    /// The longest run, in pairs.
    var longestRun: Int { runs.reduce(0) { max($0, $1.pairs) } }

    /// A table that reads `axis` and gives the outputs of `window`.
    ///
    /// `bitsLimit` keeps the sums of a kernel below 32 bits. With `evenStarts` every run begins at
    /// an even input.
    init(axis: FilterAxis, window: Range<Int>, bitsLimit: Int, evenStarts: Bool) {
        var taps: [FilterAxis.Taps] = []
        taps.reserveCapacity(window.count)
        var largest = 0.0
        for index in window {
            let next = axis.taps(for: index)
            largest = next.weights.reduce(largest) { max($0, abs($1)) }
            taps.append(next)
        }
        var bits = 14
        while bits < bitsLimit && largest * Double(2 << bits) < 32_700 { bits += 1 }
        self.bits = bits

        var runs: [Run] = []
        runs.reserveCapacity(window.count)
        var weights: [Int32] = []
        var lowest = Int.max
        var highest = 0
        for next in taps {
            let whole = FilterTable.quantised(next, bits: bits)
            let lead = evenStarts ? next.start & 1 : 0
            let pairs = (lead + whole.count + 1) / 2
            runs.append(Run(start: next.start - lead, first: weights.count, pairs: pairs))
            lowest = min(lowest, next.start - lead)
            highest = max(highest, next.start + whole.count)
            for pair in 0..<pairs {
                let low = 2 * pair - lead
                let early = low >= 0 ? whole[low] : 0
                let late = low + 1 < whole.count ? whole[low + 1] : 0
                weights.append(early & 0xFFFF | late << 16)
            }
        }
        self.runs = runs
        self.weights = weights
        inputs = lowest..<highest
    }

    /// Rounds the weights so that they add up to exactly one; what rounding left over goes to the
    /// middle, where the weights are largest, and evenly where the run is its own mirror image.
    private static func quantised(_ taps: FilterAxis.Taps, bits: Int) -> [Int32] {
        let one = Double(1 << bits)
        var whole = taps.weights.map { Int32(($0 * one + 0.5).rounded(.down)) }
        var missing = (1 << Int32(bits)) - whole.reduce(0, &+)
        guard missing != 0 else { return whole }
        if taps.isSymmetric {
            whole[whole.count / 2] += missing / 2
            missing -= missing / 2
            whole[(whole.count - 1) / 2] += missing
        } else {
            var peak = 0
            for index in whole.indices where whole[index] > whole[peak] { peak = index }
            whole[peak] += missing
        }
        return whole
    }
}
