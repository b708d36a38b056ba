import Digest
import Notation
import Targets
import Transport

/// Packs pictures into archives, and rewrites only archives that changed.
struct ShardWriter {
    private static let memoryName = RelativePath.own("shards.json")

    private let plan: ShardPlan
    private let opened: OpenTarget
    private let outlet: Outlet

    init(_ plan: ShardPlan, _ opened: OpenTarget, _ outlet: Outlet) {
        self.plan = plan
        self.opened = opened
        self.outlet = outlet
    }

    private var out: OutputFolder { outlet.folder }

    /// An archive that an earlier run wrote, or this one.
    private struct Known {
        let identity: String
        let bytes: Int
        let modified: Int
        let digest: String
    }

    /// - Returns: The archives and their index, and whether any was written.
    func write(
        _ journal: inout Journal
    ) throws(OutletError) -> (files: [WrittenTarget.File], isNew: Bool) {
        let known = try self.known()
        var shards: [Known?] = []
        for (number, shard) in plan.shards.enumerated() {
            let old = number < known.count ? known[number] : nil
            let facts = try opened.files.folder.facts(of: try name(number))
            let stands = old.map {
                $0.identity == shard.identity && facts?.size == $0.bytes
                    && facts.map { Int($0.modified) } == $0.modified
            }
            shards.append(stands == true ? old : nil)
        }
        let isNew = shards.contains { $0 == nil }
        if isNew {
            try pack(&shards, &journal)
            // Later runs trust an archive by its recorded size and time, so it must be on the disk.
            try opened.files.folder.syncAll()
        }
        let all = shards.compactMap { $0 }
        if isNew || all.count != known.count { try remember(all) }
        let (index, isIndexNew) = try writeIndex(all)
        var files: [WrittenTarget.File] = []
        for (number, shard) in all.enumerated() {
            files.append(
                .init(path: try name(number).text, bytes: shard.bytes, digest: shard.digest))
        }
        return (files + [index], isNew || isIndexNew)
    }

    private func name(_ number: Int) throws(OutletError) -> RelativePath {
        try path(TarShards.name(number))
    }

    private func path(_ path: RelativePath) throws(OutletError) -> RelativePath {
        guard let whole = opened.files.path(path) else {
            throw .io(path: path.text, doing: "name", cause: .nameTooLong)
        }
        return whole
    }

    // MARK: Packing

    private func pack(_ shards: inout [Known?], _ journal: inout Journal) throws(OutletError) {
        var count = 0
        var number = 0
        var archive: Archive?
        var samples = plan.filter
        try journal.forEachItem { _, line throws(OutletError) in
            guard number < plan.shards.count, let record = TargetWriter.record(line),
                let sample = samples.sample(of: record)
            else { return }
            if shards[number] == nil {
                if archive == nil {
                    archive = Archive(try opened.files.folder.newFile(try name(number)))
                }
                try append(sample, to: archive)
            }
            count += 1
            guard count == plan.shards[number].samples.upperBound else { return }
            if let whole = archive {
                let path = try name(number)
                let (written, digest) = try whole.finish { () throws(OutletError) in
                    try outlet.makeWay(for: path, of: opened)
                }
                shards[number] = Known(
                    identity: plan.shards[number].identity, bytes: written.size,
                    modified: Int(written.modified), digest: digest)
                archive = nil
            }
            number += 1
        }
    }

    private func append(_ sample: TarSample, to archive: Archive?) throws(OutletError) {
        for member in sample.members {
            try archive?.append(TarHeader.bytes(named: member.name, size: member.size))
            if let path = member.path {
                try append(opened.pictures.prefix + path, size: member.size, to: archive)
            } else {
                try archive?.append(sample.text)
            }
            let filling = TarHeader.padded(member.size) - member.size
            try archive?.append([UInt8](repeating: 0, count: filling))
        }
    }

    private func append(
        _ picture: String, size: Int, to archive: Archive?
    ) throws(OutletError) {
        let copied = try RelativePath(picture).flatMap { path throws(OutletError) in
            try opened.pictures.folder.forEachBlock(of: path) { block throws(OutletError) in
                try archive?.append(block)
            }
        }
        guard copied == size else {
            throw .io(
                path: out.path.appending(FilePath(picture)).description, doing: "pack",
                cause: .missing)
        }
    }

    // MARK: What is known of archives

    private func known() throws(OutletError) -> [Known] {
        guard let bytes = try out.read(Self.memoryName, limit: 1 << 28),
            let shards = JournalLine.json(of: bytes[...])?["shards"]?.elements
        else { return [] }
        var known: [Known] = []
        for shard in shards {
            guard let identity = shard["identity"]?.stringValue,
                let bytes = shard["bytes"]?.intValue,
                let modified = shard["modified"]?.intValue,
                let digest = shard["sha256"]?.stringValue
            else { return known }
            known.append(
                Known(identity: identity, bytes: bytes, modified: modified, digest: digest))
        }
        return known
    }

    private func remember(_ shards: [Known]) throws(OutletError) {
        var json = JSONWriter()
        json.object { json in
            json.array("shards") { json in
                for shard in shards {
                    json.object { json in
                        json.member("identity", shard.identity)
                        json.member("bytes", shard.bytes)
                        json.member("modified", shard.modified)
                        json.member("sha256", shard.digest)
                    }
                }
            }
        }
        json.endLine()
        _ = try SteadyFile.write(json.bytes, to: Self.memoryName, in: out)
    }

    private func writeIndex(
        _ shards: [Known]
    ) throws(OutletError) -> (file: WrittenTarget.File, isNew: Bool) {
        var json = JSONWriter(.pretty)
        json.object { json in
            json.member("schema", "emblem.tar/1")
            json.array("shards") { json in
                for (number, shard) in shards.enumerated() {
                    json.object { json in
                        json.member("file", TarShards.name(number).text)
                        json.member("items", plan.shards[number].samples.count)
                        json.member("bytes", shard.bytes)
                        json.member("sha256", shard.digest)
                    }
                }
            }
        }
        json.endLine()
        let name = try path(TarShards.index)
        let isNew = try SteadyFile.write(
            json.bytes, to: name, in: opened.files.folder,
            moveAway: { () throws(OutletError) in try outlet.makeWay(for: name, of: opened) })
        let digest = SHA256.hash(json.bytes.span).hex
        return (.init(path: name.text, bytes: json.bytes.count, digest: digest), isNew)
    }
}

private final class Archive {
    private var file: OutputFile?
    private var hash = SHA256()

    init(_ file: consuming OutputFile) { self.file = consume file }

    func append(_ bytes: [UInt8]) throws(OutletError) {
        hash.update(bytes.span)
        try file?.append(bytes)
    }

    /// - Parameter moveAway: Called before another file of this name is replaced.
    func finish(
        moveAway: () throws(OutletError) -> Void
    ) throws(OutletError) -> (written: OutputFolder.Written, digest: String) {
        try append(TarHeader.end)
        guard let file = file.take() else { preconditionFailure("An archive ends once.") }
        let written = try file.commit(willReplace: { _ throws(OutletError) in try moveAway() })
        return (written, hash.finish().hex)
    }
}
