import Engine
import Glibc
import Notation
import Synchronization
import System
import Transport

/// The results of earlier runs into one folder: their items, and whether the last run finished.
///
/// It keeps 16 bytes per item in memory, and 8 more while it looks ahead. The rest is read from the
/// journal when an item is requested.
package final class RunHistory: Sendable {
    package static let name = RelativePath.own("journal.ndjson")
    /// A journal is compacted when half of its lines are outdated, unless it is smaller than this.
    private static let smallBytes = 256 << 10

    private let file: AppendFile
    private let block = Mutex(RunHistory.block)
    /// The requested items, and those that were prefetched.
    private let requests: Mutex<ItemRequests>
    /// Signalled when the prefetch window has room again.
    private let hasRoom = Semaphore()
    private let scan: JournalScan
    private var entries: [JournalScan.Entry] { scan.entries }
    private var runStart: Int64 { scan.runStart }
    /// The last run in the journal.
    var run: RunIdentity? { scan.run }
    var runEnd: RunEnd? { scan.runEnd }
    /// The checksum of the last line that began a run.
    var head: String { scan.head }
    /// The target folders of the last run.
    var targets: TargetFolders { scan.targets }
    /// The time at which the first run after the last finished one began, in nanoseconds after 1970.
    var began: Int64 { scan.began }
    /// Whether the last run was interrupted on another boot, so that its last changes may be lost.
    var lostPower: Bool { scan.lostPower }
    /// The offset after the last complete line.
    var end: Int { scan.end }
    /// Whether a run was begun and did not finish.
    package var isUnfinished: Bool { scan.run != nil && !scan.isFinished }
    package let damage: String?

    /// Whether half of the journal is outdated and it is not small.
    let isWasteful: Bool

    package var isEmpty: Bool { entries.isEmpty }

    package var count: Int { entries.count }

    /// Reads the journal in `folder`, and compacts it if it is wasteful. The caller holds the
    /// folder's lock.
    ///
    /// - Parameter compacts: Compacts a journal of any size, and removes damaged lines.
    package convenience init(
        _ folder: OutputFolder, compacts: Bool = false
    ) throws(OutletError) {
        let file = try AppendFile(Self.name, in: folder)
        let scan = try JournalScan(file)
        let isWasteful = try Self.isWasteful(scan, of: file)
        guard compacts || isWasteful else {
            try self.init(file, scan)
            return
        }
        try JournalCompaction.write(scan, of: file, into: folder)
        let compacted = try AppendFile(Self.name, in: folder)
        let fresh = try JournalScan(compacted)
        try self.init(compacted, fresh, damage: scan.damage)
    }

    /// Reads the journal without changing it, until `isOver` returns true. The caller holds the
    /// folder's lock.
    convenience init(
        asItStandsIn folder: OutputFolder, until isOver: () -> Bool
    ) throws(OutletError) {
        let file = try AppendFile(Self.name, in: folder)
        let scan = try JournalScan(file, until: isOver)
        try self.init(file, scan)
    }

    /// Reads the journal in `folder`, if there is one, without changing anything.
    package static func existing(in folder: OutputFolder) throws(OutletError) -> RunHistory? {
        guard let file = try folder.open(name) else { return nil }
        let scan = try JournalScan(file)
        return try RunHistory(file, scan)
    }

    private static func isWasteful(
        _ scan: JournalScan, of file: borrowing AppendFile
    ) throws(OutletError) -> Bool {
        guard scan.lineCount >= 2 * scan.entries.count else { return false }
        return try file.size() > smallBytes
    }

    private init(
        _ file: consuming AppendFile, _ scan: JournalScan, damage: JournalScan.Damage? = nil
    ) throws(OutletError) {
        isWasteful = try Self.isWasteful(scan, of: file)
        self.file = file
        requests = Mutex(ItemRequests(count: scan.entries.count))
        self.scan = scan
        self.damage = Self.text(of: damage ?? scan.damage)
    }

    /// Returns the line of an item; nil if it is unknown or no longer readable.
    func item(_ key: ItemKey) -> ItemLine? {
        guard let index = index(of: key) else { return nil }
        let item = take(index) ?? item(at: entries[index].offset)
        return item?.key == key ? item : nil
    }

    func readyItem(_ key: ItemKey) -> ItemLine? {
        guard let index = index(of: key), let item = take(index) else { return nil }
        return item.key == key ? item : nil
    }

    /// Whether the unfinished run has seen the item fail for a reason that may pass. This does not
    /// mark the item as requested.
    func isRetried(_ key: ItemKey) -> Bool {
        guard isUnfinished, let index = index(of: key), entries[index].offset > runStart,
            let line = item(at: entries[index].offset), line.key == key
        else { return false }
        return line.item.isRetried
    }

    /// Marks an item as requested, and returns its prefetched line.
    private func take(_ index: Int) -> ItemLine? {
        let (item, isRoomier) = requests.withLock { requests in
            let isFull = requests.isFull
            let item = requests.note(index, at: entries[index].offset)
            return (item, isFull && !requests.isFull)
        }
        if isRoomier { hasRoom.signal() }
        return item
    }

    private func item(at offset: Int64) -> ItemLine? {
        guard let line = line(near: offset),
            var item = ItemLine(line, isOfRun: isUnfinished && offset > runStart)
        else { return nil }
        item.item.isOfLastRun = offset > runStart
        item.offset = offset
        return item
    }

    /// Prefetches items of the last run and checks their outputs, in the order in which they ended,
    /// until `endLookAhead`.
    package func lookAhead(in outlet: Outlet) {
        let current = entries.indices.filter { entries[$0].offset > runStart }
            .sorted { entries[$0].offset < entries[$1].offset }
        for index in current {
            let offset = entries[index].offset
            while requests.withLock({ $0.isFull && !$0.isOver }) { hasRoom.wait() }
            if requests.withLock({ $0.isOver }) { return }
            guard requests.withLock({ $0.isWanted(index, at: offset) }),
                var line = item(at: offset)
            else { continue }
            checkOutputs(of: &line, in: outlet)
            requests.withLock { $0.keep(line, of: index) }
        }
    }

    /// Checks which outputs of an item are unchanged: by size and time, or by their bytes if a
    /// power loss may have changed them.
    func checkOutputs(of line: inout ItemLine, in outlet: Outlet) {
        line.item.checkOutputs(in: outlet, trustsTimes: scan.trustsTimes(at: line.offset))
    }

    func endLookAhead() {
        requests.withLock { $0.isOver = true }
        hasRoom.signal()
    }

    private func index(of key: ItemKey) -> Int? {
        let index = entries.lowerBound(where: { $0.high >= key.high })
        return index < entries.count && entries[index].high == key.high ? index : nil
    }

    /// Treats the old files of an item as orphans, because it has other files now.
    func forget(_ key: ItemKey) {
        guard let index = index(of: key) else { return }
        requests.withLock { $0.isRequested[index] = false }
    }

    /// The files that a killed run announced.
    func announcedFiles() -> [OwnedFile] { files(at: scan.announcements) }

    /// Calls `body` with each file of earlier runs, in the order of their lines, but for those of
    /// items that were requested, and announced ones.
    func forEachFormerFile(_ body: (OwnedFile) -> Void) {
        let isRequested = requests.withLock { $0.isRequested }
        let items = entries.indices.filter { !isRequested[$0] }.map { entries[$0].offset }
        for offset in (items + scan.formerItems + scan.files).sorted() {
            files(at: [offset]).forEach(body)
        }
    }

    /// Calls `body` with each file of earlier runs, in the order of their lines, and whether no item
    /// has it.
    func forEachFile(_ body: (_ file: OwnedFile, _ isOther: Bool) -> Void) {
        let others = Set(scan.files)
        let offsets = entries.map(\.offset) + scan.formerItems + scan.announcements + scan.files
        for offset in offsets.sorted() {
            for file in files(at: [offset]) { body(file, others.contains(offset)) }
        }
    }

    private func files(at offsets: [Int64]) -> [OwnedFile] {
        offsets.flatMap { line(near: $0).map(JournalLine.files) ?? [] }
    }

    /// Rewrites the journal in `folder` with the items of its last run and `files` only.
    static func dropEarlierRuns(
        in folder: OutputFolder, keeping files: Set<String>
    ) throws(OutletError) {
        let file = try AppendFile(name, in: folder)
        try JournalCompaction.write(
            try JournalScan(file), of: file, keptFiles: files, into: folder)
    }

    /// Calls `body` with every readable item, sorted by key.
    package func forEachItem(_ body: (ItemRecord) -> Void) {
        for entry in entries {
            if let record = record(at: entry.offset) { body(record) }
        }
    }

    /// Returns the files of an item, even if this build would write its line differently.
    func files(of key: ItemKey) -> [OwnedFile]? {
        index(of: key).map { files(at: [entries[$0].offset]) }
    }

    private func record(at offset: Int64) -> ItemRecord? {
        line(near: offset).flatMap { ItemLine($0)?.item.record }
    }

    /// An empty block. Its first read is small, and reads grow while lines are requested in file
    /// order, as by most lists.
    private static var block: LineBlock { LineBlock(length: 8 << 10) }

    private func line(near offset: Int64) -> ArraySlice<UInt8>? {
        if let line = block.withLock({ $0.held(at: offset) }) { return line }
        // Reads outside the lock, so that other readers can use the current block.
        var next = block.withLock { $0 }
        guard let line = try? next.line(at: offset, of: file) else { return nil }
        block.withLock { [next] in $0 = next }
        return line
    }

    private static func text(of damage: JournalScan.Damage) -> String? {
        guard damage.count > 0 else { return nil }
        let others = damage.count > 1 ? ", and \(damage.count - 1) more" : ""
        return "line \(damage.firstLine) of \(name) is damaged (\(damage.reason))\(others); "
            + "processing its item again"
    }
}

