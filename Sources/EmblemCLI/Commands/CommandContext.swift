import Artwork
import Batch
import Bench
import Console
import Engine
import Flags
import Notation
import Render
import Worker

/// What an action is given: checked arguments, and the streams it may write to.
struct CommandContext: Sendable {
    let arguments: ParsedArguments
    /// The variables that the tool looks at, and no others.
    let environment: [String: String]
    /// Data; flushed after the action.
    let output: OutputStream
    /// Messages and progress.
    let messages: MessageStream
}

extension CommandContext {
    /// The backend that draws pictures one at a time, in a separate process unless `--sandbox none`.
    func singleRun(_ settings: RunSettings) -> RunContext {
        let renderer = Renderer(theme: settings.theme, artwork: EmblemArtwork())
        return RunContext(
            settings: settings, renderer: renderer,
            workers: workers(1, settings, renderer, early: 1))
    }

    /// Processes that render; nil where `--sandbox none` was said.
    func workers(_ count: Int, _ settings: RunSettings, _ renderer: Renderer, early: Int)
        -> WorkerPool?
    {
        guard isolation != .none else { return nil }
        var workers = WorkerSettings(
            count: count, memoryBytes: settings.decodeBytes, early: early)
        workers.isolation = isolation
        return WorkerPool(settings: workers, renderer: renderer)
    }

    private var isolation: Isolation {
        arguments[Options.sandbox]
    }

    /// Ends a command before its first picture where the kernel would refuse the confinement asked
    /// for, and says so where it is less than this tool has.
    func checkIsolation() throws(OrderError) {
        if let refusal = isolation.refusal { throw refusal }
        if let warning = isolation.warning { tell(warning) }
    }

    /// Says so where what held the pictures turned out to be less.
    func checkIsolation(after run: RunContext) {
        if let warning = isolation.warning(about: run.confinement) { tell(warning) }
    }

    private func tell(_ warning: String) {
        messages.line(warning, .warning)
    }

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
