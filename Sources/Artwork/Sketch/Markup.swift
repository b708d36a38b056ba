/// The text of an XML or HTML document under construction; escapes all external text.
package struct Markup: Sendable {
    package private(set) var text = ""

    package init() {}

    /// Appends markup as it is.
    package mutating func raw(_ markup: String) {
        text += markup
    }

    /// Appends text, escaped.
    package mutating func words(_ words: String) {
        text += Self.escaped(words)
    }

    /// Appends a tag. Attributes without a value are omitted; `isEmpty` closes the tag.
    package mutating func tag(
        _ name: String, _ attributes: [(name: String, value: String?)] = [], isEmpty: Bool = false
    ) {
        text += "<\(name)"
        for (name, value) in attributes {
            if let value { text += " \(name)=\"\(Self.escaped(value))\"" }
        }
        text += isEmpty ? "/>" : ">"
    }

    /// Adds attributes, which must be markup already, to the last tag.
    mutating func insert(_ attributes: String) {
        guard text.last == ">" else { return }
        text.removeLast()
        text += attributes + ">"
    }

    package mutating func element(
        _ name: String, _ attributes: [(name: String, value: String?)] = [], words: String
    ) {
        tag(name, attributes)
        self.words(words)
        text += "</\(name)>"
    }

    /// Escapes markup characters and removes characters that a document may not contain.
    package static func escaped(_ words: String) -> String {
        var text = ""
        text.reserveCapacity(words.utf8.count)
        for scalar in words.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\t", "\n", "\r": text += " "
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}": continue
            default:
                if scalar.value & 0xFFFE == 0xFFFE { continue }
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Formats a number of points with at most three decimal places.
    package static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "0" }
        let thousandths = Int((abs(value) * 1000).rounded())
        let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1000)
        var text = (value < 0 && thousandths > 0 ? "-" : "") + String(whole)
        guard rest > 0 else { return text }
        var digits = String(rest + 1000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        text += "." + digits
        return text
    }
}
