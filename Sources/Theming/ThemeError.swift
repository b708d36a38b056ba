import Notation

/// Why a theme file cannot be used.
package enum ThemeError: Error, Hashable, Sendable {
    /// The file is no JSON.
    case badJSON(file: String, JSONError)
    /// A reference leads to no token.
    case unknownReference(TokenLocation, reference: String)
    /// References lead back to where they began, or on for more than `TokenResolver.chainLimit`.
    case cycle(TokenLocation, chain: [String])
    /// The value is not of the kind that the token has.
    case wrongType(TokenLocation, expected: String, found: String)
    /// The value should be a colour and cannot be read as one.
    case badColor(TokenLocation, text: String)
    /// The value is a colour of a space that is not turned into sRGB, and has no `hex` to be shown as.
    case unknownColorSpace(TokenLocation, text: String)
    /// There is more of something than any file of people has.
    case tooMany(TokenLocation, what: String, limit: Int)
    /// The number is not one that a dimension of this name can have.
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
        case .tooMany(let location, let what, let limit):
            "\(location.printable): more than \(limit) \(what)."
        case .outOfRange(let location, let value, let allowed):
            "\(location.printable): \(value) is out of range; allowed is \(allowed)."
        }
    }
}

extension TokenLocation {
    /// For a terminal: names come from files of strangers.
    var printable: String { PrintableText.escaped(description) }
}

/// Something in a theme file that is read over, since files are shared with other tools.
package struct ThemeWarning: Hashable, Sendable {
    package var location: TokenLocation
    package var reason: String
}

extension ThemeWarning: CustomStringConvertible {
    package var description: String {
        "\(location.printable): \(PrintableText.escaped(reason))."
    }
}

/// Where a token was written.
package struct TokenLocation: Hashable, Sendable {
    package var file: String
    /// The path of the token, its parts joined by dots.
    package var path: String
    /// Counted from one.
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
