/// A JSON number in the digits it was written with, so that nothing is lost on the way through.
///
/// Two numbers are equal when their texts are: `1.0` and `1` are different.
package struct JSONNumber: Hashable, Sendable {
    /// The digits as written.
    package let text: String

    /// The decimal digits of an integer.
    package init(_ value: Int) {
        text = String(value)
    }

    /// The decimal digits of a count that may pass the largest `Int`.
    package init(_ value: UInt64) {
        text = String(value)
    }

    /// The shortest digits that read back as the same double; a number that is not finite, which
    /// JSON cannot say, becomes `null` as most writers do.
    package init(_ value: Double) {
        text = Self.text(of: value)
    }

    /// Text that the parser found to be a number.
    init(checked text: String) {
        self.text = text
    }

    /// The value, if the text is a whole number that fits; `1.0` and `1e2` are whole too.
    package var int: Int? {
        if let value = Int(text) { return value }
        guard let value = double, value.magnitude < 9_007_199_254_740_992 else { return nil }
        return Int(exactly: value)
    }

    /// The nearest double, if it is finite.
    package var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// Whole values below 2^53 are written without a fraction: `2`, not `2.0`.
    static func text(of value: Double) -> String {
        guard value.isFinite else { return "null" }
        if value.magnitude < 9_007_199_254_740_992, let whole = Int(exactly: value) {
            return String(whole)
        }
        return value.description
    }
}

extension JSON {
    /// A scale as people write it: 2, not 2.0.
    package static func number(ofScale scale: Double) -> JSON {
        .number(Int(exactly: scale).map { JSONNumber($0) } ?? JSONNumber(scale))
    }
}
