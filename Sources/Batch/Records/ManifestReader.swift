import Engine
import Notation
import System
import Transport

package struct ManifestReader: ~Copyable {
    private var lines: RecordLines

    package init(folder path: FilePath) throws(ManifestError) {
        lines = try Self.lines(of: path.appending(FilePath(Manifest.name)), in: path)
    }

    /// Opens a manifest by its path.
    init(_ path: FilePath) throws(ItemFailure) { lines = try RecordLines(path) }

    /// Opens the manifest of the folder. A missing manifest next to a journal is an unfinished run.
    static func lines(
        of manifest: FilePath, in folder: FilePath
    ) throws(ManifestError) -> RecordLines {
        try rethrowing(RecordLines(manifest)) { (error: ItemFailure) in
            guard error.errorClass == .notFound, hasJournal(folder) else {
                return ManifestError.unreadable(folder: "\(folder)", "\(error)")
            }
            return .unfinished(folder: "\(folder)")
        }
    }

    /// Whether a run has begun in the folder.
    static func hasJournal(_ folder: FilePath) -> Bool {
        (try? OpenFile(folder.appending(FilePath("\(RunHistory.name)")))) != nil
    }

    package mutating func next() throws(ManifestError) -> JSON? {
        while let line = try nextLine() {
            guard !line.isEmpty else { continue }
            return try rethrowing(JSONParser.parse(Array(line).span)) { (error: JSONError) in
                ManifestError(line: lines.number, error)
            }
        }
        return nil
    }

    /// Returns the next item, or `nil` after the last; skips other records.
    mutating func nextItem() throws(ManifestError) -> ItemRecord? {
        while let json = try next() {
            if let record = ItemRecord(json) { return record }
        }
        return nil
    }

    private mutating func nextLine() throws(ManifestError) -> ArraySlice<UInt8>? {
        try rethrowing(lines.next()) { (error: RecordLines.Fault) in
            ManifestError.malformed(line: lines.number, error.reason)
        }
    }
}

package enum ManifestError: Error, Hashable, Sendable {
    case unreadable(folder: String, String)
    /// There is a journal, but no manifest yet.
    case unfinished(folder: String)
    case malformed(line: Int, String)
    /// The records are not from one complete run.
    case damaged(folder: String, String)
    /// The manifest has another schema; nil if it names no schema.
    case otherSchema(path: String, String?)

    init(line: Int, _ error: JSONError) {
        self = .malformed(line: line, error.reason.description)
    }
}

extension ManifestError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let folder, let reason):
            "cannot read \(folder)/\(Manifest.name): \(reason). Run 'emblem batch … -o "
                + "\(folder)' first"
        case .unfinished(let folder):
            "\(folder) has no \(Manifest.name), because its run has not finished. Wait for it, or "
                + "run 'emblem batch … -o \(folder)' again with the same inputs and options"
        case .malformed(let line, let reason):
            "\(Manifest.name), line \(line): \(reason)"
        case .damaged(let folder, let fault):
            "\(folder)/\(Manifest.name) is damaged: \(fault); run the batch again to repair it"
        case .otherSchema(let path, let schema):
            "\(path) \(schema.map { "is of the schema \($0)" } ?? "names no schema"), but this "
                + "release reads \(Manifest.schema). Use the release that wrote it, or run the "
                + "batch again"
        }
    }
}

/// Checks that the records of a manifest are from one complete run: a run record, items with
/// ascending indices, and a summary with correct counts. It keeps no records.
struct ManifestCheck {
    /// The limit for faults; more would only repeat the first ones.
    private static let faultsLimit = 10

    private(set) var faults: [String] = []
    private(set) var isComplete = false

    private let path: String
    private var hasBegun = false
    private var last = -1
    private var tally = Tally()

    init(folder: FilePath) { path = "\(folder)/\(Manifest.name)" }

    init(path: FilePath) { self.path = "\(path)" }

    /// Checks the next record.
    ///
    /// - Throws: If the record begins a manifest of an unknown schema.
    mutating func see(_ record: JSON) throws(ManifestError) {
        let kind = record["type"]?.stringValue
        if kind == "run" { try checkSchema(of: record) }
        if !hasBegun {
            hasBegun = true
            if kind != "run" { add("it does not start with a run record") }
        } else if kind == "run" {
            add("it has more than one run record")
        }
        guard kind != "run" else { return }
        if isComplete { return add("a record follows its summary") }
        switch kind {
        case "item": seeItem(record)
        case "summary":
            isComplete = true
            for difference in tally.differences(from: record) { add(difference) }
        default: break
        }
    }

    /// The first fault of the whole manifest, after all records were seen.
    var fault: String? {
        faults.first ?? (isComplete ? nil : "it has no summary, so its run did not finish")
    }

    private func checkSchema(of record: JSON) throws(ManifestError) {
        let schema = record["schema"]?.stringValue
        guard schema == Manifest.schema else {
            throw .otherSchema(path: path, schema.map { PrintableText.escaped($0, limit: 80) })
        }
    }

    private mutating func seeItem(_ record: JSON) {
        tally.count(record)
        guard let index = record["index"]?.intValue, index >= 0 else {
            return add("an item has no valid index")
        }
        if index == last {
            add("item \(index) is there twice")
        } else if index < last {
            add("item \(index) follows item \(last)")
        }
        last = max(last, index)
    }

    private mutating func add(_ fault: String) {
        guard faults.count < Self.faultsLimit, faults.last != fault else { return }
        faults.append(fault)
    }
}

/// The counts of a summary, computed from the items.
private struct Tally {
    private var items = 0
    private var outputs = 0
    private var statuses: [ItemStatus: Int] = [:]
    private var errors: [ErrorClass: Int] = [:]

    mutating func count(_ item: JSON) {
        items += 1
        outputs += item["outputs"]?.elements?.count ?? 0
        if let status = (item["status"]?.stringValue).flatMap(ItemStatus.init) {
            statuses[status, default: 0] += 1
        }
        let name = item[path: ["error", "class"]]?.stringValue
        if let errorClass = name.flatMap(ErrorClass.init) {
            errors[errorClass, default: 0] += 1
        }
    }

    func differences(from summary: JSON) -> [String] {
        var counts = [("items", items)]
        counts += [ItemStatus.ok, .placeholder, .failed].map { ($0.rawValue, statuses[$0] ?? 0) }
        counts.append(("outputs", outputs))
        var differences = counts.compactMap { name, count in
            Self.difference(name, summary[name], count)
        }
        for errorClass in ErrorClass.allCases {
            let told = summary[path: ["errors", errorClass.rawValue]] ?? .number(JSONNumber(0))
            let difference = Self.difference(
                "errors \(errorClass.rawValue)", told, errors[errorClass] ?? 0)
            if let difference { differences.append(difference) }
        }
        return differences
    }

    private static func difference(_ name: String, _ told: JSON?, _ count: Int) -> String? {
        guard let told = told?.intValue else { return "its summary lacks \(name)" }
        return told == count ? nil : "its summary has \(name) \(told), but there are \(count)"
    }
}
