import Artwork
import Batch
import Console
import Engine
import Flags
import Notation
import Render
import Worker

/// The context of a command: its checked arguments and its output streams.
struct CommandContext: Sendable {
    let arguments: ParsedArguments
    /// The environment variables that the tool reads.
    let environment: [String: String]
    /// The stream for data; flushed after the command.
    let output: OutputStream
    let messages: MessageStream
}

extension CommandContext {
    /// Returns a context that renders one image at a time, in a worker unless `--sandbox none` is
    /// given.
    func singleRun(_ settings: RunSettings) -> RunContext {
        let renderer = Renderer(theme: settings.theme, artwork: EmblemArtwork())
        return RunContext(
            settings: settings, renderer: renderer,
            workers: workers(1, settings, renderer, early: 1))
    }

    /// Returns a pool of at most `count` workers, of which `early` start before the first image;
    /// nil with `--sandbox none`.
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

    /// Throws before the first image if the kernel would refuse the requested sandbox, and warns if
    /// the sandbox would be weaker than usual.
    func checkIsolation() throws(OrderError) {
        if let refusal = isolation.refusal { throw refusal }
        if let warning = isolation.warning { tell(warning) }
    }

    /// Warns if the sandbox of the workers turned out to be weaker than usual.
    func checkIsolation(after run: RunContext) {
        if let warning = isolation.warning(about: run.confinement) { tell(warning) }
    }

    private func tell(_ warning: String) {
        messages.line(warning, .warning)
    }

    func warn(_ text: String) { messages.line(text, .warning) }

    /// Returns whether more items failed than `--max-failures` or `--strict` allows, and reports
    /// the option.
    func hasTooManyFailures(_ counts: RunCounts) -> Bool {
        let option: String
        if let tolerance = arguments[Options.maxFailures],
            tolerance.isExceeded(by: counts.withoutPicture, of: counts.done)
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
