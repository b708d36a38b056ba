import Notation

/// The options for reading a list, such as its separator and column names.
package struct ListDialect: Hashable, Sendable {
    /// The field separator; nil for the default of the format.
    package var delimiter: UInt8?
    /// The header names that `--columns` assigns to the known columns.
    package private(set) var names: [ListColumn: String] = [:]

    package var hasHeader = true
    /// Whether the sources of a txt list end with NUL (`--null`).
    package var endsWithNUL = false
    /// The encoding; nil for UTF-8, or UTF-16 with a byte-order mark.
    package var encoding: ListEncoding?
    /// The cell texts that count as empty (`--null-values`).
    private var nulls: Set<String> = []

    package init(delimiter: UInt8? = nil) { self.delimiter = delimiter }

    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Sets the separator: one ASCII character; `tab` and `\\t` stand for the tab.
    package mutating func setDelimiter(_ text: String) throws(Fault) {
        let bytes = text == "\\t" || text == "tab" ? [0x09] : Array(text.utf8)
        guard bytes.count == 1, let byte = bytes.first, byte < 0x80,
            byte == 0x09 || byte >= 0x20, byte != 0x7F, byte != 0x22
        else {
            throw Fault(
                description: "The delimiter must be one character, such as ';' or '|', or tab.")
        }
        delimiter = byte
    }

    /// Sets column names from pairs such as `source=logo_url,id=merchant_id`.
    package mutating func setColumns(_ text: String) throws(Fault) {
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[1].isEmpty else {
                throw Fault(
                    description: "\"\(pair.prefix(60))\" is not a pair such as source=logo_url.")
            }
            guard let column = ListColumn(header: String(parts[0])) else {
                let known = ListColumn.allCases.map(\.rawValue).joined(separator: ", ")
                throw Fault(
                    description: "Unknown column \"\(parts[0].prefix(60))\"; use \(known).")
            }
            guard names[column] == nil else {
                throw Fault(description: "The column \(column.rawValue) is given twice.")
            }
            names[column] = String(parts[1])
        }
    }

    /// Sets the texts that count as empty cells, from words such as `N/A,-`.
    package mutating func setNulls(_ text: String) throws(Fault) {
        nulls = Set(text.split(separator: ",").map { Self.trimmed(String($0)) })
        nulls.remove("")
        guard !nulls.isEmpty else {
            throw Fault(description: "The list of texts is empty.")
        }
    }

    func isNull(_ text: String) -> Bool { !nulls.isEmpty && nulls.contains(Self.trimmed(text)) }

    func isNull(_ value: JSON) -> Bool {
        if case .string(let text) = value { isNull(text) } else { false }
    }

    private static func trimmed(_ text: String) -> String {
        String(SourceReference.withoutBlanks(text))
    }

    /// Throws if `--no-header` cannot be used with these columns.
    package func checkPositions() throws(Fault) {
        guard !hasHeader else { return }
        guard names[.source] != nil || names[.url] != nil else {
            throw Fault(
                description: "--no-header needs the position of the source, as in --columns "
                    + "source=1.")
        }
        for name in names.values.sorted() {
            guard let position = Int(name), position > 0, position <= Self.positionLimit else {
                throw Fault(
                    description: "\"\(name.prefix(60))\" in --columns is not a position such as 2.")
            }
        }
        guard Set(names.values.map { Int($0) }).count == names.count else {
            throw Fault(description: "Two columns have the same position in --columns.")
        }
    }

    private static let positionLimit = 100_000

    /// Returns an option that has no effect on lists of this format; nil if there is none.
    package func idleOption(for format: ListFormat) -> String? {
        if format != .csv, format != .tsv {
            if delimiter != nil { return "--delimiter" }
            if !hasHeader { return "--no-header" }
        }
        return endsWithNUL && format != .txt ? "--null" : nil
    }

    /// Returns the meaning of a column; nil for a column that is only copied to the record.
    func meaning(of header: String) -> ListColumn? {
        if names.isEmpty { return ListColumn(header: header) }
        let bare = ListColumn.bare(header)
        if let named = names.first(where: { ListColumn.bare($0.value) == bare }) {
            return named.key
        }
        // If a known column was given another name, its standard name loses its meaning.
        guard let column = ListColumn(header: header), names[column] == nil else { return nil }
        if column == .url, names[.source] != nil { return nil }
        if column == .name, names[.id] != nil { return nil }
        return column
    }

    /// Returns the names in `--columns` that the list does not have.
    func missing(among headers: [String]) -> [String] {
        let there = Set(headers.map(ListColumn.bare))
        return names.values.filter { !there.contains(ListColumn.bare($0)) }.sorted()
    }
}
