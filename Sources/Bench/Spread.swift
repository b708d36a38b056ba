/// How a handful of measured values lie.
package struct Spread: Hashable, Sendable {
    /// Half of the values are at most this.
    package let median: Double
    /// The sum over the number.
    package let mean: Double
    /// Of a sample, as hyperfine has it; zero for a single value.
    package let deviation: Double
    package let min: Double
    package let max: Double
    /// A quarter of the values is at most the first, and three quarters the second.
    package let quartiles: (low: Double, high: Double)
    /// Values that are so far above the others that something else must have been at work, as
    /// multiples of the median.
    package let outliers: [Double]

    /// All zero where there is no value.
    package init(_ values: [Double]) {
        let sorted = values.sorted()
        let count = sorted.count
        guard let first = sorted.first, let last = sorted.last else {
            (median, mean, deviation, min, max) = (0, 0, 0, 0, 0)
            quartiles = (0, 0)
            outliers = []
            return
        }
        let half =
            count % 2 == 1
            ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2
        median = half
        quartiles = (Self.quantile(sorted, 0.25), Self.quantile(sorted, 0.75))
        // Distances from the median, whose own median outliers do not move.
        let usual = Self.quantile(sorted.map { abs($0 - half) }.sorted(), 0.5) * 1.4826
        outliers = sorted.filter { count > 2 && $0 > half * 1.25 && $0 - half > usual * 5 }
            .map { $0 / half }
        let mean = sorted.reduce(0, +) / Double(count)
        self.mean = mean
        let squares = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        deviation = count > 1 ? (squares / Double(count - 1)).squareRoot() : 0
        min = first
        max = last
    }

    /// The value below which a share of the sorted values lies, between two of them where need be.
    private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        let rank = share * Double(sorted.count - 1)
        let index = Int(rank)
        let next = Swift.min(index + 1, sorted.count - 1)
        return sorted[index] + (sorted[next] - sorted[index]) * (rank - Double(index))
    }

    package static func == (left: Spread, right: Spread) -> Bool {
        (left.median, left.mean, left.deviation) == (right.median, right.mean, right.deviation)
            && (left.min, left.max) == (right.min, right.max)
            && left.quartiles == right.quartiles && left.outliers == right.outliers
    }

    package func hash(into hasher: inout Hasher) {
        for value in [median, mean, deviation, min, max] { hasher.combine(value) }
    }
}
