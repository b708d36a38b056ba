import Notation

/// One row of a list, as it is written there.
package struct ListRow: Hashable, Sendable {
    /// The line on which the row begins, counted from one.
    package var line: Int
    /// Where the row begins; `ListFile.row(at:line:)` reads it again from there.
    package var offset: Int64
    package var source: String?
    package var id: String?
    package var label: String?
    package var hint: String?
    package var value: String?
    package var look = LookColumns()
    /// More sources, to be tried in this order.
    package var alternatives: [String] = []
    /// Columns we do not know, in their order.
    package var extra: [JSON.Member] = []
    /// The lines of its longest field.
    package var fieldLines = 1
    /// The source is taken byte for byte: blanks and control characters belong to the path.
    package var isVerbatim = false
    /// Set if the row cannot be used; its class is `bad_row`.
    package var problem: RowProblem?

    package init(line: Int, offset: Int64) {
        self.line = line
        self.offset = offset
    }
}

/// Why one row of a list cannot be used, while those around it can.
package enum RowProblem: Hashable, Sendable, CustomStringConvertible {
    case tooLong(limit: Int)
    case notUTF8
    /// A closing quote on this line has text after it.
    case textAfterQuote(line: Int)
    case wrongFieldCount(expected: Int, found: Int)
    case badJSON(String)
    /// Neither a string nor an object.
    case wrongKind(String)
    /// A column that holds something else than what it takes.
    case badColumn(String, JSON, takes: String)

    package var description: String {
        switch self {
        case .tooLong(let limit): "the row is longer than \(limit) bytes"
        case .notUTF8: "the row is not valid UTF-8"
        case .textAfterQuote(let line):
            "text follows the closing quote on line \(line); a quote is missing before it, or a "
                + "quote in the text is not doubled"
        case .wrongFieldCount(let expected, let found):
            "the row has \(found) field\(found == 1 ? "" : "s"), and the header has \(expected)"
                + (found > expected ? "; put a field that contains the separator in quotes" : "")
        case .badJSON(let reason): "the row is not JSON: \(reason)"
        case .wrongKind(let kind): "the row is \(kind), not a string or an object"
        case .badColumn(let name, let value, let takes):
            "\(name): \(Self.shortened(value.text)) is \(value.kind), but must be \(takes)"
        }
    }
    private static func shortened(_ text: String) -> String {
        text.count > 60 ? "\(text.prefix(59))…" : text
    }
}
