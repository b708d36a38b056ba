import Digest
import Engine
import Notation
import Synchronization
import Targets
import Transport

/// Files that stand where a run writes, and that no run made. Nothing of them is lost: each is kept
/// below `.emblem/replaced` of its folder.
package final class ForeignFiles: Sendable {
    /// How many there were, and where the first of them stands now.
    package struct Found: Sendable, Hashable {
        package var count = 0
        package var first = ""
        package var keptAs = ""
    }

    private struct State {
        /// It is known what runs made; nobody looks where it is not.
        var isLooking = false
        /// What earlier runs made.
        var history: RunHistory?
        /// Hashes of what runs made: those that the journal does not tell of.
        var others: [UInt32] = []
        /// The kinds of target whose folder outside OUT the last run did not write to.
        var fresh: Set<TargetKind> = []
        /// The targets that earlier runs had, whose files about items are not told one by one.
        var targets: [TargetRecord] = []
        /// All names in order, once somebody asked.
        var known: [UInt32]?
        var found = Found()
    }

    private let state = Mutex(State())

    package init() {}

    package var found: Found { state.withLock { $0.found } }

    /// Learns what earlier runs made in `folder`, whose manifest is where the last one left it, and in
    /// folders beside it.
    ///
    /// - Parameters:
    ///   - left: what runs noted that were killed.
    ///   - opened: the targets of this run, before it left its word in their folders.
    func begin(
        _ history: RunHistory?, _ left: [OutputNotes.Entry], _ opened: [OpenTarget],
        in folder: OutputFolder
    ) throws(OutletError) {
        guard let history else { return }
        var others = left.map { Self.hash(of: $0.key, $0.bytes) }
        if history.run == nil {
            if let named = Self.names(inManifestOf: folder) {
                others += named
            } else {
                try clearRecords(in: folder)
            }
        }
        var targets = try FormerSet(in: folder).targets + Self.targets(inManifestOf: folder)
        // A run that did not finish has made none of them.
        if !history.isUnfinished, let options = history.run?.options {
            targets += TargetRecord.all(of: .object([JSON.Member("options", options)]))
        }
        var fresh: Set<TargetKind> = []
        for other in opened where other.files.isElsewhere {
            if try TargetFolders.isKnown(other.files.folder, to: folder) { continue }
            fresh.insert(other.target.kind)
        }
        state.withLock { [targets, fresh] state in
            state.targets = targets
            state.fresh = fresh
            state.isLooking = true
            state.history = history
            state.others = others
            state.known = nil
        }
    }

    /// Learns by its manifest alone what stands in `folder`, where no run goes on.
    func begin(over folder: OutputFolder) throws(OutletError) {
        let names = Self.names(inManifestOf: folder)
        if names == nil { try clearRecords(in: folder) }
        state.withLock { state in
            state.isLooking = true
            state.others = names ?? []
        }
    }

    /// The outputs that a manifest of ours names; nil where none stands.
    private static func names(inManifestOf folder: OutputFolder) -> [UInt32]? {
        do throws(ManifestError) {
            var reader = try ManifestReader(folder: folder.path)
            guard try reader.next()?["type"]?.stringValue == "run" else { return nil }
            var names: [UInt32] = []
            while let record = try reader.nextItem() {
                names += record.outputs.map { hash(of: $0.key, $0.bytes) }
            }
            return names
        } catch {
            return nil
        }
    }

    private static func targets(inManifestOf folder: OutputFolder) -> [TargetRecord] {
        do throws(ManifestError) {
            var reader = try ManifestReader(folder: folder.path)
            return try reader.next().map(TargetRecord.all) ?? []
        } catch {
            return []
        }
    }

    /// Takes what stands where a target tells of its pictures out of the way, if no run into the folder
    /// had this target before.
    func clear(_ name: RelativePath, of opened: OpenTarget) throws(OutletError) {
        let isNew = state.withLock { state in
            guard state.history != nil else { return false }
            let isElsewhere = opened.files.isElsewhere
            if isElsewhere, state.fresh.contains(opened.target.kind) { return true }
            let prefix = isElsewhere ? nil : opened.files.prefix
            return !state.targets.contains { $0.kind == opened.target.kind && $0.prefix == prefix }
        }
        if isNew { try keep(name, in: opened.files.folder) }
    }

    /// A manifest or a run record that is none, before a run puts its own there.
    private func clearRecords(in folder: OutputFolder) throws(OutletError) {
        for file in [RunFile.manifest, .previousManifest, .record] {
            try clear(RelativePath(ours: file.name), in: folder, unless: "\"emblem.")
        }
    }

    /// Takes a file out of the way of one of ours, unless it shows by `word` near its beginning that
    /// it is one.
    package func clear(
        _ name: RelativePath, in folder: OutputFolder, unless word: String
    ) throws(OutletError) {
        guard try folder.exists(name), try !isOurs(name, in: folder, by: word) else { return }
        try keep(name, in: folder)
    }

    /// A file shows by `word` near its beginning that it is one of ours.
    package func isOurs(
        _ name: RelativePath, in folder: OutputFolder, by word: String
    ) throws(OutletError) -> Bool {
        guard let (head, _) = try folder.beginning(of: name, limit: 4_096) else { return false }
        return String(decoding: head, as: UTF8.self).contains(word)
    }

    /// Looks at the file that stands where an output is about to appear, and keeps it if it is no file
    /// of ours. One that holds the same bytes may be anybody's.
    func look(
        at output: OutputRecord, _ path: RelativePath, in folder: OutputFolder, size: Int
    ) throws(OutletError) {
        guard path.components.first != OutputFolder.ownName, !isOurs(output, size: size) else {
            return
        }
        if size == output.bytes, try folder.digest(of: path)?.hex == output.sha256 { return }
        try keep(path, in: folder)
    }

    /// Whether the output goes to a folder outside OUT that the last run did not write to.
    func isFresh(_ output: OutputRecord) -> Bool {
        guard output.isElsewhere, let kind = output.target.flatMap(TargetKind.init) else {
            return false
        }
        return state.withLock { $0.fresh.contains(kind) }
    }

    private func isOurs(_ output: OutputRecord, size: Int) -> Bool {
        if isFresh(output) { return false }
        // Whoever else comes while the journal is read needs the same.
        return state.withLock { state in
            guard state.isLooking else { return true }
            if state.known == nil {
                var names = state.others
                state.history?.forEachOutput { names.append(Self.hash(of: $0.key, $0.bytes)) }
                state.known = names.sorted()
            }
            return Self.holds(state.known ?? [], Self.hash(of: output.key, size))
        }
    }

    private static func holds(_ sorted: [UInt32], _ value: UInt32) -> Bool {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = low + (high - low) / 2
            if sorted[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low < sorted.count && sorted[low] == value
    }

    /// A name and the size that a run left there: what a file of ours became since under a name that
    /// nobody makes any more is somebody's. Four bytes of it are enough.
    private static func hash(of key: String, _ size: Int) -> UInt32 {
        UInt32(NameHash.of("\(size) \(key)") >> 32)
    }

    private func keep(_ name: RelativePath, in folder: OutputFolder) throws(OutletError) {
        for number in 1...100 {
            let suffix = number == 1 ? "" : "~\(number)"
            guard let place = RelativePath("\(OutputFolder.ownName)/replaced/\(name.text)\(suffix)")
            else { break }
            guard try !folder.exists(place) else { continue }
            try folder.move(name, to: place)
            state.withLock { state in
                state.found.count += 1
                guard state.found.count == 1 else { return }
                state.found.first = folder.display(name)
                state.found.keptAs = folder.display(place)
            }
            return
        }
        throw .inTheWay(path: folder.display(name), what: .file)
    }
}
