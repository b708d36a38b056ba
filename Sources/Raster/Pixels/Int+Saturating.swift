/// Sums and products of sizes that a stranger declared: what cannot be counted is the most there is,
/// which every limit refuses.
extension Int {
    /// The sum, or `Int.max`; for numbers that are not negative.
    package func saturating(plus other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// The product, or `Int.max`; for numbers that are not negative.
    package func saturating(times other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
