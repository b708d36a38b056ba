/// Numbers in the texts of values.
package enum Numeral {
    package static func whole(_ text: String, in range: ClosedRange<Int>) -> Int? {
        guard isPlain(text), let value = Int(text), range.contains(value) else { return nil }
        return value
    }

    /// Parses a number such as `4` or `0.5`, without an exponent.
    package static func decimal(_ text: String, in range: ClosedRange<Double>) -> Double? {
        guard isPlain(text), let value = Double(text), range.contains(value) else { return nil }
        return value
    }

    /// Parses a percentage; the percent sign is optional.
    package static func percent(_ text: String, in range: ClosedRange<Double>) -> Double? {
        decimal(text.hasSuffix("%") ? String(text.dropLast()) : text, in: range)
    }

    /// Parses digits, an optional fraction and an optional letter: each of the letters multiplies
    /// by one more power of `base`.
    static func multiplied(
        _ text: String, by base: Int, letters: String, in range: ClosedRange<Int>
    ) -> Int? {
        var number = text
        var factor = 1
        if let last = text.last, let index = letters.firstIndex(of: last) {
            number.removeLast()
            for _ in 0...letters.distance(from: letters.startIndex, to: index) { factor *= base }
        }
        guard isPlain(number) else { return nil }
        if let whole = Int(number) {
            let (value, overflow) = whole.multipliedReportingOverflow(by: factor)
            return !overflow && range.contains(value) ? value : nil
        }
        guard factor > 1, let fraction = Double(number),
            let value = Int(exactly: (fraction * Double(factor)).rounded())
        else { return nil }
        return range.contains(value) ? value : nil
    }

    private static func isPlain(_ text: String) -> Bool {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        return text.utf8.count - digits.count <= 1
            && digits.contains { $0 != UInt8(ascii: ".") }
            && digits.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
            }
    }

    /// Returns the parts between commas, without spaces at their ends.
    package static func parts(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            var part = part.drop { $0 == " " }
            while part.last == " " { part.removeLast() }
            return String(part)
        }
    }

    /// Returns the shortest text of a whole number, with the largest letter that divides it.
    static func short(_ value: Int, by base: Int, letters: String) -> String {
        var value = value
        var suffix = ""
        for letter in letters where value != 0 && value.isMultiple(of: base) {
            value /= base
            suffix = String(letter)
        }
        return "\(value)\(suffix)"
    }

    package static func text(_ value: Double) -> String {
        let text = "\(value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    package static func bounds(_ range: ClosedRange<Int>) -> String {
        bounds("\(range.lowerBound)", range.upperBound == .max ? nil : "\(range.upperBound)")
    }

    package static func bounds(_ range: ClosedRange<Double>) -> String {
        bounds(
            text(range.lowerBound), range.upperBound == .infinity ? nil : text(range.upperBound))
    }

    private static func bounds(_ low: String, _ high: String?) -> String {
        guard let high else { return low == "0" ? "" : ", at least \(low)" }
        return " from \(low) to \(high)"
    }
}
