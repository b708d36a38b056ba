/// Parses the text of a value; nil if it is invalid.
package enum ValueReader {
    package static func whole(_ text: String, in range: ClosedRange<Int>) -> Int? {
        guard isPlain(text), let value = Int(text), range.contains(value) else { return nil }
        return value
    }

    /// Parses a size: digits, an optional fraction, an optional K, M, G or T, optionally with `iB`
    /// or `B`.
    package static func bytes(_ text: String, in range: ClosedRange<Int>) -> Int? {
        var text = text.uppercased()
        if text.hasSuffix("B") {
            text.removeLast(text.hasSuffix("IB") ? 2 : 1)
            guard let last = text.last, "KMGT".contains(last) else { return nil }
        }
        return multiplied(text, by: 1024, letters: "KMGT", in: range)
    }

    /// Parses a count: digits, an optional fraction, an optional K, M or G.
    package static func count(_ text: String, in range: ClosedRange<Int>) -> Int? {
        multiplied(text.uppercased(), by: 1000, letters: "KMG", in: range)
    }

    /// Parses a number such as `4` or `0.5`, without an exponent.
    package static func decimal(_ text: String, in range: ClosedRange<Double>) -> Double? {
        guard isPlain(text), let value = Double(text), range.contains(value) else { return nil }
        return value
    }

    /// Parses a time in seconds, or with a unit: ms, s, m or h.
    package static func seconds(_ text: String, in range: ClosedRange<Double>) -> Double? {
        let text = text.lowercased()
        let units: [(name: String, seconds: Double)] = [
            ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600),
        ]
        let unit = units.first { text.hasSuffix($0.name) } ?? ("", 1)
        let number = decimal(
            String(text.dropLast(unit.name.count)), in: 0...Double.greatestFiniteMagnitude)
        guard let seconds = number.map({ $0 * unit.seconds }), range.contains(seconds) else {
            return nil
        }
        return seconds
    }

    package static func toggle(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "true", "yes", "on": true
        case "0", "false", "no", "off": false
        default: nil
        }
    }

    package static func quality(_ text: String) -> QualityValue? {
        if text == "lossless" { return .lossless }
        return whole(text, in: 1...100).map { .lossy($0) }
    }

    /// Parses `#RGB`, `#RRGGBB` or `#RRGGBBAA`; the `#` is optional, since a shell may treat it as
    /// a comment.
    package static func color(_ text: String) -> HexColor? {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "#") }
        guard text.utf8.count - digits.count <= 1 else { return nil }
        let values = digits.compactMap { Hexadecimal.value(of: $0) }
        guard values.count == digits.count else { return nil }
        switch values.count {
        case 3: return HexColor(red: values[0] * 17, green: values[1] * 17, blue: values[2] * 17)
        case 6, 8:
            let bytes = stride(from: 0, to: values.count, by: 2).map {
                values[$0] << 4 | values[$0 + 1]
            }
            return HexColor(
                red: bytes[0], green: bytes[1], blue: bytes[2],
                alpha: bytes.count == 4 ? bytes[3] : 255)
        default: return nil
        }
    }

    package static func tolerance(_ text: String) -> Tolerance? {
        guard text.hasSuffix("%") else { return whole(text, in: 0...Int.max).map { .count($0) } }
        return decimal(String(text.dropLast()), in: 0...100).map { .percent($0) }
    }

    /// Parses whole numbers separated by commas; drops duplicates and keeps the order.
    package static func wholes(_ text: String, in range: ClosedRange<Int>) -> [Int]? {
        var numbers: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let number = whole(trimmed(part), in: range) else { return nil }
            if !numbers.contains(number) { numbers.append(number) }
        }
        return numbers
    }

    /// Parses numbers separated by commas, whose count is one of `counts`.
    package static func lengths(
        _ text: String, in range: ClosedRange<Double>, counts: [Int]
    ) -> [Double]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { decimal(trimmed($0), in: range) }
        return numbers.count == parts.count && counts.contains(parts.count) ? numbers : nil
    }

    package static func percent(_ text: String, in range: ClosedRange<Double>) -> Double? {
        decimal(text.hasSuffix("%") ? String(text.dropLast()) : text, in: range)
    }

    /// Parses a number of points, a percentage up to 25 %, or `safe`.
    package static func inset(_ text: String) -> InsetValue? {
        if text == "safe" { return .safe }
        guard text.hasSuffix("%") else {
            return decimal(text, in: 0...1000).map { .points($0) }
        }
        return decimal(String(text.dropLast()), in: 0...25).map { .percent($0) }
    }

    /// Parses two shares from 0 to 1, separated by a comma.
    package static func point(_ text: String) -> PointValue? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
        guard parts.count == 2, let x = decimal(parts[0], in: 0...1),
            let y = decimal(parts[1], in: 0...1)
        else { return nil }
        return PointValue(x: x, y: y)
    }

    /// Parses a list of words; drops duplicates and keeps the order. Nil if a word is empty or not
    /// allowed. If `all` is true, the word `all` selects every allowed word.
    package static func list(_ text: String, of allowed: [String], all: Bool) -> [String]? {
        var parts: [String] = []
        var isAll = false
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let word = trimmed(part)
            if all, word == "all" {
                isAll = true
                continue
            }
            guard allowed.contains(word) else { return nil }
            if !parts.contains(word) { parts.append(word) }
        }
        return isAll ? allowed : parts
    }

    static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    private static func isPlain(_ text: String) -> Bool {
        guard text.utf8.contains(where: { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") })
        else { return false }
        return text.utf8.enumerated().allSatisfy { index, byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
                || (byte == UInt8(ascii: "-") && index == 0)
        }
    }

    private static func multiplied(
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
}
