import Engine
import Gauge
import Notation
import Synchronization
import Transport

/// The log of a run: what it is about to write, and what it wrote. It is the only memory of an
/// output folder next to the manifest.
///
/// | line | content |
/// |---|---|
/// | `begin` | the identity of the run, the boot of the machine, the target folders outside OUT |
/// | `will` | files that an item is about to write |
/// | `item` | the result of an item (`ItemLine`); its last part is the future line of the manifest |
/// | `file` | a file that no item has, such as one about all items, before it is written |
/// | `end` | the end of the run, after its manifest |
///
/// Each line has a checksum of everything after it. Item lines are in the order in which items
/// ended. Their offsets are kept in memory, so that the manifest can be written in input order. Lines
/// of earlier runs stay before those of this run until the journal is compacted. A run that repeats
/// the last one writes nothing while all its lines exist already.
///
/// A file belongs to the runs into a folder if a `will` line after the last `end`, an `item` line or
/// a `file` line has it. A `will` line is written before the file, so that no killed run leaves
/// unknown files. The end of a run writes `file` lines for the announced files that no item has.
///
/// A run of the boot in the `begin` line trusts the sizes and times of outputs. If the machine was
/// started again before the run ended, its outputs may be incomplete, and the next run compares their
/// bytes. Everything is synced once, before the manifest.
final class Journal: Sendable {
    private static let batchBytes = 64 << 10
    /// The number of files in a `will` line that no item announces.
    private static let filesInLine = 500

    private struct State: ~Copyable {
        var size: Int
        /// The lines that are not written to the file yet.
        var pending: [UInt8]
        /// The offset of each item's line, or -1.
        var offsets: [Int64]
        /// Whether something was written since the last sync began.
        var needsSync: Bool
        /// The first line of this run, until the run writes a line that the last run does not have.
        var heldHead: [UInt8]?
        /// The checksum of the line that begins the run of these items.
        var headChecksum: String
        /// The announced files of items in progress, by the index of the item.
        var announced: [Int: [OwnedFile]] = [:]
        /// The announced files that no item has, by their keys.
        var left: [String: OwnedFile] = [:]
    }

    private let file: AppendFile
    private let folders: [OutputFolder]
    /// Whether the last run did not finish, in which case reused outputs can lack a sync.
    private let followsUncleanEnd: Bool
    /// The size of the journal before this run.
    private let start: Int
    private let state: Mutex<State>

    /// Begins a run of `count` items after the lines of `history`, or in an empty journal.
    ///
    /// If the run repeats the last run, its first line is written together with the first line that
    /// differs.
    ///
    /// - Parameters:
    ///   - goesOn: The run continues the last run in the history.
    ///   - repeats: The run has the same identity as the last one, which finished.
    ///   - targets: The target folders outside OUT.
    ///   - folders: The folders that the run writes to, starting with the journal's folder.
    init(
        _ identity: RunIdentity, goesOn: Bool = false, repeats: Bool = false, count: Int,
        after history: RunHistory?, _ targets: TargetFolders, in folders: [OutputFolder]
    ) throws(OutletError) {
        let file = try AppendFile(RunHistory.name, in: folders[0])
        // Removes a line that a crash cut off; the next line would be appended to it.
        start = history?.end ?? 0
        if try file.size() != start { try file.truncate(to: start) }
        // The lock is written when a run begins, so it has the time of the file system.
        var began = try folders[0].facts(of: .own("lock"))
        if began == nil { began = try folders[0].facts(of: RunHistory.name) }
        let head = JournalLine.bytes { json in
            json.object("begin") { json in
                identity.write(into: &json)
                json.member("boot", Boot.id)
                json.member("began", Int(began?.modified ?? 0))
                targets.write(into: &json)
                if goesOn { json.member("goes_on", true) }
            }
        }
        let left = (history?.announcedFiles() ?? []).map { ($0.key, $0) }
        let unclean = history?.isUnfinished == true
        followsUncleanEnd = unclean
        state = Mutex(
            State(
                size: start, pending: repeats ? [] : head,
                offsets: Array(repeating: -1, count: count), needsSync: unclean,
                heldHead: repeats ? head : nil,
                headChecksum: repeats ? history?.head ?? "" : JournalLine.checksum(of: head[...]),
                left: Dictionary(left, uniquingKeysWith: { $1 })))
        self.file = file
        self.folders = folders
        try state.withLock { state throws(OutletError) in try syncHead(&state) }
    }

