import Notation

/// One row of a list, before its values are interpreted.
package struct ListRow: Hashable, Sendable {
    package var line: Int
    /// The offset of the row; `ListFile.row(at:line:)` reads it again from there.
    package var offset: Int
    package var source: String?
    package var id: String?
    package var label: String?
    package var hint: String?
    package var value: String?
    package var look = LookColumns()
    /// Alternative sources, to be tried in this order.
    package var alternatives: [String] = []
    /// The sources for dark outputs, to be tried in this order; nil if the row has no such column.
    package var dark: [String]?
    /// The columns without a meaning, which are copied to the record, in their order.
    package var extra: [JSON.Member] = []
    /// Whether the source is used byte for byte: blanks and control characters then belong to the
    /// path.
    package var isVerbatim = false
    package var problem: RowProblem?

    package init(line: Int, offset: Int) {
        self.line = line
        self.offset = offset
    }
}

/// The reason why a row cannot be used. The other rows of the list can be used.
package enum RowProblem: Hashable, Sendable, CustomStringConvertible {
    case tooLong(limit: Int)
    case notUTF8
    case textAfterQuote(line: Int)
    case wrongFieldCount(expected: Int, found: Int)
    case badJSON(String)
    case wrongKind(String)
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
        case .badColumn(let name, .string(let text), let takes):
            "\(name): \"\(Self.shortened(text))\" is not \(takes)"
        case .badColumn(let name, let value, let takes):
            "\(name): \(Self.shortened(value.text)) is \(value.kind), but must be \(takes)"
        }
    }
    private static func shortened(_ text: String) -> String {
        text.count > 60 ? "\(text.prefix(59))…" : text
    }
}

