/// Numbers in messages, in one form everywhere.
package enum Figure {
    /// Returns the number with this many decimal places.
    package static func fixed(_ value: Double, _ digits: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "-" }
        let factor = (0..<digits).reduce(1) { product, _ in product * 10 }
        let scaled = Int((abs(value) * Double(factor)).rounded())
        let whole = (value < 0 && scaled > 0 ? "-" : "") + grouped(scaled / factor)
        guard digits > 0 else { return whole }
        let rest = String(scaled % factor)
        return "\(whole).\(String(repeating: "0", count: digits - rest.utf8.count))\(rest)"
    }

    /// Returns the number with about three significant digits.
    package static func short(_ value: Double) -> String {
        fixed(value, abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : abs(value) >= 1 ? 2 : 3)
    }

    /// Returns a number such as `1,234,567`.
    package static func grouped(_ value: Int) -> String {
        let digits = Array(String(value.magnitude))
        var text = value < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }

    /// Returns a duration: `0:07`, `12:30`, `1:02:03`.
    package static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e9 else { return "-" }
        let whole = Int(max(0, seconds).rounded(.up))
        func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, padded(whole % 60))
        return hours > 0 ? "\(hours):\(padded(minutes)):\(rest)" : "\(minutes):\(rest)"
    }
}

/// A count with its noun: `1 item`, `2,000 items`.
package struct Counted: CustomStringConvertible {
    private let count: Int
    private let one: String
    private let many: String

    package init(_ count: Int, _ one: String, many: String? = nil) {
        self.count = count
        self.one = one
        self.many = many ?? one + "s"
    }

    package var description: String { "\(Figure.grouped(count)) \(count == 1 ? one : many)" }
}
