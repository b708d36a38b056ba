import Engine
import Transport

/// The items that the journal in a folder tells of, for those who only read there.
enum JournalRecords {
    /// Hands over one after the other, in the order of the lines: later ones of an item take the place of
    /// earlier ones. What is no line of ours is passed by; where there is no journal there are none.
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