    /// Whether all lines exist in the last run, so that nothing was written.
    var isRepeated: Bool { state.withLock { $0.heldHead != nil } }

    /// The announced files that no item has.
    var left: [OwnedFile] { state.withLock { Array($0.left.values) } }

    /// Announces the files that an item is about to write.
    func announce(_ files: [OwnedFile], of index: Int) throws(OutletError) {
        guard !files.isEmpty else { return }
        try state.withLock { state throws(OutletError) in
            try add(JournalLine.announcement(of: files), to: &state)
            state.announced[index] = files
        }
    }

    /// Takes over files of a manifest that no journal has.
    func adopt(_ files: [OwnedFile]) throws(OutletError) {
        try state.withLock { state throws(OutletError) in
            for start in stride(from: 0, to: files.count, by: Self.filesInLine) {
                let part = Array(files[start..<min(files.count, start + Self.filesInLine)])
                try add(JournalLine.announcement(of: part), to: &state)
            }
            for file in files { state.left[file.key] = file }
        }
    }

    /// Adds a file that no item has, before it is written.
    func add(_ file: OwnedFile) throws(OutletError) {
        try state.withLock { state throws(OutletError) in
            try add(JournalLine.line(of: file), to: &state)
            state.needsSync = true
        }
    }

    private func add(_ line: [UInt8], to state: inout State) throws(OutletError) {
        if let head = state.heldHead { try begin(head, &state) }
        state.pending.append(contentsOf: line)
        try flush(&state)
    }

    /// Adds the line of one item.
    ///
    /// - Parameter isNew: Whether the item was made in this run. The line of a reused item may stay
    ///   in memory for a moment, because an earlier run has it too.
    func append(
        _ line: ItemLine.Ended, of record: ItemRecord, isNew: Bool, at position: Int
    ) throws(OutletError) {
        try state.withLock { state throws(OutletError) in
            settle(record, &state)
            if let head = state.heldHead {
                if let offset = line.offsetInLastRun {
                    state.offsets[position] = offset
                    return
                }
                try begin(head, &state)
            }
            Self.add(line.bytes, at: position, to: &state)
            if isNew || followsUncleanEnd { state.needsSync = true }
            // New results are handed to the system at once, so that they survive a killed process.
            if isNew || state.pending.count >= Self.batchBytes { try flush(&state) }
        }
    }

    /// Ends the announcement of an item. Its announced files that it does not have are left over.
    private func settle(_ record: ItemRecord, _ state: inout State) {
        let announced = state.announced.removeValue(forKey: record.index) ?? []
        for file in announced { state.left[file.key] = file }
        guard !state.left.isEmpty else { return }
        for output in record.outputs { state.left[OwnedFile(output).key] = nil }
    }

    private static func add(_ line: ArraySlice<UInt8>, at position: Int, to state: inout State) {
        state.offsets[position] = Int64(state.size + state.pending.count)
        state.pending.append(contentsOf: line)
        state.pending.append(0x0A)
    }

    /// Ends the repetition of the last run: writes the first line of this run, and copies the lines
    /// that this run has repeated so far.
    private func begin(_ head: [UInt8], _ state: inout State) throws(OutletError) {
        state.heldHead = nil
        state.headChecksum = JournalLine.checksum(of: head[...])
        state.pending = head
        try syncHead(&state)
        var block = LineBlock()
        // Lines are copied in the order of their offsets, so that each large block is read once.
        let offsets = state.offsets
        let standing = offsets.indices.filter { offsets[$0] >= 0 }
            .sorted { offsets[$0] < offsets[$1] }
        for position in standing {
            Self.add(try block.line(at: offsets[position], of: file), at: position, to: &state)
            if state.pending.count >= Self.batchBytes { try flush(&state) }
        }
    }

