import Engine
import Gauge
import Notation
import System
import Transport

/// The log of a run: a checksummed line for each item, appended as items end.
///
/// A run begins with a line that identifies it, and finishes with an end line. The checksum of an
/// item's line (`ItemLine`) covers everything after it; the item part is the future line of the
/// manifest. Lines are in the order in which items ended. Their offsets are kept in memory, so that
/// the manifest can be written in input order. Lines of earlier runs stay before those of this run
/// until `RunHistory` drops them. A run that repeats the last one writes nothing while all its
/// lines exist already.
///
/// During a run, its file systems are synced in the background about once a second. After a
/// successful sync, a mark in the journal names the lines that it covered. After a power loss, only
/// the outputs of these lines are trusted without reading them (`SyncedLines`).
struct Journal: ~Copyable {
    private static let batchBytes = 64 << 10
    private let file: AppendFile
    private var size: Int
    /// The lines that are not written to the file yet.
    private var pending: [UInt8]
    /// The offset of each item's line, or -1.
    private var offsets: [Int64]
    /// The end of the lines of earlier runs, where the lines of this run begin.
    private var start: Int
    private let folders: [OutputFolder]
    /// The least time between two background syncs.
    private let syncNanoseconds: UInt64
    private var lastSync = MonotonicClock.now
    /// The background sync in progress, or one that failed.
    private var backgroundSync: BackgroundSync?
    /// Whether something was written since the last sync began.
    private var needsSync: Bool
    /// Whether the last run did not finish, in which case reused outputs can lack a sync.
    private let followsUncleanEnd: Bool
    /// The first line of this run, until the run writes a line that the last run does not have.
    private var heldHead: [UInt8]?
    /// The checksum of the line that begins the run of these items.
    private var headChecksum: String

    /// Begins a run of `count` items after the lines of `history`, or in an empty journal.
    ///
    /// The first line is written by `flush`. If the run repeats the last run, that line is written
    /// together with the first line that differs.
    ///
    /// - Parameters:
    ///   - goesOn: The run continues the last run in the history.
    ///   - repeats: The run has the same identity as the last one, which finished.
    ///   - folders: The folders that the run writes to, starting with the journal's folder.
    init(
        _ identity: RunIdentity, goesOn: Bool = false, repeats: Bool = false, count: Int,
        after history: RunHistory?, in folders: [OutputFolder], syncNanoseconds: UInt64
    ) throws(OutletError) {
        let file = try AppendFile(RunHistory.name, in: folders[0])
        // Removes a line that a crash cut off; the next line would be appended to it.
        let end = history?.end ?? 0
        if try file.size() != end { try file.truncate(to: end) }
        self.init(
            file, head: Self.head(identity, goesOn ? "goes_on" : nil),
            repeating: repeats ? history : nil, size: end, count: count,
            folders: folders, syncNanoseconds: syncNanoseconds,
            followsUncleanEnd: history?.isUnfinished == true)
    }

    private init(
        _ file: consuming AppendFile, head: [UInt8], repeating history: RunHistory?, size: Int,
        count: Int, folders: [OutputFolder], syncNanoseconds: UInt64, followsUncleanEnd: Bool
    ) {
        self.file = file
        self.folders = folders
        self.syncNanoseconds = syncNanoseconds
        self.followsUncleanEnd = followsUncleanEnd
        needsSync = followsUncleanEnd
        start = size
        heldHead = history == nil ? nil : head
        pending = history == nil ? head : []
        headChecksum = history?.head ?? JournalLine.checksum(of: head[...])
        self.size = size
        offsets = Array(repeating: -1, count: count)
    }

    /// Whether all lines exist in the last run, so that nothing was written.
    var isRepeated: Bool { heldHead != nil }

    /// Returns the line that begins or continues a run.
    private static func head(_ identity: RunIdentity, _ mark: String?) -> [UInt8] {
        JournalLine.bytes { json in
            json.object("run") { json in
                identity.write(into: &json)
                if let mark { json.member(mark, true) }
            }
        }
    }

    /// Adds the line of one item.
    ///
    /// - Parameter isNew: Whether the item was made in this run. The line of a reused item may stay
    ///   in memory for a moment, because an earlier run has it too.
    mutating func append(
        _ line: ItemLine.Ended, isNew: Bool, at position: Int
    ) throws(OutletError) {
        if let head = heldHead {
            if let offset = line.offsetInLastRun {
                offsets[position] = offset
                return
            }
            try begin(head)
        }
        add(line.bytes, at: position)
        if isNew || followsUncleanEnd { needsSync = true }
        // New results are handed to the system at once, so that they survive a killed process.
        if isNew || pending.count >= Self.batchBytes { try flush() }
        try syncInBackground()
    }

