/// A number of requests in a second or in a minute.
package struct RequestRate: Sendable, Hashable, CustomStringConvertible {
    private let count: Int
    private let unit: Character

    /// Reads `N/s` or `N/m`, with N from 1 to 10,000; nil for anything else.
    package init?(_ text: String) {
        guard let unit = text.last, unit == "s" || unit == "m", text.dropLast().last == "/" else {
            return nil
        }
        let digits = text.dropLast(2)
        guard digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let count = Int(digits),
            (1...10_000).contains(count)
        else { return nil }
        self.count = count
        self.unit = unit
    }

    package var description: String { "\(count)/\(unit)" }

    /// The least nanoseconds between two requests, rounded up.
    package var spacing: Int64 {
        let nanoseconds = (unit == "s" ? 1 : 60) * 1_000_000_000
        return Int64((nanoseconds + count - 1) / count)
    }
}
