import Notation
import Transport

/// The result of one pass over a journal: the offsets of its lines, their runs, and damaged lines.
struct JournalScan {
    struct Entry: Comparable {
        /// The upper half of the key of the item.
        let high: UInt64
        let offset: Int64
        let checksum: UInt32

        static func < (left: Entry, right: Entry) -> Bool {
            (left.high, left.offset) < (right.high, right.offset)
        }
    }

    struct Damage {
        var count = 0
        var firstLine = 0
        var reason = ""
    }

    private static let blockLength = 128 << 10
    /// The limit for a line; runs never write a longer one.
    private static let lineLimit = 16 << 20

    /// The last line of each item, sorted by key.
    private(set) var entries: [Entry] = []
    /// The offsets of the other lines of items, unless a later line of the item is equal.
    private(set) var formerItems: [Int64] = []
    /// The offsets of the announcements after the last run that ended.
    private(set) var announcements: [Int64] = []
    /// The offsets of the lines of files that no item has.
    private(set) var files: [Int64] = []
    /// The number of item lines, including replaced ones.
    private(set) var lineCount = 0
    /// The first line of the last run; for a resumed run, the line of its first part.
    private(set) var run: RunIdentity?
    private(set) var runStart: Int64 = 0
    /// The target folders of the last run.
    private(set) var targets = TargetFolders()
    private(set) var isFinished = false
    private(set) var runEnd: RunEnd?
    /// The checksum of the last line that began a run.
    private(set) var head = ""
    /// The runs in the journal.
    private(set) var runs: [Segment] = []
    /// The index of the first run after the last one that ended, and the time at which it began, in
    /// nanoseconds after 1970.
    private var firstOpen = 0
    private(set) var began: Int64 = 0
    private(set) var damage = Damage()
    /// The offset after the last complete line; a crash cut off the rest.
    private(set) var end = 0

    /// - Parameter isOver: Whether the result is no longer needed.
    init(
        _ file: borrowing AppendFile, until isOver: () -> Bool = { false }
    ) throws(OutletError) {
        var block: [UInt8] = []
        var start = 0
        var number = 0
        while !isOver() {
            let more = try file.read(at: Int64(start + block.count), count: Self.blockLength)
            if more.isEmpty { break }
            block.append(contentsOf: more)
            var used = 0
            while let length = block[used...].lineEnd.map({ $0 - used }) {
                number += 1
                take(block[used..<used + length], at: start + used, number: number)
                used += length + 1
            }
            block.removeFirst(used)
            start += used
            end = start
            guard block.count <= Self.lineLimit else {
                note("no line end", number: number + 1)
                break
            }
        }
        keepLast()
    }

    private mutating func take(_ line: ArraySlice<UInt8>, at offset: Int, number: Int) {
        switch JournalLine.kind(of: line) {
        case .item(let high):
            entries.append(
                Entry(
                    high: high, offset: Int64(offset),
                    checksum: UInt32(JournalLine.checksum(of: line), radix: 16) ?? 0))
            lineCount += 1
        case .announcement: announcements.append(Int64(offset))
        case .file: files.append(Int64(offset))
        case .end(let end):
            isFinished = true
            announcements = []
            // A manifest is written only after a sync of everything that this boot has written.
            for index in runs.indices where runs[index].boot == runs.last?.boot {
                runs[index].isOnDisk = true
            }
            runEnd = damage.count == 0 && end?.head == head ? end : nil
        case .unsynced:
            for index in runs.indices where !runs[index].isOnDisk { runs[index].boot = "" }
        case .other: break
        case .unsound(let reason): note(reason, number: number)
        case .head(let members):
            head = JournalLine.checksum(of: line)
            runEnd = nil
            if isFinished || runs.isEmpty {
                firstOpen = runs.count
                began = Int64(members["began"]?.intValue ?? 0)
            }
            runs.append(
                Segment(start: Int64(offset), boot: members["boot"]?.stringValue ?? ""))
            targets = TargetFolders(members)
            // The files of another version's run are known, but it is not continued.
            guard let identity = RunIdentity(members) else {
                run = nil
                isFinished = false
                return
            }
            let goesOn = members["goes_on"]?.boolValue == true && run != nil && !isFinished
            if !goesOn {
                runStart = Int64(offset)
                run = identity
            }
            isFinished = false
        }
    }

    private mutating func note(_ reason: String, number: Int) {
        if damage.count == 0 {
            damage.firstLine = number
            damage.reason = reason
        }
        damage.count += 1
    }

    private mutating func keepLast() {
        entries.sort()
        var kept = 0
        for (index, entry) in entries.enumerated() {
            let next = index + 1 < entries.count ? entries[index + 1] : nil
            if next?.high == entry.high {
                if next?.checksum != entry.checksum { formerItems.append(entry.offset) }
                continue
            }
            entries[kept] = entry
            kept += 1
        }
        entries.removeLast(entries.count - kept)
    }
}

extension JournalScan {
    /// A run, or its continuation.
    struct Segment {
        /// The offset of its first line.
        let start: Int64
        /// The kernel's name for the boot; empty if the outputs are not trusted on any boot.
        var boot: String
        /// Whether a later sync on the same boot covered its outputs.
        var isOnDisk = false
    }

    /// Whether size and time are enough to trust the outputs of a line: the machine was not started
    /// again between the run and the sync that covers it.
    func trustsTimes(at offset: Int64) -> Bool {
        guard let run = runs.last(where: { $0.start <= offset }) else { return false }
        return run.isOnDisk || (run.boot == Boot.id && !run.boot.isEmpty)
    }

    /// Whether the last run was interrupted on another boot, so that its last changes may be lost.
    var lostPower: Bool {
        !isFinished && runs[firstOpen...].contains { $0.boot != Boot.id || $0.boot.isEmpty }
    }
}
