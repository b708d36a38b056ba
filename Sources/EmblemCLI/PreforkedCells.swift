import Batch
import Cell
import Gauge
import Glibc
import Transport

/// What happens before anything else of the program: it becomes a cell, or makes some.
enum PreforkedCells {
    /// The most that are made for many jobs. Each takes three descriptors of this process.
    private static var most: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(7), &limit) == 0 else {
            return Prefork.mostGuessed
        }
        return min(64, max(Prefork.mostGuessed, (Int(clamping: limit.rlim_cur) - 64) / 4))
    }

    /// Makes no copy of the command line, since the cells inherit what there is.
    static func prepare() {
        if RawArguments.has(CellWorker.word, at: 1) { CellWorker.main() }
        if !staysAlone { Prefork.prepare(count: count, mayIdle: goesOnFromSet) }
        // From now on headers, passwords and lists are read, which are no other process's business.
        ProcessPrivacy.hide()
    }

    /// A guess from a few words, which sees neither environment nor configuration: a cell too many is let go, one too few is started later.
    private static var count: Int {
        if RawArguments.has("batch", at: 1) || RawArguments.has("stream", at: 1) {
            guard let jobs = RawArguments.number(of: "--jobs") else {
                return min(
                    CellSettings.count(jobs: MachineFacts.availableCores), Prefork.mostGuessed)
            }
            return min(CellSettings.count(jobs: min(jobs, most)), most)
        }
        return ["inspect", "render"].contains { RawArguments.has($0, at: 1) } ? 1 : 0
    }

    /// A set stands where the run writes, of which most likely little is to be drawn again.
    private static var goesOnFromSet: Bool {
        RawArguments.has("batch", at: 1)
            && ["-o", "--output"].contains {
                RawArguments.folder(of: $0, has: RunHistory.name.text)
            }
    }

    /// Some word says that no picture will be decoded, or not in a process of its own.
    private static var staysAlone: Bool {
        (2..<max(2, RawArguments.count)).contains { index in
            ["--sandbox=none", "--dry-run", "--help", "-h"].contains {
                RawArguments.has($0, at: index)
            } || RawArguments.has("--sandbox", at: index) && RawArguments.has("none", at: index + 1)
        }
    }
}