extension AppendFile {
    /// Returns the line at `offset` without its line end; empty if there is no line end.
    func line(at offset: Int64) throws(OutletError) -> ArraySlice<UInt8> {
        var block = LineBlock(length: 4_096)
        return try block.line(at: offset, of: self)
    }
}

/// The items that the run has requested, and the window of prefetched items.
struct ItemRequests {
    /// The size of the prefetch window.
    private static let readyLimit = 2_048

    var isRequested: [Bool]
    private var ready: [Int: ItemLine] = [:]
    /// Entries before this offset are no longer prefetched.
    private var passed: Int64 = 0
    var isOver = false

    init(count: Int) { isRequested = Array(repeating: false, count: count) }

    var isFull: Bool { ready.count >= Self.readyLimit }

    /// Marks an item as requested. A request beyond a full prefetch window discards the window.
    mutating func note(_ index: Int, at offset: Int64) -> ItemLine? {
        isRequested[index] = true
        let item = ready.removeValue(forKey: index)
        if item == nil, isFull {
            ready = [:]
            passed = max(passed, offset)
        }
        return item
    }

    func isWanted(_ index: Int, at offset: Int64) -> Bool { !isRequested[index] && offset > passed }

    /// Keeps a prefetched item, unless it was requested meanwhile.
    mutating func keep(_ item: ItemLine, of index: Int) {
        if !isRequested[index] { ready[index] = item }
    }
}
