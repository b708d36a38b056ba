import Cell
import Gauge

/// What happens before anything else of the program: it becomes a cell, or makes some.
enum EarlyCells {
    /// The most that are worth making in advance; each is a millisecond.
    private static let most = 16

    /// Makes no copy of the command line, since the cells inherit what there is.
    static func prepare() {
        if FirstWords.has(CellWorker.word, at: 1) { CellWorker.main() }
        if !staysAlone { CellNursery.prepare(count: count) }
        // From now on headers, passwords and lists are read, which are no other process's business.
        ProcessPrivacy.hide()
    }

    /// A guess from the first word: a cell too many is let go, one too few is started later.
    private static var count: Int {
        if FirstWords.has("batch", at: 1) || FirstWords.has("stream", at: 1) {
            return min(CellSettings.count(jobs: MachineFacts.availableCores), most)
        }
        return ["inspect", "render"].contains { FirstWords.has($0, at: 1) } ? 1 : 0
    }

    /// Some word says that no picture will be decoded, or not in a process of its own.
    private static var staysAlone: Bool {
        (2..<max(2, FirstWords.count)).contains { index in
            ["--isolate=none", "--dry-run", "--help", "-h"].contains {
                FirstWords.has($0, at: index)
            } || FirstWords.has("--isolate", at: index) && FirstWords.has("none", at: index + 1)
        }
    }
}
