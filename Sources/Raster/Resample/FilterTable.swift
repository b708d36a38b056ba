import System

/// The resampling weights of one axis, as whole numbers.
///
/// Each output has a run of neighbouring inputs. Its weights add up to exactly `1 << bits`, so that
/// an area of one colour keeps its colour. Weights are stored in pairs of 16 bits, as the kernels
/// multiply them.
struct FilterTable: Sendable {
    struct Run: Sendable {
        /// The index of the first input.
        var start: Int
        /// The index of the first pair in `weights`.
        var first: Int
        /// The number of pairs of inputs; the second weight of the last pair may be 0.
        var pairs: Int
    }

    private(set) var runs: [Run] = []
    /// Two weights per word, the earlier input's weight in the low half.
    private(set) var weights: [Int32] = []
    /// The number of fractional bits of the weights.
    let bits: Int
    /// The inputs that have a weight.
    private(set) var inputs: Range<Int>
    private(set) var longestRun = 0
    private(set) var largestWeight: Int32 = 0

    var byteCount: Int {
        weights.count * MemoryLayout<Int32>.stride + runs.count * MemoryLayout<Run>.stride
    }

    /// Rounds the weights in `shares`. `bitsLimit` keeps the sums of a kernel below 32 bits. With
    /// `evenStarts` every run begins at an even input.
    init(_ shares: FilterWeights, bitsLimit: Int, evenStarts: Bool) {
        var largest = 0.0
        for weight in shares.weights { largest = max(largest, abs(weight)) }
        var bits = 14
        // 32,500 leaves room for the rounding remainder below the limits of 16 bits and of
        // `InterleavedMixer`.
        while bits < bitsLimit && largest * Double(2 << bits) < 32_500 { bits += 1 }
        self.bits = bits

        runs.reserveCapacity(shares.runs.count)
        weights.reserveCapacity(shares.weights.count / 2 + shares.runs.count)
        inputs = (shares.runs.first?.start ?? 0)..<(shares.runs.first?.start ?? 0)
        var whole: [Int32] = []
        for run in shares.runs {
            FilterTable.round(run, of: shares.weights, bits: bits, into: &whole)
            for weight in whole { largestWeight = max(largestWeight, weight) }
            let lead = evenStarts ? run.start & 1 : 0
            append(whole, start: run.start - lead, lead: lead)
        }
    }

    private mutating func append(_ whole: [Int32], start: Int, lead: Int) {
        let pairs = (lead + whole.count + 1) / 2
        runs.append(Run(start: start, first: weights.count, pairs: pairs))
        longestRun = max(longestRun, pairs)
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
