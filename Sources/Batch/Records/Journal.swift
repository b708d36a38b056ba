import Engine
import Gauge
import Notation
import System
import Transport

/// The log of a run: a checksummed line for each item, appended as items end.
///
/// A run opens with a line that says what makes it this run, and closes with one that says that it
/// came to its end. Of an item's line (`ItemLine`) the checksum covers all that follows it, and the
/// item is the line of the manifest to be. Lines stand in the order of their ends; where each item's
/// line begins is kept beside them, so the manifest can be written in input order. Lines of earlier
/// runs stay before those of this one, until `RunHistory` drops them. A run that is the last one over
/// again writes nothing as long as all its lines would be those that stand.
///
/// While a run goes on, its file systems are synced in the background about once a second. After a sync
/// that succeeded, a mark in the journal says which lines it covered. After a power loss, only the
/// outputs of these lines are trusted without a look at their bytes (`SyncedLines`).
struct Journal: ~Copyable {
    private static let batchBytes = 64 << 10
    private let file: AppendFile
    private var size: Int
    private var pending: [UInt8]
    /// The offset of each item's line, or -1.
    private var offsets: [Int64]
    /// The offset of the line that this run began with.
    private var start: Int
    /// The folders that the run writes to.
    private let folders: [OutputFolder]
    /// The least time between two background syncs.
    private let syncNanoseconds: UInt64
    private var lastSync = MonotonicClock.now
    /// The background sync in progress, or one that failed.
    private var backgroundSync: BackgroundSync?
    /// Something was written since the last sync began.
    private var needsSync: Bool
    /// The last run did not come to its end, so outputs that are taken over may not be synced either.
    private let followsUncleanEnd: Bool
    /// The first line of a run that has not said anything yet that the last one did not.
    private var heldHead: [UInt8]?
    /// The checksum of the line under which the run's items stand.
    private var headChecksum: String

    /// Begins the lines of a run of `count` items behind those of `history`, or an empty journal.
    ///
    /// Its first line waits for `flush`, and where it repeats another run for a line of its own.
    ///
    /// - Parameters:
    ///   - goesOn: the run takes up the one that the history ends with.
    ///   - repeats: it is that one over again, which came to its end.
    ///   - folders: the folders that the run writes to, the one that holds the journal first.
    init(
        _ identity: RunIdentity, goesOn: Bool = false, repeats: Bool = false, count: Int,
        after history: RunHistory?, in folders: [OutputFolder], syncNanoseconds: UInt64
    ) throws(OutletError) {
        let file = try AppendFile(RunHistory.name, in: folders[0])
        // What a crash cut off goes, or the next line would begin in its middle.
        let end = history?.end ?? 0
        if try file.size() != end { try file.truncate(to: end) }
        let head = JournalLine.bytes { json in
            json.object("run") { json in
                identity.write(into: &json)
                if goesOn { json.member("goes_on", true) }
            }
        }
        self.init(
            file, head: head, repeating: repeats ? history : nil, size: end, count: count,
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

    /// All lines of the run stand in the last one's, and nothing was written.
    var isRepeated: Bool { heldHead != nil }

    /// Adds the line of one item.
    ///
    /// - Parameter isNew: it tells of work; that of an item taken over may stay in memory for a
    ///   moment, since it stands in the lines of an earlier run too.
    mutating func append(
        _ line: ItemLine.Ended, isNew: Bool, at position: Int
    ) throws(OutletError) {
        if let head = heldHead {
            if let offset = line.standing {
                offsets[position] = offset
                return
            }
            try begin(head)
        }
        add(line.bytes, at: position)
        if isNew || followsUncleanEnd { needsSync = true }
        // What cost work is at once in the system's hands, where a killed process leaves it.
        if isNew || pending.count >= Self.batchBytes { try flush() }
        try syncInBackground()
    }

    /// Begins a sync where one is due, and marks what the last one covered.
    private mutating func syncInBackground() throws(OutletError) {
        if let backgroundSync {
            guard backgroundSync.isOver else { return }
            try endBackgroundSync()
        }
        guard needsSync, MonotonicClock.now - lastSync >= syncNanoseconds else { return }
        try flush()
        needsSync = false
        backgroundSync = BackgroundSync(of: folders, upTo: size)
    }

    /// One that failed stays, so that every later sync of the run fails with its error: the system
    /// reports a lost write only once.
    private mutating func endBackgroundSync() throws(OutletError) {
        guard let ended = backgroundSync else { return }
        try ended.wait()
        backgroundSync = nil
        lastSync = MonotonicClock.now
        mark(ended.offset)
    }

    /// Notes that all lines of the run before `offset`, and their outputs, are on the disk.
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

    /// The run has lines of its own from its first one on.
    private mutating func begin(_ head: [UInt8]) throws(OutletError) {
        heldHead = nil
        headChecksum = JournalLine.checksum(of: head[...])
        pending = head
        var block = LineBlock()
        // As they stand there, for large blocks to be read once.
        let standing = offsets.indices.filter { offsets[$0] >= 0 }
            .sorted { offsets[$0] < offsets[$1] }
        for position in standing {
            add(try block.line(at: offsets[position], of: file), at: position)
            if pending.count >= Self.batchBytes { try flush() }
        }
    }

    /// Notes that the run came to its end: its manifest stands in `folder`.
    ///
    /// - Parameter past: how the last run ended, which may have said so already.
    mutating func close(
        items: Int, _ near: NearDuplicates.Count, after past: RunEnd?, in folder: OutputFolder
    ) throws(OutletError) {
        let end = try RunEnd(near, of: headChecksum, in: folder)
        if isRepeated, end == past { return }
        pending.append(contentsOf: Self.endLine(items, end))
        try flush()
    }

    /// Saves what there is of a run that stops before its end, so that it can be gone on with.
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

    /// Hands what is pending to the system.
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

    /// Takes half a line away again, so that a later one does not begin in its middle.
    private func cutBack() {
        do throws(OutletError) {
            try file.truncate(to: size)
        } catch {
            // The next run drops what does not fit its checksum.
        }
    }

    /// Notes that files were written of which no line tells, for the next sync to cover.
    mutating func noteChange() { needsSync = true }

    /// Waits until everything that the run wrote is on the disk. Nothing happens where it only took
    /// over what was synced before.
    mutating func sync() throws(OutletError) {
        try endBackgroundSync()
        try flush()
        guard needsSync else { return }
        try BackgroundSync.run(folders)
        needsSync = false
        lastSync = MonotonicClock.now
    }

    /// Hands each item's part of its line to `body`, in input order, holding one block in memory.
    mutating func forEachItem(
        _ body: (Int, ArraySlice<UInt8>) throws(OutletError) -> Void
    ) throws(OutletError) {
        try flush()
        var block = LineBlock()
        for (position, offset) in offsets.enumerated() where offset >= 0 {
            let line = try block.line(at: offset, of: file)
            guard let start = JournalLine.itemStart(in: line) else { continue }
            try body(position, line[start..<(line.endIndex - 1)])
        }
    }

    /// The item at one position; nil where it did not end.
    mutating func record(at position: Int) throws(OutletError) -> ItemRecord? {
        try flush()
        guard offsets[position] >= 0 else { return nil }
        return ItemLine(try file.line(at: offsets[position]))?.item.record
    }
}