/// A column whose name has a meaning for emblem.
package enum ListColumn: String, CaseIterable, Sendable {
    case source, url, id, name, label, layout, appearance, mode, placeholder, badge, focus
    case alternatives, dark

    /// Finds a column by its header name; case and surrounding spaces are ignored.
    init?(header: String) {
        self.init(rawValue: Self.bare(header))
    }

    /// Returns a header name in lower case and without spaces, for comparison.
    static func bare(_ header: String) -> String {
        let letters = header.utf8.filter { $0 != 0x20 }
        return String(
            decoding: letters.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Whether the column affects the look of the outputs.
    var isLook: Bool {
        switch self {
        case .layout, .appearance, .mode, .placeholder, .badge, .focus: true
        case .source, .url, .id, .name, .label, .alternatives, .dark: false
        }
    }

    /// The columns of the look, in the order in which records and digests contain them.
    package static let look = allCases.filter(\.isLook)
}

/// The values of a row that affect the look of its outputs. Names, keys and digests include all of
/// them.
package struct LookColumns: Hashable, Sendable {
    private var texts: [ListColumn: String] = [:]

    package init() {}

    package subscript(_ column: ListColumn) -> String? {
        get { texts[column] }
        set { texts[column] = newValue }
    }

    package var isEmpty: Bool { texts.isEmpty }

    /// The text of each column of `ListColumn.look`, nil for an empty one.
    package var all: [String?] {
        texts.isEmpty ? Self.none : ListColumn.look.map { texts[$0] }
    }

    private static let none = [String?](repeating: nil, count: ListColumn.look.count)
}

extension ListRow {
    /// Creates a row from a text, which is its source, or from an object.
    package init(
        _ value: JSON, line: Int, offset: Int = 0, dialect: ListDialect = ListDialect()
    ) {
        var builder = RowBuilder(line: line, offset: offset)
        switch value {
        case .string: builder.set(.source, "source", value)
        case .object(let members):
            for member in members {
                builder.set(dialect.meaning(of: member.name), member.name, member.value)
            }
        default: builder.fail(.wrongKind(value.kind))
        }
        self = builder.finish()
    }

    package init(_ error: JSONError, line: Int, offset: Int = 0) {
        self.init(line: line, offset: offset)
        problem = error.reason == .invalidUTF8 ? .notUTF8 : .badJSON("\(error.reason)")
    }
}

/// Builds a row from its columns, for every format.
///
/// `source` takes precedence over `url`, and `id` over `name`. If both have a value, the second is
/// copied like a column without a meaning. An empty value counts as missing.
struct RowBuilder {
    private var row: ListRow
    private var url: JSON?
    private var name: JSON?

    init(line: Int, offset: Int) {
        row = ListRow(line: line, offset: offset)
    }

    /// Sets a column, with or without a known meaning.
    mutating func set(_ column: ListColumn?, _ name: @autoclosure () -> String, _ value: JSON) {
        switch column {
        case .source: row.source = source(value, name())
        case .url: url = value
        case .id: row.id = text(value, name())
        case .name: self.name = value
        case .label: row.label = text(value, name())
        case .alternatives: row.alternatives = sources(value, name())
        case .dark: row.dark = sources(value, name())
        case .layout?, .appearance?, .mode?, .placeholder?, .badge?, .focus?:
            if let column { row.look[column] = text(value, name()) }
        case nil: row.extra.append(JSON.Member(name(), value))
        }
    }

    mutating func fail(_ problem: RowProblem) {
        if row.problem == nil { row.problem = problem }
    }

    mutating func finish() -> ListRow {
        if let url {
            if row.source == nil {
                row.source = source(url, "url")
            } else if !isEmpty(url) {
                row.extra.append(JSON.Member("url", url))
            }
        }
        if let name {
            if row.id == nil {
                row.id = text(name, "name")
            } else if !isEmpty(name) {
                row.extra.append(JSON.Member("name", name))
            }
        }
        return row
    }

    /// Returns the source. A number is refused: it would be treated as a path.
    private mutating func source(_ value: JSON, _ name: String) -> String? {
        switch value {
        case .null, .string: return text(value, name)
        default:
            refuse(value, name, takes: "a string")
            return nil
        }
    }

    private func isEmpty(_ value: JSON) -> Bool {
        value == .null || value == .string("")
    }

    private mutating func text(_ value: JSON, _ name: String) -> String? {
        switch value {
        case .null: return nil
        case .string(let text): return text.isEmpty ? nil : text
        case .number, .bool: return value.text
        case .array, .object:
            refuse(value, name, takes: "a text")
            return nil
        }
    }

    /// Makes the row unusable because of this value. The value is copied to the record, so that the
    /// user can find the row.
    private mutating func refuse(_ value: JSON, _ name: String, takes: String) {
        fail(.badColumn(name, value, takes: takes))
        row.extra.append(JSON.Member(name, value))
    }

    /// Returns sources from an array of strings, or from a text separated by `|`, line breaks or,
    /// without those, spaces. A path with spaces needs an array or a `|` after it.
    private mutating func sources(_ value: JSON, _ name: String) -> [String] {
        switch value {
        case .null: return []
        case .string(let text): return split(text, name)
        case .array(let values):
            let texts = values.compactMap(\.stringValue)
            if texts.count == values.count { return texts.filter { !$0.isEmpty } }
        default: break
        }
        refuse(value, name, takes: Self.sources)
        return []
    }

    private static let sources = "a list of texts, or one text separated by |"

    private mutating func split(_ text: String, _ name: String) -> [String] {
        if text.utf8.first == UInt8(ascii: "[") {
            guard let list = try? JSONParser.parse(Array(text.utf8).span) else {
                refuse(.string(text), name, takes: Self.sources)
                return []
            }
            return (list.elements ?? []).compactMap(\.stringValue).filter { !$0.isEmpty }
        }
        let isBreak: (UInt8) -> Bool = { $0 == UInt8(ascii: "|") || $0 == 0x0A || $0 == 0x0D }
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let separator = text.utf8.contains(where: isBreak) ? isBreak : isSpace
        return text.utf8.split(whereSeparator: separator).compactMap { part in
            let inner = part.withoutBlanks
            return inner.isEmpty ? nil : String(inner)
        }
    }
}

/// The protection against list cells that a spreadsheet would run as a formula: a leading
/// apostrophe.
package enum SpreadsheetCell {
    /// The column that marks a guarded list.
    package static let column = "emblem_csv_safe"

    /// Returns whether the text begins with a formula sign, after any number of apostrophes.
    private static func isFormula(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first(where: { $0 != apostrophe }) else { return false }
        return signs.contains(first)
    }

    private static let apostrophe = UInt8(ascii: "'")
    private static let signs = Array("=+-@\t\r".utf8)

    /// Returns the text with an apostrophe before it if a spreadsheet would run it as a formula.
    package static func guarded(_ text: String) -> String { isFormula(text) ? "'" + text : text }

    /// Returns the text of a cell without the apostrophe of `guarded(_:)`.
    static func plain(_ cell: String) -> String {
        cell.utf8.first == apostrophe && isFormula(cell) ? String(cell.dropFirst()) : cell
    }
}
