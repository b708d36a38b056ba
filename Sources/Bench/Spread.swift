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

    /// All zero where there is no value.
    package init(_ values: [Double]) {
        let sorted = values.sorted()
        let count = sorted.count
        guard let first = sorted.first, let last = sorted.last else {
            (median, mean, deviation, min, max) = (0, 0, 0, 0, 0)
            return
        }
        let mean = sorted.reduce(0, +) / Double(count)
        median =
            count % 2 == 1
            ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2
        self.mean = mean
        let squares = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        deviation = count > 1 ? (squares / Double(count - 1)).squareRoot() : 0
        min = first
        max = last
    }
}
