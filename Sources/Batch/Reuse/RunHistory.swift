import Engine
import Glibc
import Notation
import Synchronization
import System
import Transport

/// What earlier runs into one folder left behind: their items, and whether the last one ended.
///
/// It keeps 16 bytes an item in memory, and 8 more while it looks ahead; the rest is read from the
/// journal again when an item is asked for.
package final class RunHistory: Sendable {
    package static let name = RelativePath.own("journal.ndjson")
    /// A journal is written anew when half of its lines are out of date, unless it is this small.
    private static let smallBytes = 256 << 10

    private let file: AppendFile
    private let entries: [JournalScan.Entry]
    /// What of the file was read last.
    private let block = Mutex(RunHistory.block)
    /// What was asked for, and what was looked at before.
    private let askings: Mutex<Askings>
    /// There is room again for what is looked at.
    private let hasRoom = Semaphore()
    /// The run that the journal ends with.
    let run: RunIdentity?
    /// What this run noted at its end.
    let runEnd: RunEnd?
    /// The checksum of the last line that a run began with.
    let head: String
    private let runStart: Int64
    private let synced: SyncedLines
    /// Past the last whole line.
    let end: Int
    /// A run was begun and did not come to its end.
    package let isUnfinished: Bool
    /// What in the journal cannot be used, in words.
    package let damage: String?

    /// Half of the journal is out of date, and it is not small.
    let isWasteful: Bool

    /// Nothing is known of any item.
    package var isEmpty: Bool { entries.isEmpty }

    /// The number of items that it knows.
    package var count: Int { entries.count }

    /// Reads the journal in `folder`, and writes it anew where it is wasteful; the caller holds its lock.
    ///
    /// - Parameter compacts: it is written anew whatever its size, without what is unsound.
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
        let fresh = try JournalCompaction.write(scan, of: file, into: folder)
        try self.init(try AppendFile(Self.name, in: folder), fresh, damage: scan.damage)
    }

    /// Reads the journal as it stands, until `isOver`; the caller holds the lock of the folder.
    convenience init(
        asItStandsIn folder: OutputFolder, until isOver: () -> Bool
    ) throws(OutletError) {
        let file = try AppendFile(Self.name, in: folder)
        let scan = try JournalScan(file, until: isOver)
        try self.init(file, scan)
    }

    /// Reads what stands in `folder`, if anything does, and changes nothing.
    package static func standing(in folder: OutputFolder) throws(OutletError) -> RunHistory? {
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
        entries = scan.entries
        askings = Mutex(Askings(count: scan.entries.count))
        run = scan.run
        runEnd = scan.runEnd
        head = scan.head
        runStart = scan.runStart
        synced = scan.synced
        end = scan.end
        isUnfinished = scan.run != nil && !scan.isFinished
        self.damage = Self.text(of: damage ?? scan.damage)
    }

    /// What is known of an item; nil also where its line cannot be read any more.
    func item(_ key: ItemKey) -> ItemLine? {
        guard let index = index(of: key) else { return nil }
        let item = take(index) ?? item(at: entries[index].offset)
        return item?.key == key ? item : nil
    }

    /// What is known of an item that was looked at already.
    func readyItem(_ key: ItemKey) -> ItemLine? {
        guard let index = index(of: key), let item = take(index) else { return nil }
        return item.key == key ? item : nil
    }

    /// Whether the unfinished run has seen the item fail for a reason that may pass. This does not count
    /// as asking for the item.
    func isRetried(_ key: ItemKey) -> Bool {
        guard isUnfinished, let index = index(of: key), entries[index].offset > runStart,
            let line = item(at: entries[index].offset), line.key == key
        else { return false }
        return line.item.isRetried
    }

    /// Whoever is told of an item has asked for it.
    private func take(_ index: Int) -> ItemLine? {
        let (item, isRoomier) = askings.withLock { askings in
            let isFull = askings.isFull
            let item = askings.ask(index, at: entries[index].offset)
            return (item, isFull && !askings.isFull)
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

    /// Looks at items of the last run and at their outputs before somebody asks of them, in the order in
    /// which they ended, until nobody asks any more.
    package func lookAhead(in outlet: Outlet) {
        let current = entries.indices.filter { entries[$0].offset > runStart }
            .sorted { entries[$0].offset < entries[$1].offset }
        for index in current {
            let offset = entries[index].offset
            while askings.withLock({ $0.isFull && !$0.isOver }) { hasRoom.wait() }
            if askings.withLock({ $0.isOver }) { return }
            guard askings.withLock({ $0.isWanted(index, at: offset) }),
                var line = item(at: offset)
            else { continue }
            lookAtOutputs(of: &line, in: outlet)
            askings.withLock { $0.keep(line, of: index) }
        }
    }

    /// Looks which outputs of an item stand: by size and time, or by their bytes where a power loss
    /// may have changed them.
    func lookAtOutputs(of line: inout ItemLine, in outlet: Outlet) {
        line.item.lookAtOutputs(in: outlet, trustsTimes: synced.contains(line.offset))
    }

    /// Nobody will ask any more.
    func endLookAhead() {
        askings.withLock { $0.isOver = true }
        hasRoom.signal()
    }

    private func index(of key: ItemKey) -> Int? {
        let index = entries.lowerBound(where: { $0.high >= key.high })
        return index < entries.count && entries[index].high == key.high ? index : nil
    }

    /// The item has other files now: those that it had are like those of an item that is gone.
    func forget(_ key: ItemKey) {
        guard let index = index(of: key) else { return }
        askings.withLock { $0.asked[index] = false }
    }

    /// Hands over every item that nobody asked for, with the times of its files.
    func forEachUnasked(_ body: (ItemRecord) -> Void) {
        let asked = askings.withLock { $0.asked }
        for (index, entry) in entries.enumerated() where !asked[index] {
            if let record = writtenRecord(at: entry.offset) { body(record) }
        }
    }

    /// Writes the journal in `folder` anew with the items of its last run alone.
    static func dropEarlierRuns(in folder: OutputFolder) throws(OutletError) {
        let file = try AppendFile(name, in: folder)
        _ = try JournalCompaction.write(
            try JournalScan(file), of: file, keepsEarlier: false, into: folder)
    }

    /// Hands over every item that can be read back, in the order of their keys.
    package func forEachItem(_ body: (ItemRecord) -> Void) {
        for entry in entries {
            if let record = record(at: entry.offset) { body(record) }
        }
    }

    /// Hands over everything that runs made.
    func forEachOutput(_ body: (OutputRecord) -> Void) {
        forEachWrittenItem { $0.outputs.forEach(body) }
    }

    /// Hands over every item that runs made files of.
    func forEachWrittenItem(_ body: (ItemRecord) -> Void) {
        for offset in entries.map(\.offset).sorted() {
            if let record = writtenRecord(at: offset) { body(record) }
        }
    }

    private func record(at offset: Int64) -> ItemRecord? {
        line(near: offset).flatMap { ItemLine($0)?.item.record }
    }

    /// What a line says of its item, also where this build would say it otherwise: its files are those
    /// of a run all the same.
    private func writtenRecord(at offset: Int64) -> ItemRecord? {
        guard let line = line(near: offset) else { return nil }
        if let known = ItemLine(line) { return known.item.record }
        guard let json = JournalLine.json(of: line), let item = json["item"],
            var record = ItemRecord(item)
        else { return nil }
        for (index, time) in zip(record.outputs.indices, json["times"]?.elements ?? []) {
            record.outputs[index].modified = Int64(time.intValue ?? 0)
        }
        return record
    }

    /// Lists mostly ask for the lines of an earlier run in the order in which they stand there.
    private static var block: LineBlock { LineBlock(length: 8 << 10) }

    private func line(near offset: Int64) -> ArraySlice<UInt8>? {
        if let line = block.withLock({ $0.held(at: offset) }) { return line }
        // Read beside the others: they go by the stretch that there is.
        var next = block.withLock { $0 }
        do throws(OutletError) {
            let line = try next.line(at: offset, of: file)
            block.withLock { [next] in $0 = next }
            return line
        } catch {
            return nil
        }
    }

    private func line(at offset: Int64) -> ArraySlice<UInt8>? {
        do throws(OutletError) {
            return try file.line(at: offset)
        } catch {
            return nil
        }
    }

    private static func text(of damage: JournalScan.Damage) -> String? {
        guard damage.count > 0 else { return nil }
        let others = damage.count > 1 ? ", and \(damage.count - 1) more" : ""
        return "line \(damage.firstLine) of \(name) is damaged (\(damage.reason))\(others); "
            + "processing its item again"
    }
}

extension AppendFile {
    /// The line that begins at `offset`, without its end; empty where none ends.
    func line(at offset: Int64) throws(OutletError) -> ArraySlice<UInt8> {
        var block = LineBlock(length: 4_096)
        return try block.line(at: offset, of: self)
    }
}

/// Which of the items that a run remembers were asked for, and what was looked at before that.
struct Askings {
    /// So many of them are kept that were looked at.
    private static let readyLimit = 2_048

    /// By their place among the entries.
    var asked: [Bool]
    private var ready: [Int: ItemLine] = [:]
    /// What stands before it in the journal is of no use any more to who looks ahead.
    private var passed: Int64 = 0
    /// Nobody will ask any more.
    var isOver = false

    init(count: Int) { asked = Array(repeating: false, count: count) }

    var isFull: Bool { ready.count >= Self.readyLimit }

    /// Whoever asks ahead of all that is kept does not want it, or wants it later: it gives way.
    mutating func ask(_ index: Int, at offset: Int64) -> ItemLine? {
        asked[index] = true
        let item = ready.removeValue(forKey: index)
        if item == nil, isFull {
            ready = [:]
            passed = max(passed, offset)
        }
        return item
    }

    func isWanted(_ index: Int, at offset: Int64) -> Bool { !asked[index] && offset > passed }

    /// Keeps what was looked at, unless somebody asked meanwhile.
    mutating func keep(_ item: ItemLine, of index: Int) {
        if !asked[index] { ready[index] = item }
    }
}