    /// Records the end of the run, after its manifest was written.
    ///
    /// - Parameters:
    ///   - past: The end of the last run; if it is equal, nothing is written.
    ///   - left: The announced files that exist and that no item has.
    func close(items: Int, after past: RunEnd?, left: [OwnedFile]) throws(OutletError) {
        try state.withLock { state throws(OutletError) in
            let end = try RunEnd(of: state.headChecksum, in: folders[0])
            if state.heldHead != nil, end == past { return }
            for file in left { state.pending.append(contentsOf: JournalLine.line(of: file)) }
            state.pending.append(contentsOf: Self.endLine(items, end))
            try flush(&state)
        }
    }

    /// Saves an interrupted run, so that it can be resumed.
    func stop() throws(OutletError) {
        try state.withLock { state throws(OutletError) in
            if let head = state.heldHead { try begin(head, &state) }
            try flush(&state)
        }
    }

    /// Removes all lines of this run, which changed no file.
    func undo() throws(OutletError) {
        try state.withLock { state throws(OutletError) in
            state.pending = []
            if state.size != start { try file.truncate(to: start) }
            state.size = start
        }
    }

    static func endLine(_ items: Int, _ end: RunEnd?) -> [UInt8] {
        JournalLine.bytes { json in
            json.member("end", items)
            end?.write(into: &json)
        }
    }

    /// Saves the first line of the run before its first output.
    private func syncHead(_ state: inout State) throws(OutletError) {
        let isNew = state.size == 0
        try flush(&state)
        guard state.heldHead == nil else { return }
        // The folders above a new journal are new, too, and must not be lost without it.
        if isNew { return try folders[0].syncAll() }
        try file.sync()
        try folders[0].syncFolder(of: RunHistory.name)
    }

    private func flush(_ state: inout State) throws(OutletError) {
        guard !state.pending.isEmpty else { return }
        do throws(OutletError) {
            try file.append(state.pending.span)
        } catch {
            // Removes an incomplete line. If that fails, the next run drops a line with a wrong
            // checksum.
            try? file.truncate(to: state.size)
            throw error
        }
        state.size += state.pending.count
        state.pending.removeAll(keepingCapacity: true)
    }

    /// Waits until everything that the run wrote is on the disk. Does nothing if the run only
    /// reused synced files.
    func sync() throws(OutletError) {
        try state.withLock { state throws(OutletError) in
            try flush(&state)
            guard state.needsSync else { return }
            do throws(OutletError) {
                try OutputFolder.syncAll(folders)
            } catch {
                // The system reports a lost write only once. If the note is lost too, so is the run.
                state.pending = Self.unsyncedLine
                try? flush(&state)
                throw error
            }
            state.needsSync = false
        }
    }

    static let unsyncedLine = JournalLine.bytes { $0.member("unsynced", true) }

    /// Passes the item part of each line to `body`, in input order, with one block in memory.
    func forEachItem(
        _ body: (ArraySlice<UInt8>) throws(OutletError) -> Void
    ) throws(OutletError) {
        let offsets = try state.withLock { state throws(OutletError) in
            try flush(&state)
            return state.offsets
        }
        var block = LineBlock()
        for offset in offsets where offset >= 0 {
            let line = try block.line(at: offset, of: file)
            guard let start = JournalLine.itemStart(in: line) else { continue }
            try body(line[start..<(line.endIndex - 1)])
        }
    }

    func forEachRecord(_ body: (ItemRecord) throws(OutletError) -> Void) throws(OutletError) {
        try forEachItem { line throws(OutletError) in
            if let record = JournalLine.json(of: line).flatMap({ ItemRecord($0) }) {
                try body(record)
            }
        }
    }
}

/// The present boot of the machine.
package enum Boot {
    /// The boot that a test pretends.
    @TaskLocal package static var pretended: String?

    private static let name = "/proc/sys/kernel/random/boot_id"

    /// The kernel's name for the present boot; empty if the kernel gives none.
    package static var id: String { pretended ?? kernelID }

    private static let kernelID: String = {
        guard let bytes = try? OpenFile(FilePath(name)).read(at: 0, count: 100) else { return "" }
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }()
}
