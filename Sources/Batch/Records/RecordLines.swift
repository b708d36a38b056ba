import Engine
import Notation
import System
import Transport

/// Reads a file of records line by line, with one block in memory.
struct RecordLines: ~Copyable {
    /// The limit for a line; runs never write a longer one.
    private static let lineLimit = 16 << 20
    private static let blockLength = 1 << 20
    private static let firstBlockLength = 16 << 10

    private let file: OpenFile
    /// The length of the next block, which doubles during sequential reading.
    private var length = Self.firstBlockLength
    private var offset = 0
    private var block: [UInt8] = []
    private var used = 0
    /// The number of the line that `next` returned last, counted from 1.
    private(set) var number = 0

    init(_ path: FilePath) throws(ItemFailure) { file = try OpenFile(path) }

    /// The offset of the next line.
    var position: Int { offset - block.count + used }

    /// Moves to the line at `position`; its line number is then unknown.
    mutating func move(to position: Int) {
        let place = position - (offset - block.count)
        if (0...block.count).contains(place) {
            used = place
        } else {
            block = []
            used = 0
            offset = position
            length = Self.firstBlockLength
        }
    }

    /// Returns the next line without its line end, or `nil` after the last.
    mutating func next() throws(Fault) -> ArraySlice<UInt8>? {
        number += 1
        while true {
            if let end = block[used...].lineEnd {
                defer { used = end + 1 }
                return block[used..<end]
            }
            guard block.count - used <= Self.lineLimit else { throw Fault("the line does not end") }
            let more = try rethrowing(file.read(at: offset, count: length)) {
                (error: ItemFailure) in
                Fault("\(error)")
            }
            if more.isEmpty {
                guard used < block.count else { return nil }
                throw Fault("the last line is cut off")
            }
            offset += more.count
            length = min(2 * length, Self.blockLength)
            block.removeFirst(used)
            block.append(contentsOf: more)
            used = 0
        }
    }

    struct Fault: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }
}

/// Reads the journal of a folder without changing it.
enum JournalRecords {
    /// Returns the content of the last line that began a run; nil if there is none.
    static func lastBegin(in folder: FilePath) -> JSON? {
        guard var lines = try? RecordLines(folder.appending(FilePath("\(RunHistory.name)"))) else {
            return nil
        }
        var last: JSON?
        while let line = (try? lines.next()) ?? nil {
            if case .head(let begin) = JournalLine.kind(of: line) { last = begin }
        }
        return last
    }

    /// Calls `body` with each item in the order of the lines; a later line of an item replaces an
    /// earlier one. Skips invalid lines; does nothing without a journal.
    static func forEach(in folder: FilePath, _ body: (ItemRecord) -> Void) {
        guard var lines = try? RecordLines(folder.appending(FilePath("\(RunHistory.name)"))) else {
            return
        }
        while let line = (try? lines.next()) ?? nil {
            guard case .item = JournalLine.kind(of: line), let told = ItemLine(line) else {
                continue
            }
            body(told.item.record)
        }
    }
}
