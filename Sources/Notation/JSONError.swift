/// The position at which a text is not valid JSON, and the reason.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from one.
    package var line: Int
    /// The column, counted from one, in Unicode scalars.
    package var column: Int
    package var reason: Reason

    package init(line: Int, column: Int, reason: Reason) {
        self.line = line
        self.column = column
        self.reason = reason
    }

    package enum Reason: Hashable, Sendable {
        case tooLarge(limit: Int)
        case tooDeep(limit: Int)
        case tooManyValues(limit: Int)
        case invalidUTF8
        case endOfText
        case unexpected(String, wanted: String)
        case badNumber
        case controlCharacter
        case badEscape
        case loneSurrogate
        case duplicateName(String)
        case textAfterValue
    }

    package var description: String {
        "line \(line), column \(column): \(reason)"
    }
}

extension JSONError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLarge(let limit): "the text is larger than \(limit) bytes"
        case .tooDeep(let limit): "arrays and objects are nested deeper than \(limit) levels"
        case .tooManyValues(let limit): "there are more than \(limit) values"
        case .invalidUTF8: "the text is not valid UTF-8"
        case .endOfText: "the text ends too early"
        case .unexpected(let found, let wanted): "expected \(wanted), found \(found)"
        case .badNumber: "this is not a JSON number"
        case .controlCharacter: "a control character in a string must be written as an escape"
        case .badEscape: "this is not a JSON escape"
        case .loneSurrogate: "an escape has only half of a surrogate pair"
        case .duplicateName(let name):
            "the name \"\(PrintableText.escaped(name))\" is given twice in one object"
        case .textAfterValue: "text follows the value"
        }
    }
}
