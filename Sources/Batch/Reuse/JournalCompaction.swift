import Transport

/// Writes a journal anew with the last line of each item only.
enum JournalCompaction {
    /// How many items of earlier runs are kept for each item of the last one, and at least.
    private static let earlierFactor = 4
    private static let earlierLeast = 100_000

    /// The journal appears at once under its name; a crash leaves the one that was.
    static func write(
        _ scan: JournalScan, of file: borrowing AppendFile, keepsEarlier: Bool = true,
        into folder: OutputFolder
    ) throws(OutletError) {
        var offsets = scan.entries.map(\.offset)
        offsets.sort()
        let split = offsets.firstIndex { $0 > scan.runStart } ?? offsets.count
        var earlier = offsets[..<split]
        let current = offsets[split...]
        let limit = keepsEarlier ? max(earlierLeast, earlierFactor * current.count) : 0
        if earlier.count > limit { earlier = earlier.suffix(limit) }
        var output = try folder.newFile(RunHistory.name)
        for offset in earlier { try copy(offset, of: file, to: &output) }
        if scan.run != nil { try copy(scan.runStart, of: file, to: &output) }
        for offset in current { try copy(offset, of: file, to: &output) }
        if scan.isFinished { try output.append(Journal.endLine(current.count)) }
        _ = try output.commit(sync: true)
    }

    private static func copy(
        _ offset: Int64, of file: borrowing AppendFile, to output: inout OutputFile
    ) throws(OutletError) {
        let line = try file.line(at: offset)
        try output.append(line.span)
        try output.append([0x0A])
    }
}
