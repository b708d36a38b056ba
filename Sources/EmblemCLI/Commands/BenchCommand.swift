import Bench
import Codecs
import Console
import Flags
import Gauge
import Glibc
import Notation
import System
import Transport

/// `emblem bench`: the batch run again and again, and what that took.
struct BenchCommand {
    let context: CommandContext
    let preset: Preset?
    let base: BaseRecord?
    private let scratch: String

    static func run(_ context: CommandContext) async throws -> Int32 {
        try BenchCommand(context).run()
    }

    /// Everything that can be wrong is found before the first run.
    private init(_ context: CommandContext) throws {
        self.context = context
        let arguments = context.arguments
        try BatchCommand.checkOperands(arguments)
        let hasInput = !arguments.operands.isEmpty || arguments.isSet(Options.list)
        if (arguments.operands + arguments[Options.list]).contains("-") {
            throw UsageError(
                "'emblem bench' reads its inputs several times, which standard input does not "
                    + "allow.",
                remedy: "Save the input to a file, and name the file.")
        }
        let name = arguments[Options.Bench.preset] ?? (hasInput ? nil : Preset.all[0].name)
        preset = name.flatMap(Preset.init(name:))
        if hasInput, let preset, !preset.takesInput {
            throw arguments.error(
                Options.Bench.preset, "\(preset.name) has its own list.",
                remedy: "Remove the INPUT, or choose another preset.")
        }
        if arguments[Options.Bench.compare] == nil {
            for option in [Options.Bench.tolerance.flag, Options.Bench.compareAny.flag] {
                try arguments.refuse(
                    option, "The option needs --compare.",
                    remedy: "Add --compare FILE, or remove the option.")
            }
        }
        base = try arguments[Options.Bench.compare].map(Self.base)
        scratch = arguments[Options.Bench.scratch] ?? Self.temporary
        for option in [
            Options.Bench.exportJSON, Options.Bench.exportMarkdown, Options.Bench.plot,
        ] {
            guard let path = arguments[option] else { continue }
            if option.flag == Options.Bench.plot.flag, OutputFormat.ofFile(path) != nil {
                throw arguments.error(
                    option.flag, "A plot is an SVG file.",
                    remedy: "Choose a name that ends in .svg.")
            }
            let folder = FilePath(path).folder
            guard folder.bytes.isEmpty || FileFacts.at(folder)?.kind == .folder else {
                throw CommandFailure(
                    73,
                    "--\(option.flag.name) \(path): the folder \(folder) does not exist; create it "
                        + "first"
                )
            }
        }
        guard let base, let path = arguments[Options.Bench.compare] else { return }
        try check(base, path)
        if arguments[Options.Bench.rounds] == 1 {
            context.warn(
                "--rounds 1 cannot distinguish noise from a change; use --rounds 3 or more with "
                    + "--compare")
        }
        let (load, cores) = (MachineFacts.load, MachineFacts.availableCores)
        // An earlier measurement on all cores may still count.
        if load > 1.5 * Double(cores) {
            context.warn(
                "the machine is busy (load \(Figure.fixed(load, 1)), "
                    + "\(Counted(cores, "core"))), which distorts time and CPU time; measure again "
                    + "when it is idle")
        }
    }

    private static var temporary: String {
        guard let text = unsafe getenv("TMPDIR") else { return "/tmp" }
        let path = unsafe String(cString: text)
        return path.hasPrefix("/") ? path : "/tmp"
    }

    private static func base(_ path: String) throws(CommandFailure) -> BaseRecord {
        let bytes = try NamedFile.read(path, option: "--compare", bytesLimit: 64 << 20)
        do throws(BaseRecord.Malformed) {
            return try BaseRecord(bytes)
        } catch {
            throw CommandFailure(65, "--compare \(path): \(error)")
        }
    }

    private func run() throws -> Int32 {
        let desk = ChildRunner()
        let signals = StopSignals()
        signals.onFirst { desk.stop() }
        let notes = BenchNotes(context)
        let report: BenchReport
        do throws(BenchError) {
            defer { notes.finish() }
            report = try measure(desk, notes)
        } catch {
            guard case .stopped = error else { throw error }
            context.messages.line("Interrupted. The temporary files are deleted.", .note)
            return signals.exitCode ?? 130
        }
        return try tell(report)
    }

    private func measure(_ desk: ChildRunner, _ notes: BenchNotes) throws(BenchError) -> BenchReport
    {
        let folder = try BenchFolder(in: scratch)
        let createdAt = WallClock.iso8601(milliseconds: WallClock.nowMilliseconds)
        var drawn: SampleFolder?
        if let preset, context.arguments.operands.isEmpty, !context.arguments.isSet(Options.list) {
            notes.tell("drawing pictures")
            drawn = try SampleFolder(preset, in: folder, desk: desk)
        }
        let rounds = context.arguments[Options.Bench.rounds]
        let warmups = context.arguments[Options.Bench.warmup]
        let runner = BenchRunner(
            BenchWords(command: self, drawn: drawn).cases, rounds: rounds, warmups: warmups,
            folder: folder, desk: desk,
            base: context.arguments[Options.Bench.compareAny] ? nil : base,
            note: { notes.tell($0) })
        let all = try runner.run()
        withExtendedLifetime(folder) {}
        return BenchReport(
            preset: preset?.name, rounds: rounds, warmups: warmups, all: all, createdAt: createdAt)
    }
}

/// What is under way, on standard error.
private struct BenchNotes: Sendable {
    private let messages: MessageStream
    private let isQuiet: Bool
    private let isDrawn: Bool

    init(_ context: CommandContext) {
        messages = context.messages
        isQuiet = context.arguments[Options.Bench.quiet]
        isDrawn = Terminal.at(2, environment: context.environment).allowsAnimation
    }

    func tell(_ text: String) {
        guard !isQuiet else { return }
        isDrawn ? messages.write("\r\u{1B}[K\(text)…") : messages.line(text, .note)
    }

    /// Leaves no half line on the terminal.
    func finish() {
        if isDrawn, !isQuiet { messages.write("\r\u{1B}[K") }
    }
}
