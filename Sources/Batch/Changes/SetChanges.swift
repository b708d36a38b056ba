import Notation
import Transport

/// The numbers of items that differ between two sets, each item counted once.
package struct SetChanges: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The item is not in the older set.
        case added
        /// The item differs in a way that no other kind describes.
        case changed
        /// The item is not in the newer set.
        case gone
        /// The item showed its own picture, and now shows a placeholder or nothing.
        case failing
        /// The item shows its own, fresh picture again.
        case repaired
        /// The item shows an earlier picture now, since its source fails.
        case stale
    }

    package var unchanged: Int
    private var counts: [Kind: Int] = [:]

    package init(unchanged: Int = 0) { self.unchanged = unchanged }

    package subscript(kind: Kind) -> Int {
        get { counts[kind] ?? 0 }
        set { counts[kind] = newValue }
    }

    package var total: Int { counts.values.reduce(0, +) }

    /// Returns the kind of an item that is in both sets and differs.
    static func kind(from old: ItemDigest.State, to new: ItemDigest.State) -> Kind {
        guard old != new else { return .changed }
        switch new {
        case .fresh: return .repaired
        case .stale: return .stale
        case .missing: return .failing
        }
    }

    /// The counts in words, such as `12 new, 3 changed, 5 gone`; nil if nothing differs.
    package var words: String? {
        let parts = Kind.allCases.compactMap { kind -> String? in
            let count = self[kind]
            guard count > 0 else { return nil }
            let word =
                switch kind {
                case .added: "new"
                case .changed: "changed"
                case .gone: "gone"
                case .failing: count == 1 ? "now fails" : "now fail"
                case .repaired: "repaired"
                case .stale: "now stale"
                }
            return "\(ReportNumber.grouped(count)) \(word)"
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    package func write(_ name: String, into json: inout JSONWriter) {
        json.object(name) { json in
            for kind in Kind.allCases { json.member(kind.rawValue, self[kind]) }
            json.member("unchanged", unchanged)
        }
    }

    /// Reads what `write` wrote. Counts that are out of range, as in an edited record, are limited.
    init?(_ json: JSON?) {
        guard let json, json.members != nil else { return nil }
        self.init(unchanged: min(max(0, json["unchanged"]?.intValue ?? 0), Int(Int32.max)))
        for kind in Kind.allCases {
            self[kind] = min(max(0, json[kind.rawValue]?.intValue ?? 0), Int(Int32.max))
        }
    }
}

/// Compares the manifest that a run writes with the manifest of the previous run. The lines are
/// compared while the new manifest is written.
struct ChangesSinceLastRun {
    /// Nil if the manifest of the previous run is missing, or cannot be read to its end.
    private var comparison: ItemComparison?

    init(in folder: OutputFolder) throws(OutletError) {
        let name = try LastManifest.currentName(in: folder)
        var comparison = ItemComparison()
        do throws(ManifestError) {
            let last = try ManifestItems(folder.path.appending(FilePath("\(name)")))
            while let item = try last.next() { comparison.add(item) }
            self.comparison = comparison
        } catch {
            // Nothing is compared.
        }
    }

    /// Takes the next line of the manifest that is written, without its line end.
    mutating func see(_ line: ArraySlice<UInt8>) {
        guard comparison != nil, let item = ItemDigest(line: line) else { return }
        _ = comparison?.see(item)
    }

    /// Returns the changes.
    mutating func finish() -> SetChanges? {
        _ = comparison?.finish()
        return comparison?.changes
    }
}
