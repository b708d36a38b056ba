import Notation
import System
import Transport

/// The differences between two finished sets: items, options and themes.
package struct SetComparison {
    /// A respect in which two items with the same id differ.
    package enum Aspect: String, Sendable, CaseIterable {
        case source
        case input
        case outputs
        /// The state: ok, stale, a placeholder or failed.
        case status
        case error
        /// The options that the row sets.
        case options
        /// Everything else, such as labels, lint and extra columns.
        case details

        fileprivate init(of member: String) {
            switch member {
            case "source": self = .source
            case "input": self = .input
            case "outputs": self = .outputs
            case "status", "stale", "placeholder": self = .status
            case "error": self = .error
            case "overrides": self = .options
            default: self = .details
            }
        }
    }

    /// An item that differs, with its records in both sets.
    package struct Item {
        package let kind: SetChanges.Kind
        package let old: JSON?
        package let new: JSON?
        /// The respects in which the item differs; empty for an item that only one of the sets has.
        package let aspects: [Aspect]

        package var id: String { (new ?? old)?["id"]?.stringValue ?? "" }
    }

    private let paths: [FilePath]
    private let older: ManifestItems
    private let newer: ManifestItems
    private var comparison = ItemComparison()
    private var differences: [ItemComparison.Difference] = []

    /// Reads both manifests once.
    ///
    /// - Parameter paths: The older and the newer set, each as a folder or as a manifest.
    package init(_ old: FilePath, _ new: FilePath) throws(ComparisonError) {
        paths = [old, new].map(Self.manifest)
        older = try Self.read(paths[0]) { [paths] () throws(ManifestError) in
            try ManifestItems(paths[0])
        }
        newer = try Self.read(paths[1]) { [paths] () throws(ManifestError) in
            try ManifestItems(paths[1])
        }
        try compare()
    }

    /// The counts of items that differ. They are exact once `forEachItem` has returned.
    package var changes: SetChanges { comparison.changes }

    package var itemCounts: (old: Int, new: Int) { (older.itemCount, newer.itemCount) }

    /// The run records, the first lines of the manifests.
    package var heads: (old: JSON, new: JSON) { (older.head, newer.head) }

    /// The options that differ between the two runs, including the theme, in words.
    package var optionWords: [String] {
        var words = OptionChange.all(
            from: older.head["options"] ?? .null, to: newer.head["options"] ?? .null)
        if older.head["theme_sha256"] != newer.head["theme_sha256"] {
            words.append("the theme differs")
        }
        return words
    }

    /// The options that differ between the two runs, by name, with both values. A different theme
    /// counts as the option `theme_sha256`.
    package var options: [(name: String, old: JSON?, new: JSON?)] {
        func table(_ head: JSON) -> [String: JSON] {
            var table = (head["options"] ?? .null).table
            table["theme_sha256"] = head["theme_sha256"]
            return table
        }
        let (old, new) = (table(older.head), table(newer.head))
        return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
            .map { ($0, old[$0], new[$0]) }
    }

    package var hasDifferences: Bool { changes.total > 0 || !options.isEmpty }

    /// Calls `body` with each item that differs: first the items of the newer list in its order,
    /// then the items that only the older list has.
    package mutating func forEachItem(_ body: (Item) throws -> Void) throws {
        for difference in differences {
            let (before, now) = (difference.old, difference.new)
            let old = try Self.read(paths[0]) { () throws(ManifestError) in
                try before.map { offset throws(ManifestError) in try older.record(at: offset) }
            }
            let new = try Self.read(paths[1]) { () throws(ManifestError) in
                try now.map { offset throws(ManifestError) in try newer.record(at: offset) }
            }
            var aspects: [Aspect] = []
            if let old, let new {
                aspects = Self.aspects(old, new)
                guard !aspects.isEmpty else {
                    comparison.withdraw(difference.kind)
                    continue
                }
            }
            try body(Item(kind: difference.kind, old: old, new: new, aspects: aspects))
        }
    }

    private mutating func compare() throws(ComparisonError) {
        while let old = try Self.read(
            paths[0], { () throws(ManifestError) in try older.next() })
        {
            comparison.add(old)
        }
        while let new = try Self.read(
            paths[1], { () throws(ManifestError) in try newer.next() })
        {
            if let difference = comparison.see(new) { differences.append(difference) }
        }
        differences += comparison.finish()
        differences.sort { ($0.new ?? .max, $0.old ?? 0) < ($1.new ?? .max, $1.old ?? 0) }
    }

    private static func manifest(in path: FilePath) -> FilePath {
        FileFacts.at(path)?.kind == .folder ? path.appending(FilePath(Manifest.name)) : path
    }

    private static func read<Value>(
        _ path: FilePath, _ body: () throws(ManifestError) -> Value
    ) throws(ComparisonError) -> Value {
        try rethrowing(body()) { (error: ManifestError) in
            ComparisonError(path: path, cause: error)
        }
    }

    private static func aspects(_ old: JSON, _ new: JSON) -> [Aspect] {
        let (before, now) = (old.table, new.table)
        let names = Set(before.keys).union(now.keys).subtracting(ItemDigest.positionNames)
        let found = Set(names.filter { before[$0] != now[$0] }.map { Aspect(of: $0) })
        return Aspect.allCases.filter(found.contains)
    }
}

extension SetComparison.Item {
    /// The paths of the files that differ or that only one of the sets has, in byte order.
    package var outputs: [String] {
        let (before, now) = (Self.outputs(of: old), Self.outputs(of: new))
        return Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }.sorted()
    }

    private static func outputs(of record: JSON?) -> [String: JSON] {
        let outputs = (record?["outputs"]?.elements ?? []).map { output in
            (output["path"]?.stringValue ?? "", output)
        }
        return Dictionary(outputs) { first, _ in first }
    }
}

/// The reason why a set cannot be compared.
package struct ComparisonError: Error {
    package let path: FilePath
    package let cause: ManifestError
}

extension ComparisonError: CustomStringConvertible {
    package var description: String {
        switch cause {
        case .malformed(let line, let reason):
            "\(path), line \(line): \(reason); run the batch of this set again"
        case .unreadable(_, let reason):
            "cannot read \(path): \(reason); name the folder of a finished run, or its manifest"
        default: "\(cause)"
        }
    }
}
