/// How somebody else's list is written: what separates its fields, and what its columns are called.
package struct ListDialect: Hashable, Sendable {
    /// Nil for that of the format.
    package var delimiter: UInt8?
    /// The names that the list has for columns of ours.
    package private(set) var names: [ListColumn: String] = [:]

    package init(delimiter: UInt8? = nil) { self.delimiter = delimiter }

    /// Why a text is no dialect, in words.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Takes one ASCII character that can separate fields; `tab` and `\\t` stand for the tab.
    package mutating func setDelimiter(_ text: String) throws(Fault) {
        let bytes = text == "\\t" || text == "tab" ? [0x09] : Array(text.utf8)
        guard bytes.count == 1, let byte = bytes.first, byte < 0x80,
            byte == 0x09 || byte >= 0x20, byte != 0x7F, byte != 0x22
        else {
            throw Fault(
                description: "A delimiter is one plain character, such as ';' or '|', or tab.")
        }
        delimiter = byte
    }

    /// Takes pairs such as `source=logo_url,id=merchant_id`.
    package mutating func setColumns(_ text: String) throws(Fault) {
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[1].isEmpty else {
                throw Fault(
                    description: "\"\(pair.prefix(60))\" is no pair such as source=logo_url.")
            }
            guard let column = ListColumn(header: String(parts[0])) else {
                let known = ListColumn.allCases.map(\.rawValue).joined(separator: ", ")
                throw Fault(
                    description: "There is no column \"\(parts[0].prefix(60))\"; there are "
                        + "\(known).")
            }
            guard names[column] == nil else {
                throw Fault(description: "The column \(column.rawValue) is named twice.")
            }
            names[column] = String(parts[1])
        }
    }

    /// What a column of the list means; nil for one that only travels along.
    func meaning(of header: String) -> ListColumn? {
        if names.isEmpty { return ListColumn(header: header) }
        let bare = ListColumn.bare(header)
        if let named = names.first(where: { ListColumn.bare($0.value) == bare }) {
            return named.key
        }
        // Where a list has another name for a column of ours, its own of that name is none.
        guard let column = ListColumn(header: header), names[column] == nil else { return nil }
        if column == .url, names[.source] != nil { return nil }
        if column == .name, names[.id] != nil { return nil }
        return column
    }

    /// Columns that the list was said to have and has not.
    func missing(among headers: [String]) -> [String] {
        let there = Set(headers.map(ListColumn.bare))
        return names.values.filter { !there.contains(ListColumn.bare($0)) }.sorted()
    }
}
