import Notation

package enum ThemeError: Error, Hashable, Sendable {
    case badJSON(file: String, JSONError)
    case unknownReference(TokenLocation, reference: String)
    /// References form a cycle or a chain longer than `TokenResolver.chainLimit`.
    case cycle(TokenLocation, chain: [String])
    case wrongType(TokenLocation, expected: String, found: String)
    case badColor(TokenLocation, text: String)
    /// The colour's space cannot be converted to sRGB, and there is no `hex` fallback.
    case unknownColorSpace(TokenLocation, text: String)
    case outOfRange(TokenLocation, value: String, allowed: String)
}

extension ThemeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badJSON(let file, let error):
            "\(PrintableText.escaped(file)):\(error.line): not JSON, column \(error.column): "
                + "\(error.reason)."
        case .unknownReference(let location, let reference):
            "\(location.printable): unknown reference {\(PrintableText.escaped(reference))}."
        case .cycle(let location, let chain):
            "\(location.printable): the references form a cycle: "
                + PrintableText.escaped(chain.joined(separator: " -> ")) + "."
        case .wrongType(let location, let expected, let found):
            "\(location.printable): wrong type: expected \(expected), found "
                + "\(PrintableText.escaped(found))."
        case .badColor(let location, let text):
            "\(location.printable): bad colour \(PrintableText.escaped(text)); write #RGB, #RRGGBB "
                + "or #RRGGBBAA."
        case .unknownColorSpace(let location, let text):
            "\(location.printable): bad colour \(PrintableText.escaped(text)); add a \"hex\" "
                + "value, or use one of "
                + "\(ColorSpace.allCases.map(\.rawValue).joined(separator: ", "))."
        case .outOfRange(let location, let value, let allowed):
            "\(location.printable): \(value) is out of range; allowed is \(allowed)."
        }
    }
}

extension TokenLocation {
    /// The location with escapes, since names come from untrusted files.
    var printable: String { PrintableText.escaped(description) }
}

/// A harmless problem in a theme file; reported only, because files are shared with other tools.
package struct ThemeWarning: Hashable, Sendable {
    package var location: TokenLocation
    package var reason: String
}

extension ThemeWarning: CustomStringConvertible {
    package var description: String {
        "\(location.printable): \(PrintableText.escaped(reason))."
    }
}

package struct TokenLocation: Hashable, Sendable {
    package var file: String
    package var path: String
    /// The line, counted from one.
    package var line: Int

    package init(file: String, path: String, line: Int) {
        self.file = file
        self.path = path
        self.line = line
    }
}

extension TokenLocation: CustomStringConvertible {
    package var description: String { "\(file):\(line): \(path)" }
}
