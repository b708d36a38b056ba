import Notation

/// Why a theme file cannot be used.
package enum ThemeError: Error, Hashable, Sendable {
    /// The file is no JSON.
    case badJSON(file: String, JSONError)
    /// A reference leads to no token.
    case unknownReference(TokenPlace, reference: String)
    /// References lead back to where they began, or on for more than `TokenResolver.chainLimit`.
    case cycle(TokenPlace, chain: [String])
    /// The value is not of the kind that the token has.
    case wrongType(TokenPlace, expected: String, found: String)
    /// The value should be a colour and cannot be read as one.
    case badColor(TokenPlace, text: String)
    /// There is more of something than any file of people has.
    case tooMany(TokenPlace, what: String, limit: Int)
    /// The number is not one that a dimension of this name can have.
    case outOfRange(TokenPlace, value: String, allowed: String)
}

extension ThemeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badJSON(let file, let error):
            "\(PrintableText.escaped(file)):\(error.line): not JSON, column \(error.column): "
                + "\(error.reason)."
        case .unknownReference(let place, let reference):
            "\(place.printable): unknown reference {\(PrintableText.escaped(reference))}."
        case .cycle(let place, let chain):
            "\(place.printable): the references form a cycle: "
                + PrintableText.escaped(chain.joined(separator: " -> ")) + "."
        case .wrongType(let place, let expected, let found):
            "\(place.printable): wrong type: expected \(expected), found "
                + "\(PrintableText.escaped(found))."
        case .badColor(let place, let text):
            "\(place.printable): bad colour \(PrintableText.escaped(text)); write #RGB, #RRGGBB "
                + "or #RRGGBBAA."
        case .tooMany(let place, let what, let limit):
            "\(place.printable): more than \(limit) \(what)."
        case .outOfRange(let place, let value, let allowed):
            "\(place.printable): \(value) is out of range; allowed is \(allowed)."
        }
    }
}

extension TokenPlace {
    /// For a terminal: names come from files of strangers.
    var printable: String { PrintableText.escaped(description) }
}
