import Artwork

enum ReportNumber {
    static func grouped(_ value: Int) -> String {
        let digits = Array(String(value.magnitude))
        var text = value < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }

    /// Returns the number with about three significant digits.
    static func short(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "0" }
        if abs(value) >= 100 { return grouped(Int(value.rounded())) }
        let unit = abs(value) >= 10 ? 10.0 : abs(value) >= 1 ? 100 : 1000
        return Markup.number((value * unit).rounded() / unit)
    }

    static func time(_ milliseconds: Double) -> String {
        milliseconds >= 1000
            ? short(milliseconds / 1000) + " s" : short(milliseconds) + " ms"
    }

    static func counted(_ count: Int, _ one: String, _ many: String) -> String {
        "\(grouped(count)) \(count == 1 ? one : many)"
    }
}