    /// Begins a sync if one is due, and adds a mark for the lines that the last sync covered.
    private mutating func syncInBackground() throws(OutletError) {
        if let backgroundSync {
            guard backgroundSync.isOver else { return }
            try endBackgroundSync()
        }
        guard MonotonicClock.now - lastSync >= syncNanoseconds else { return }
        try beginSync()
        needsSync = false
    }

    /// Begins to sync in the background what the run wrote so far, unless a sync is in progress.
    /// `sync` still covers everything, but has less to wait for.
    mutating func beginSync() throws(OutletError) {
        guard needsSync, backgroundSync == nil else { return }
        try flush()
        backgroundSync = BackgroundSync(of: folders, upTo: size)
    }

    /// Keeps a failed sync, so that every later sync of the run fails too: the system reports a
    /// lost write only once.
    private mutating func endBackgroundSync() throws(OutletError) {
        guard let ended = backgroundSync else { return }
        try ended.wait()
        backgroundSync = nil
        lastSync = MonotonicClock.now
        mark(ended.offset)
    }

    /// Records that all lines of the run before `offset`, and their outputs, are on the disk.
    private mutating func mark(_ offset: Int) {
        pending.append(contentsOf: Self.markLine(Int64(start)..<Int64(offset)))
    }

    static func markLine(_ range: Range<Int64>) -> [UInt8] {
        JournalLine.bytes { json in
            json.array("synced") { json in
                json.write(Int(range.lowerBound))
                json.write(Int(range.upperBound))
            }
        }
    }

    private mutating func add(_ line: ArraySlice<UInt8>, at position: Int) {
        offsets[position] = Int64(size + pending.count)
        pending.append(contentsOf: line)
        pending.append(0x0A)
    }

    /// Ends the repetition of the last run: prepares the first line of this run, and copies the
    /// lines that this run has repeated so far.
    private mutating func begin(_ head: [UInt8]) throws(OutletError) {
        heldHead = nil
        headChecksum = JournalLine.checksum(of: head[...])
        pending = head
        var block = LineBlock()
        // Lines are copied in the order of their offsets, so that each large block is read once.
        let standing = offsets.indices.filter { offsets[$0] >= 0 }
            .sorted { offsets[$0] < offsets[$1] }
        for position in standing {
            add(try block.line(at: offsets[position], of: file), at: position)
            if pending.count >= Self.batchBytes { try flush() }
        }
    }

    /// Records the end of the run, after its manifest was written to `folder`.
    ///
    /// - Parameter past: The end of the last run; if it is equal, nothing is written.
    mutating func close(
        items: Int, after past: RunEnd?, in folder: OutputFolder
    ) throws(OutletError) {
        let end = try RunEnd(of: headChecksum, in: folder)
        if isRepeated, end == past { return }
        pending.append(contentsOf: Self.endLine(items, end))
        try flush()
    }

    /// Saves an interrupted run, so that it can be resumed.
    mutating func stop() throws(OutletError) {
        if let head = heldHead { try begin(head) }
        needsSync = true
        try sync()
        mark(size)
        try flush()
    }

    static func endLine(_ items: Int, _ end: RunEnd?) -> [UInt8] {
        JournalLine.bytes { json in
            json.member("end", items)
            end?.write(into: &json)
        }
    }

    mutating func flush() throws(OutletError) {
        guard !pending.isEmpty else { return }
        do throws(OutletError) {
            try file.append(pending.span)
        } catch {
            cutBack()
            throw error
        }
        size += pending.count
        pending.removeAll(keepingCapacity: true)
    }

    /// Removes an incomplete line, so that the next line is not appended to it.
    private func cutBack() {
        // The next run drops a line with a wrong checksum.
        try? file.truncate(to: size)
    }

    /// Records that files changed without a line, so that the next sync covers them.
    mutating func noteChange() { needsSync = true }

    /// Waits until everything that the run wrote is on the disk. Does nothing if the run only
    /// reused synced files.
    mutating func sync() throws(OutletError) {
        // No mark is needed: the end line of the run follows, or the mark of `stop`.
        try backgroundSync?.wait()
        backgroundSync = nil
        try flush()
        guard needsSync else { return }
        try BackgroundSync.run(folders)
        needsSync = false
        lastSync = MonotonicClock.now
    }

    /// Passes the item part of each line to `body`, in input order, with one block in memory.
    mutating func forEachItem(
        _ body: (ArraySlice<UInt8>) throws(OutletError) -> Void
    ) throws(OutletError) {
        try flush()
        var block = LineBlock()
        for offset in offsets where offset >= 0 {
            let line = try block.line(at: offset, of: file)
            guard let start = JournalLine.itemStart(in: line) else { continue }
            try body(line[start..<(line.endIndex - 1)])
        }
    }
}

extension Journal {
    mutating func forEachRecord(_ body: (ItemRecord) -> Void) throws(OutletError) {
        try forEachItem { line throws(OutletError) in
            if let record = TargetWriter.record(line) { body(record) }
        }
    }
}
