import Notation

extension ListRow {
    /// A row that is a text, which is its source, or an object.
    package init(
        _ value: JSON, line: Int, offset: Int64 = 0, dialect: ListDialect = ListDialect()
    ) {
        var builder = RowBuilder(line: line, offset: offset, dialect)
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

    /// A row that is no JSON.
    package init(_ error: JSONError, line: Int, offset: Int64 = 0) {
        self.init(line: line, offset: offset)
        problem = error.reason == .invalidUTF8 ? .notUTF8 : .badJSON("\(error.reason)")
    }
}

/// Gathers the columns of one row, whatever format they come from.
///
/// `source` comes before `url` and `id` before `name`; the second of a pair is an extra column
/// where the first is filled in. An empty value is no value.
struct RowBuilder {
    private let dialect: ListDialect
    private var row: ListRow
    private var url: JSON?
    private var name: JSON?

    var fieldLines: Int {
        get { row.fieldLines }
        set { row.fieldLines = newValue }
    }

    init(line: Int, offset: Int64, _ dialect: ListDialect) {
        self.dialect = dialect
        row = ListRow(line: line, offset: offset)
    }

    /// Sets a column of a known meaning, or of none.
    mutating func set(_ column: ListColumn?, _ name: @autoclosure () -> String, _ value: JSON) {
        let value = dialect.isNull(value) ? .string("") : value
        switch column {
        case .source: row.source = source(value, name())
        case .url: url = value
        case .id: row.id = text(value, name())
        case .name: self.name = value
        case .label: row.label = text(value, name())
        case .hint: row.hint = text(value, name())
        case .value: row.value = text(value, name())
        case .alternatives: setAlternatives(value, name())
        case .layout?, .appearance?, .mode?, .placeholder?, .badge?:
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

    /// A number is no source: it would be taken for a path.
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

    /// What cannot be used is kept as it stands, so that whoever mends the row finds it.
    private mutating func refuse(_ value: JSON, _ name: String, takes: String) {
        fail(.badColumn(name, value, takes: takes))
        row.extra.append(JSON.Member(name, value))
    }

    /// An array of strings; or one text with `|` or line breaks between the sources, or, where it
    /// has neither, spaces. A path with spaces stands in an array, or has a `|` behind it.
    private mutating func setAlternatives(_ value: JSON, _ name: String) {
        switch value {
        case .null: break
        case .string(let text): row.alternatives = split(text)
        case .array(let values):
            let texts = values.compactMap(\.stringValue)
            if texts.count == values.count {
                row.alternatives = texts.filter { !$0.isEmpty }
            } else {
                refuse(value, name, takes: Self.sources)
            }
        default: refuse(value, name, takes: Self.sources)
        }
    }

    private static let sources = "a list of texts, or one text separated by |"

    private mutating func split(_ text: String) -> [String] {
        if text.utf8.first == UInt8(ascii: "[") {
            do throws(JSONError) {
                let list = try JSONParser.parse(Array(text.utf8).span).elements ?? []
                return list.compactMap(\.stringValue).filter { !$0.isEmpty }
            } catch {
                refuse(.string(text), "alternatives", takes: Self.sources)
                return []
            }
        }
        let isBreak: (UInt8) -> Bool = { $0 == UInt8(ascii: "|") || $0 == 0x0A || $0 == 0x0D }
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let separator = text.utf8.contains(where: isBreak) ? isBreak : isSpace
        return text.utf8.split(whereSeparator: separator).compactMap { part in
            let inner = part.drop(while: isSpace)
            guard let last = inner.lastIndex(where: { !isSpace($0) }) else { return nil }
            return String(inner[...last])
        }
    }
}
