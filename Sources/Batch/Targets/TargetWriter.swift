import Engine
import Notation
import Targets
import Transport

/// Writes the targets' files about pictures after all pictures exist: from the journal, in input
/// order, with one item in memory.
struct TargetWriter {
    private let outlet: Outlet
    /// The targets with files in addition to their pictures.
    private let targets: [OpenTarget]
    private let hasSharing: Bool

    init(_ outlet: Outlet, hasSharing: Bool) {
        self.outlet = outlet
        self.hasSharing = hasSharing
        targets = outlet.targets.filter { $0.target.kind != .files }
    }

    /// - Returns: The files for the manifest.
    func write(
        _ journal: inout Journal
    ) throws(OutletError) -> [WrittenTarget] {
        guard !targets.isEmpty else { return [] }
        var targetFiles: [TargetFiles] = []
        for opened in targets {
            targetFiles.append(
                try TargetFiles(opened, try shards(of: opened, &journal), outlet))
        }
        try journal.forEachItem { _, line throws(OutletError) in
            guard let record = Self.record(line) else { return }
            for files in targetFiles { try files.add(record) }
        }
        var written: [WrittenTarget] = []
        for files in targetFiles { written.append(try files.finish(&journal)) }
        if targetFiles.contains(where: \.hasChanged) { journal.noteChange() }
        return written
    }

    private func shards(
        of opened: OpenTarget, _ journal: inout Journal
    ) throws(OutletError) -> ShardPlan? {
        guard let packing = opened.target.packing else { return nil }
        let filter = SampleFilter(opened, hasSharing: hasSharing)
        var count = 0
        if case .count = packing {
            // A fixed number of archives needs the total count of samples first.
            var counting = filter
            try journal.forEachItem { _, line throws(OutletError) in
                guard let record = Self.record(line), counting.sample(of: record) != nil else {
                    return
                }
                count += 1
            }
        }
        return ShardPlan(packing, sampleCount: count, filter)
    }

    static func record(_ line: ArraySlice<UInt8>) -> ItemRecord? {
        JournalLine.json(of: line).flatMap { ItemRecord($0) }
    }
}

/// The files about the pictures of one target, while they are written.
private final class TargetFiles {
    let opened: OpenTarget
    /// Files with an entry for each item, open during the pass over all items.
    private var growing: [(document: TargetDocument, file: SteadyFile, path: String)] = []
    private var shards: ShardPlan?
    private var number = 0
    private(set) var hasChanged = false
    private let outlet: Outlet

    init(
        _ opened: OpenTarget, _ shards: ShardPlan?, _ outlet: Outlet
    ) throws(OutletError) {
        self.outlet = outlet
        self.opened = opened
        self.shards = shards
        for document in opened.target.documents where document.entry != nil {
            growing.append(try begin(document))
        }
    }

    private func begin(
        _ document: TargetDocument
    ) throws(OutletError) -> (document: TargetDocument, file: SteadyFile, path: String) {
        let path = try Self.path(document.path, opened)
        let file = try SteadyFile(
            path, in: opened.files.folder,
            moveAway: { [outlet, opened] () throws(OutletError) in
                try outlet.makeWay(for: path, of: opened)
            })
        try file.append(document.head.bytes)
        return (document, file, path.text)
    }

    func add(_ record: ItemRecord) throws(OutletError) {
        let item = TargetItem(record, in: opened.target.kind, prefix: opened.pictures.prefix)
        for file in opened.target.files(of: item) {
            let path = try Self.path(file.path, opened)
            let isNew = try SteadyFile.write(
                file.bytes, to: path, in: opened.files.folder,
                moveAway: { [outlet, opened] () throws(OutletError) in
                    try outlet.makeWay(for: path, of: opened)
                })
            if isNew { hasChanged = true }
        }
        for (document, file, _) in growing {
            if let entry = document.entry { try file.append(entry(item, number)) }
        }
        shards?.add(record)
        number += 1
    }

    func finish(
        _ journal: inout Journal
    ) throws(OutletError) -> WrittenTarget {
        var written = WrittenTarget(
            kind: opened.target.kind, isElsewhere: opened.files.isElsewhere)
        for plain in opened.target.documents {
            let known = growing.first { $0.document.path == plain.path }
            let (document, file, path) = if let known { known } else { try begin(plain) }
            try file.append(document.tail)
            let (digest, isNew) = try file.finish()
            if isNew { hasChanged = true }
            written.files.append(.init(path: path, bytes: file.size, digest: digest))
        }
        if let plan = shards {
            let (files, isNew) = try ShardWriter(plan, opened, outlet).write(
                &journal)
            if isNew { hasChanged = true }
            written.files += files
        }
        return written
    }

    private static func path(
        _ path: RelativePath, _ opened: OpenTarget
    ) throws(OutletError) -> RelativePath {
        guard let whole = opened.files.path(path) else {
            throw .io(path: path.text, doing: "name", cause: .nameTooLong)
        }
        return whole
    }
}
