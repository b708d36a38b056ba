import Batch
import Engine
import Notation
import Transport

/// The notices about output names that several items want: one id for several emblems, or several
/// ids that lead to one name.
struct ContestedNames {
    /// The length of an id or source in a notice, in characters.
    private static let textLimit = 60

    let lines: [String]

    /// - Parameter items: the items, or some of them, that received another name than the name that
    ///   they want; in input order.
    init(_ items: [BatchItem], _ mask: SourceMask) {
        var wanted: [String] = []
        var groups: [String: [BatchItem]] = [:]
        for item in items {
            // File systems may treat names that differ only in case as equal.
            let name = TextForm.folded(item.wantedName)
            if groups[name] == nil { wanted.append(name) }
            groups[name, default: []].append(item)
        }
        lines = wanted.compactMap { groups[$0] }
            .filter { group in group.contains { $0.givenID != nil } }
            .map { Self.line($0, mask) }
    }

    /// Returns the notice about the items that want one name.
    private static func line(_ group: [BatchItem], _ mask: SourceMask) -> String {
        let names = group.map { shown($0.name) }.joined(separator: ", ")
        let ids = Set(group.map { $0.givenID.map(TextForm.folded) })
        guard ids.count == 1, group.count > 1 else {
            let wants =
                ids.count == 1 ? "wants a name that other items want too" : "want the same name"
            return "\(owners(of: group, mask)) \(wants); "
                + "\(group.count == 1 ? "its" : "their") files are called \(names)"
        }
        let isSpeltAlike = group.allSatisfy { $0.id.utf8.elementsEqual(group[0].id.utf8) }
        let ways = isSpeltAlike ? "" : ", in several spellings,"
        return "\(quoted(group[0].id, "id"))\(ways) is used for different "
            + "emblems\(rows(of: group)); their files are called \(names)"
    }

    /// Returns each id, or the source of an item without an id, with its rows.
    private static func owners(of group: [BatchItem], _ mask: SourceMask) -> String {
        var words: [String] = []
        var alike: [String: [BatchItem]] = [:]
        for item in group {
            let word =
                item.givenID.map { quoted($0, "id") } ?? quoted(mask.shown(item.source), "source")
            if alike[word] == nil { words.append(word) }
            alike[word, default: []].append(item)
        }
        return words.map { $0 + rows(of: alike[$0] ?? []) }.joined(separator: " and ")
    }

    private static func rows(of items: [BatchItem]) -> String {
        let rows = items.compactMap(\.row).map(String.init)
        return rows.isEmpty
            ? "" : " (\(rows.count == 1 ? "row" : "rows") \(rows.joined(separator: ", ")))"
    }

    private static func quoted(_ text: String, _ kind: String) -> String {
        "the \(kind) \"\(shown(text))\""
    }

    private static func shown(_ text: String) -> String {
        PrintableText.escaped(text, limit: textLimit)
    }
}
