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

    init(_ outlet: Outlet) {
        self.outlet = outlet
        targets = outlet.targets.filter { $0.target.kind != .files }
    }

    /// - Returns: The files for the manifest.
    func write(
        _ journal: inout Journal
    ) throws(OutletError) -> [WrittenTarget] {
        guard !targets.isEmpty else { return [] }
        var targetFiles: [TargetFiles] = []
        for opened in targets {
            targetFiles.append(try TargetFiles(opened, outlet))
        }
        try journal.forEachItem { line throws(OutletError) in
            guard let record = Self.record(line) else { return }
            for files in targetFiles { try files.add(record) }
        }
        var written: [WrittenTarget] = []
        for files in targetFiles { written.append(try files.finish()) }
        if targetFiles.contains(where: \.hasChanged) { journal.noteChange() }
        return written
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
    private var number = 0
    private(set) var hasChanged = false
    private let outlet: Outlet

    init(_ opened: OpenTarget, _ outlet: Outlet) throws(OutletError) {
        self.outlet = outlet
        self.opened = opened
        for document in opened.target.documents where document.entry != nil {
            growing.append(try begin(document))
        }
    }

    private func begin(
        _ document: TargetDocument
    ) throws(OutletError) -> (document: TargetDocument, file: SteadyFile, path: String) {
        let path = try Self.path(document.path, opened)
        let file = try SteadyFile(
            path, in: opened.root.folder,
            willReplace: { [outlet, opened] there throws(OutletError) in
                try outlet.willReplace(path, of: opened, there)
            })
        try file.append(document.head.bytes)
        return (document, file, path.text)
    }

    func add(_ record: ItemRecord) throws(OutletError) {
        let item = TargetItem(record, in: opened.target.kind, prefix: opened.root.prefix)
        for file in opened.target.files(of: item) {
            let path = try Self.path(file.path, opened)
            let isNew = try SteadyFile.write(
                file.bytes, to: path, in: opened.root.folder,
                willReplace: { [outlet, opened] there throws(OutletError) in
                    try outlet.willReplace(path, of: opened, there)
                })
            if isNew { hasChanged = true }
        }
        for (document, file, _) in growing {
            if let entry = document.entry { try file.append(entry(item, number)) }
        }
        number += 1
    }

    func finish() throws(OutletError) -> WrittenTarget {
        var written = WrittenTarget(
            kind: opened.target.kind, isElsewhere: opened.root.isElsewhere)
        for plain in opened.target.documents {
            let known = growing.first { $0.document.path == plain.path }
            let (document, file, path) = if let known { known } else { try begin(plain) }
            try file.append(document.tail)
            let (digest, isNew) = try file.finish()
            if isNew { hasChanged = true }
            written.files.append(.init(path: path, bytes: file.size, digest: digest))
        }
        return written
    }

    private static func path(
        _ path: RelativePath, _ opened: OpenTarget
    ) throws(OutletError) -> RelativePath {
        guard let whole = opened.root.path(path) else {
            throw .io(path: path.text, doing: "name", cause: .nameTooLong)
        }
        return whole
    }
}
