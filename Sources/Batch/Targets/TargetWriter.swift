import Digest
import Engine
import Targets
import Transport

/// Writes the targets' files about pictures after all pictures exist: from the journal, in input
/// order, with one item in memory.
struct TargetWriter {
    private let outlet: Outlet
    private let journal: Journal
    /// The files about all items, for the manifest.
    private(set) var written: [WrittenTarget] = []
    /// The keys of all files.
    private(set) var keys: Set<String> = []

    /// Writes the files of all targets.
    init(_ outlet: Outlet, _ journal: Journal) throws(OutletError) {
        self.outlet = outlet
        self.journal = journal
        let targets = outlet.targets.filter { $0.target.kind != .files }
        guard !targets.isEmpty else { return }
        // The files with an entry for each item, open during the pass over all items.
        var growing: [[RelativePath: SteadyFile]] = []
        for opened in targets {
            var files: [RelativePath: SteadyFile] = [:]
            for document in opened.target.documents where document.entry != nil {
                files[document.path] = try begin(document, opened)
            }
            growing.append(files)
        }
        var number = 0
        try journal.forEachRecord { record throws(OutletError) in
            for (opened, files) in zip(targets, growing) {
                try write(record, number, opened, files)
            }
            number += 1
        }
        for (opened, files) in zip(targets, growing) {
            var target = WrittenTarget(
                kind: opened.target.kind, isElsewhere: opened.root.isElsewhere)
            for document in opened.target.documents {
                var file = files[document.path]
                if file == nil { file = try begin(document, opened) }
                guard let file else { continue }
                try file.append(document.tail)
                target.files.append(try finish(file, document.path, opened))
            }
            written.append(target)
        }
    }

    private func begin(
        _ document: TargetDocument, _ opened: OpenTarget
    ) throws(OutletError) -> SteadyFile {
        let path = try Self.path(document.path, opened)
        let file = try SteadyFile(path, in: opened.root.folder)
        try file.append(document.head.bytes)
        return file
    }

    private mutating func write(
        _ record: ItemRecord, _ number: Int, _ opened: OpenTarget,
        _ growing: [RelativePath: SteadyFile]
    ) throws(OutletError) {
        let item = TargetItem(record, in: opened.target.kind, prefix: opened.root.prefix)
        for file in opened.target.files(of: item) {
            let steady = try SteadyFile(
                try Self.path(file.path, opened), in: opened.root.folder)
            try steady.append(file.bytes)
            _ = try finish(steady, file.path, opened)
        }
        for document in opened.target.documents {
            guard let entry = document.entry else { continue }
            try growing[document.path]?.append(entry(item, number))
        }
    }

    /// Replaces a file if its bytes changed, after the journal has it.
    private mutating func finish(
        _ file: SteadyFile, _ name: RelativePath, _ opened: OpenTarget
    ) throws(OutletError) -> OwnedFile {
        let path = try Self.path(name, opened)
        let owned = OwnedFile(
            opened.target.kind, isElsewhere: opened.root.isElsewhere, path: path.text,
            bytes: file.size, sha256: file.digest)
        keys.insert(owned.key)
        if try file.isChanged() {
            if let there = try opened.root.folder.facts(of: path) {
                try outlet.willReplace(path, of: opened, there)
            }
            try journal.add(owned)
            try file.commit()
        }
        return owned
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
