import Engine
import Transport

/// Rewrites a journal with only the last line of each item.
enum JournalCompaction {
    /// The number of items of earlier runs that are kept per item of the last run, and the minimum
    /// in total.
    private static let earlierFactor = 4
    private static let earlierLeast = 100_000

    /// Writes the compacted journal and renames it into place, so that a crash leaves the old one.
    /// Also writes a separate line for each file that no kept line names.
    ///
    /// - Parameter keptFiles: The keys of the files that stay known if only the items of the last run
    ///   are kept; nil to keep earlier items and all files.
    static func write(
        _ scan: JournalScan, of file: borrowing AppendFile, keptFiles: Set<String>? = nil,
        into folder: OutputFolder
    ) throws(OutletError) {
        var offsets = scan.entries.map(\.offset).sorted()
        let split = offsets.firstIndex { $0 > scan.runStart } ?? offsets.count
        let current = offsets.count - split
        let limit = keptFiles == nil ? max(earlierLeast, earlierFactor * current) : 0
        let dropped = offsets[..<max(0, split - limit)]
        let others = (scan.formerItems + scan.announcements + scan.files + Array(dropped)).sorted()
        offsets.removeFirst(dropped.count)
        let files = try files(at: others, without: offsets, of: file, keptFiles)
        var output = try folder.newFile(RunHistory.name)
        for file in files { try output.append(JournalLine.line(of: file)) }
        var block = LineBlock()
        let begin = scan.run == nil ? [] : [scan.runStart]
        for offset in (offsets + begin).sorted() {
            let line = try block.line(at: offset, of: file)
            try output.append(line.span)
            try output.append([0x0A])
        }
        if scan.runs.last.map({ $0.boot.isEmpty && !$0.isOnDisk }) == true {
            try output.append(Journal.unsyncedLine)
        }
        if scan.isFinished { try output.append(Journal.endLine(current, scan.runEnd)) }
        _ = try output.commit(sync: true)
    }

    /// Returns the files of the lines at `others` that no item at `kept` has, in order of their keys.
    private static func files(
        at others: [Int64], without kept: [Int64], of file: borrowing AppendFile,
        _ keptFiles: Set<String>?
    ) throws(OutletError) -> [OwnedFile] {
        var files: [String: OwnedFile] = [:]
        var block = LineBlock()
        for offset in others {
            for file in JournalLine.files(of: try block.line(at: offset, of: file))
            where keptFiles?.contains(file.key) ?? true { files[file.key] = file }
        }
        for offset in files.isEmpty ? [] : kept {
            for file in JournalLine.files(of: try block.line(at: offset, of: file)) {
                files[file.key] = nil
            }
        }
        return files.sorted { $0.key < $1.key }.map(\.value)
    }
}
