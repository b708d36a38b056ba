import Batch
import Bench
import Console
import Flags
import Notation

extension CommandContext {
    /// Says on standard error what even a quiet run has to say.
    func warn(_ text: String) { messages.line(text, .warning) }

    /// Checks `--max-failures` and `--strict`, and says which of them was passed.
    func hasTooManyFailures(_ counts: RunCounts) -> Bool {
        let option: String
        if let tolerance = arguments[Options.maxFailures],
            tolerance.isPassed(by: counts.withoutPicture, of: counts.done)
        {
            option = "--max-failures \(arguments.texts(Options.maxFailures.flag).last ?? "")"
        } else if arguments[Options.strict], counts.withoutPicture > 0 {
            option = "--strict"
        } else {
            return false
        }
        let share = Double(counts.withoutPicture) * 100 / Double(max(counts.done, 1))
        messages.line(
            "\(Counted(counts.withoutPicture, "item is", many: "items are")) without a new "
                + "picture, \(Figure.fixed(share, 1)) % of \(Counted(counts.done, "item")) "
                + "(\(option))",
            .error)
        return true
    }
}
