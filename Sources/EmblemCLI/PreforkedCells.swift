import Cell
import Gauge

/// What happens before anything else of the program: it becomes a cell, or makes some.
enum PreforkedCells {
    /// The most that are worth making in advance where nobody says how many will be of use. One that
    /// no picture came to costs half a millisecond, one that is started as a program nineteen.
    private static let mostGuessed = 16
    private static let most = 64

    /// Makes no copy of the command line, since the cells inherit what there is.
    static func prepare() {
        if RawArguments.has(CellWorker.word, at: 1) { CellWorker.main() }
        if !staysAlone { Prefork.prepare(count: count) }
        // From now on headers, passwords and lists are read, which are no other process's business.
        ProcessPrivacy.hide()
    }

    /// A guess from a few words: a cell too many is let go, one too few is started later.
    private static var count: Int {
        if RawArguments.has("batch", at: 1) || RawArguments.has("stream", at: 1) {
            guard let jobs = RawArguments.number(of: "--jobs") else {
                return min(CellSettings.count(jobs: MachineFacts.availableCores), mostGuessed)
            }
            return min(CellSettings.count(jobs: min(jobs, most)), most)
        }
        return ["inspect", "render"].contains { RawArguments.has($0, at: 1) } ? 1 : 0
    }

    /// Some word says that no picture will be decoded, or not in a process of its own.
    private static var staysAlone: Bool {
        (2..<max(2, RawArguments.count)).contains { index in
            ["--isolate=none", "--dry-run", "--help", "-h"].contains {
                RawArguments.has($0, at: index)
            } || RawArguments.has("--isolate", at: index) && RawArguments.has("none", at: index + 1)
        }
    }
}
