import Transport

/// Rewrites a journal with only the last line of each item.
enum JournalCompaction {
    /// The number of items of earlier runs that are kept per item of the last run, and the minimum
    /// in total.
    private static let earlierFactor = 4
    private static let earlierLeast = 100_000

    /// Writes the compacted journal and renames it into place, so that a crash leaves the old one.
    ///
    /// - Returns: The scan of the new journal.
    static func write(
        _ scan: JournalScan, of file: borrowing AppendFile, keepsEarlier: Bool = true,
        into folder: OutputFolder
    ) throws(OutletError) -> JournalScan {
        var entries = scan.entries
        entries.sort { $0.offset < $1.offset }
        var split = entries.firstIndex { $0.offset > scan.runStart } ?? entries.count
        let current = entries.count - split
        let limit = keepsEarlier ? max(earlierLeast, earlierFactor * current) : 0
        entries.removeFirst(max(0, split - limit))
        split = entries.count - current
        var runStart = scan.runLine
        var output = try folder.newFile(RunHistory.name)
        var block = LineBlock()
        for index in entries.indices {
            if index == split, scan.run != nil {
                try copy(&runStart, of: file, &block, to: &output)
            }
            try copy(&entries[index].offset, of: file, &block, to: &output)
        }
        if split == entries.count, scan.run != nil {
            try copy(&runStart, of: file, &block, to: &output)
        }
        if scan.isFinished { try output.append(Journal.endLine(current, scan.runEnd)) }
        let end = output.size
        _ = try output.commit(sync: true)
        return JournalScan(entries, of: scan, runStart: runStart, end: end)
    }

    /// Copies the line at `offset`, and changes `offset` to that of the copy.
    private static func copy(
        _ offset: inout Int64, of file: borrowing AppendFile, _ block: inout LineBlock,
        to output: inout OutputFile
    ) throws(OutletError) {
        let line = try block.line(at: offset, of: file)
        offset = Int64(output.size)
        try output.append(line.span)
        try output.append([0x0A])
    }
}
