import Engine
import Gauge
import Notation
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
/// The first line of a run names the boot of the machine. A run of the same boot trusts the sizes and
/// times of outputs. If the machine was started again before the run ended, its outputs may be
/// incomplete, and the next run compares their bytes. Everything is synced once, before the manifest.
struct Journal: ~Copyable {
    private static let batchBytes = 64 << 10
    private let file: AppendFile
    private var size: Int
    /// The lines that are not written to the file yet.
    private var pending: [UInt8]
    /// The offset of each item's line, or -1.
    private var offsets: [Int64]
    private let folders: [OutputFolder]
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
        after history: RunHistory?, in folders: [OutputFolder]
    ) throws(OutletError) {
        let file = try AppendFile(RunHistory.name, in: folders[0])
        // Removes a line that a crash cut off; the next line would be appended to it.
        let end = history?.end ?? 0
        if try file.size() != end { try file.truncate(to: end) }
        // The lock is written when a run begins, so it has the time of the file system.
        var start = try folders[0].facts(of: .own("lock"))
        if start == nil { start = try folders[0].facts(of: RunHistory.name) }
        self.init(
            file, head: Self.head(identity, began: start?.modified ?? 0, goesOn ? "goes_on" : nil),
            repeating: repeats ? history : nil, size: end, count: count,
            folders: folders, followsUncleanEnd: history?.isUnfinished == true)
    }

    private init(
        _ file: consuming AppendFile, head: [UInt8], repeating history: RunHistory?, size: Int,
        count: Int, folders: [OutputFolder], followsUncleanEnd: Bool
    ) {
        self.file = file
        self.folders = folders
        self.followsUncleanEnd = followsUncleanEnd
        needsSync = followsUncleanEnd
        heldHead = history == nil ? nil : head
        pending = history == nil ? head : []
        headChecksum = history?.head ?? JournalLine.checksum(of: head[...])
        self.size = size
        offsets = Array(repeating: -1, count: count)
    }

    /// Whether all lines exist in the last run, so that nothing was written.
    var isRepeated: Bool { heldHead != nil }

    /// Returns the line that begins or continues a run.
    private static func head(
        _ identity: RunIdentity, began: Int64, _ mark: String?
    ) -> [UInt8] {
        JournalLine.bytes { json in
            json.object("run") { json in
                identity.write(into: &json)
                json.member("boot", Boot.id)
                json.member("began", Int(began))
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
        try flush()
        try syncHead()
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
        try flush()
    }

    static func endLine(_ items: Int, _ end: RunEnd?) -> [UInt8] {
        JournalLine.bytes { json in
            json.member("end", items)
            end?.write(into: &json)
        }
    }

    /// Saves the first line of the run before its first output.
    mutating func syncHead() throws(OutletError) {
        let isNew = size == 0
        try flush()
        guard heldHead == nil else { return }
        // The folders above a new journal are new, too, and must not be lost without it.
        if isNew { return try folders[0].syncAll() }
        try file.sync()
        try folders[0].syncFolder(of: RunHistory.name)
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
        try flush()
        guard needsSync else { return }
        do throws(OutletError) {
            try OutputFolder.syncAll(folders)
        } catch {
            // The system reports a lost write only once. If the note is lost too, so is the run.
            pending = JournalLine.bytes { $0.member("unsynced", true) }
            try? flush()
            throw error
        }
        needsSync = false
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
