import Notation
import Targets
import Transport

/// What earlier runs into a folder made beside pictures, and is not known to have gone: their targets,
/// and their files about all items.
///
/// The manifest tells it of the last run; what older ones left is kept beside the journal.
struct FormerSet: Sendable {
    private static let name = RelativePath.own("former.ndjson")
    /// Archives are listed one by one; of more than these some are left standing.
    static let bytesLimit = 4 << 20

    private(set) var targets: [TargetRecord] = []
    private(set) var documents: [WrittenTarget] = []
    /// Something is kept of it already.
    private var isKept = false

    /// What stands in `folder`, while the manifest of the last run is put aside.
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

    /// What is known of a file already is the newer.
    private mutating func add(_ other: (targets: [TargetRecord], documents: [WrittenTarget])) {
        for target in other.targets
        where !targets.contains(where: { $0.kind == target.kind && $0.prefix == target.prefix }) {
            targets.append(target)
        }
        documents += without(documents, other.documents)
    }

    private func without(_ known: [WrittenTarget], _ all: [WrittenTarget]) -> [WrittenTarget] {
        let keys = Set(known.flatMap(\.keys))
        return all.compactMap { target in
            var rest = target
            rest.files.removeAll { keys.contains(target.key(of: $0)) }
            return rest.files.isEmpty ? nil : rest
        }
    }

    /// What is left of it beside the targets of the run that has ended, and their files.
    mutating func leaveOut(_ opened: [OpenTarget], _ now: [WrittenTarget]) {
        let standing = opened.compactMap { TargetRecord($0) }
        targets.removeAll { target in
            standing.contains { $0.kind == target.kind && $0.prefix == target.prefix }
        }
        documents = without(now, documents)
    }

    /// Nothing of it stands any more.
    func forget(in folder: OutputFolder) throws(OutletError) {
        if isKept { try folder.remove(Self.name) }
    }

    /// Keeps it for the next run.
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
        _ = try folder.write(bytes.span, to: Self.name, sync: false)
        isKept = true
    }
}

extension WrittenTarget {
    /// What tells its files from those of other targets.
    var keys: [String] { files.map { key(of: $0) } }

    func key(of file: File) -> String {
        "\(isElsewhere ? kind.rawValue : "") \(file.path)"
    }
}
