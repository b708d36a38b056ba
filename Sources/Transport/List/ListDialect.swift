import Notation

/// The column names of a list, as `--columns` maps them.
package struct ListDialect: Hashable, Sendable {
    private static let positionLimit = 100_000

    /// The header names that `--columns` assigns to the known columns.
    private(set) var names: [ListColumn: String] = [:]
    /// The positions if all names are numbers, counted from one. A CSV list with positions has no
    /// header; in JSON, the numbers are names of members.
    private(set) var positions: [ListColumn: Int] = [:]

    package var hasHeader: Bool { positions.isEmpty }

    package init() {}

    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Reads the pairs of `--columns`: names as in `source=logo_url,id=merchant_id`, or positions as
    /// in `source=2,id=1`.
    package init(columns text: String) throws(Fault) {
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
        let numbers = names.compactMapValues { Int($0) }
        guard numbers.count == names.count else { return }
        guard numbers[.source] != nil || numbers[.url] != nil else {
            throw Fault(
                description: "The position of the source is missing, as in --columns source=1.")
        }
        guard numbers.values.allSatisfy({ (1...Self.positionLimit).contains($0) }) else {
            throw Fault(
                description: "A position is not a number from 1 to \(Self.positionLimit).")
        }
        guard Set(numbers.values).count == numbers.count else {
            throw Fault(description: "Two columns have the same position.")
        }
        positions = numbers
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
