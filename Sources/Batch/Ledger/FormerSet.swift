import Notation
import Targets
import Transport

/// The targets of earlier runs into a folder, and their documents (files about all items) that may
/// still exist.
///
/// The manifest lists the targets and documents of the last run, `former.ndjson` those of older
/// runs.
struct FormerSet: Sendable {
    private static let name = RelativePath.own("former.ndjson")
    /// The limit of `former.ndjson`. Files beyond the limit are forgotten and never removed.
    static let bytesLimit = 4 << 20

    private(set) var targets: [TargetRecord] = []
    private(set) var documents: [WrittenTarget] = []
    private var isKept = false

    /// Reads the records of earlier runs into `folder`. The manifest of the last run can have its
    /// previous name (`LastManifest`).
    init(in folder: OutputFolder) throws(OutletError) {
        try add(Manifest.lastSet(in: folder))
        guard let size = try folder.facts(of: Self.name)?.size, size <= Self.bytesLimit,
            let kept = try folder.read(Self.name, limit: Self.bytesLimit)
        else { return }
        isKept = true
        for line in kept.split(separator: 0x0A) {
            guard let json = JournalLine.json(of: line) else { continue }
            add((TargetRecord.all(of: json), WrittenTarget(json).map { [$0] } ?? []))
        }
    }

    init() {}

    private mutating func add(_ other: (targets: [TargetRecord], documents: [WrittenTarget])) {
        for target in other.targets
        where !targets.contains(where: { $0.kind == target.kind && $0.prefix == target.prefix }) {
            targets.append(target)
        }
        documents += without(documents, other.documents)
    }

    private func without(_ known: [WrittenTarget], _ all: [WrittenTarget]) -> [WrittenTarget] {
        let keys = Set(known.flatMap(\.ledgerFiles).map(\.key))
        return all.compactMap { target in
            var rest = target
            rest.files = zip(target.files, target.ledgerFiles)
                .filter { !keys.contains($1.key) }.map(\.0)
            return rest.files.isEmpty ? nil : rest
        }
    }

    /// Removes from this list the targets of a run that has ended, and the documents that it wrote.
    mutating func leaveOut(_ opened: [OpenTarget], _ now: [WrittenTarget]) {
        let standing = opened.compactMap { TargetRecord($0) }
        targets.removeAll { target in
            standing.contains { $0.kind == target.kind && $0.prefix == target.prefix }
        }
        documents = without(now, documents)
    }

    /// Removes `former.ndjson`.
    func forget(in folder: OutputFolder) throws(OutletError) {
        if isKept { try folder.remove(Self.name) }
    }

    /// Writes `former.ndjson`, or removes it if there is nothing to list.
    mutating func keep(in folder: OutputFolder) throws(OutletError) {
        if documents.isEmpty, targets.isEmpty { return try forget(in: folder) }
        var json = JSONWriter()
        json.object { json in
            json.member("type", "run")
            json.object("options") { json in
                json.array("target") { json in
                    for target in targets { target.write(into: &json) }
                }
            }
        }
        json.endLine()
        var bytes = json.take()
        for line in documents.map(\.line) where bytes.count + line.count <= Self.bytesLimit {
            bytes += line
        }
        _ = try folder.write(bytes.span, to: Self.name)
        isKept = true
    }
}
