import Batch
import Console
import Flags
import Notation

extension CommandContext {
    /// Says on standard error what even a quiet run has to say.
    func warn(_ text: String) { messages.line("emblem: \(text)", .warning) }

    /// Checks `--max-failures` and `--strict`, and says which of them was passed.
    func hasTooManyFailures(_ counts: RunCounts) -> Bool {
        let (option, count): (String, Int)
        if let tolerance = arguments[Options.maxFailures],
            tolerance.isPassed(by: counts.withoutPicture, of: counts.done)
        {
            (option, count) = ("--max-failures", counts.withoutPicture)
        } else if arguments[Options.strict], counts.withoutPicture > 0 {
            (option, count) = ("--strict", counts.withoutPicture)
        } else {
            return false
        }
        messages.line(
            "emblem: \(option): \(Counted(count, "item is", many: "items are")) without a fresh picture",
            .error)
        return true
    }
}
