import Bench
import Console
import Flags
import Gauge
import Glibc
import Notation
import System
import Transport

/// `emblem bench`: runs the batch repeatedly and measures it.
struct BenchCommand {
    let context: CommandContext
    let preset: Preset?
    /// The record to compare with (`--compare`).
    let base: BaseRecord?

    static func run(_ context: CommandContext) async throws -> Int32 {
        try BenchCommand(context).run()
    }

    /// Checks all options, so that their errors are reported before the first run.
    private init(_ context: CommandContext) throws {
        self.context = context
        let arguments = context.arguments
        try BatchCommand.checkInputs(arguments)
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
            try arguments.refuse(
                Options.Bench.tolerance, "The option needs --compare.",
                remedy: "Add --compare FILE, or remove the option.")
        }
        base = try arguments[Options.Bench.compare].map(Self.base)
        if let path = arguments[Options.Bench.exportJSON] {
            guard path != "-" else {
                throw arguments.error(
                    Options.Bench.exportJSON, "The option writes a file.",
                    remedy: "Give a file name.")
            }
            let folder = FilePath(path).folder
            guard folder.bytes.isEmpty || FileFacts.at(folder)?.kind == .folder else {
                throw CommandFailure(
                    73,
                    "--export-json \(path): the folder \(folder) does not exist; create it first"
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
        // The load may exceed the number of cores by half, since the average may still include an
        // earlier measurement on all cores.
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
        return try rethrowing(BaseRecord(bytes)) { (error: BaseRecord.Malformed) in
            CommandFailure(65, "--compare \(path): \(error)")
        }
    }

    private func run() throws -> Int32 {
        let children = ChildRunner()
        let signals = StopSignals()
        signals.onFirst { children.stop() }
        let notes = BenchNotes(context)
        let report: BenchReport
        do throws(BenchError) {
            defer { notes.finish() }
            report = try measure(children, notes)
        } catch {
            guard case .stopped = error else { throw error }
            context.messages.line("Interrupted. The temporary files are deleted.", .note)
            return signals.exitCode ?? 130
        }
        return try tell(report)
    }

    /// Runs all cases. Without an INPUT, first generates the images of the preset.
    private func measure(
        _ children: ChildRunner, _ notes: BenchNotes
    ) throws(BenchError) -> BenchReport {
        let folder = try BenchFolder(in: Self.temporary)
        let createdAt = WallClock.iso8601(milliseconds: WallClock.nowMilliseconds)
        var drawn: SampleFolder?
        if let preset, context.arguments.operands.isEmpty, !context.arguments.isSet(Options.list) {
            notes.tell("drawing pictures")
            drawn = try SampleFolder(preset, in: folder, children: children)
        }
        let rounds = context.arguments[Options.Bench.rounds]
        let runner = BenchRunner(
            BenchCommandLines(command: self, drawn: drawn).cases, rounds: rounds,
            folder: folder, children: children, base: base,
            note: { notes.tell($0) })
        let all = try runner.run()
        withExtendedLifetime(folder) {}
        return BenchReport(
            preset: preset?.name, rounds: rounds, all: all, createdAt: createdAt)
    }

    // MARK: Results

    /// Prints and stores the results. Returns the exit code: 2 if they are worse than the base.
    func tell(_ report: BenchReport) throws -> Int32 {
        let arguments = context.arguments
        let tolerance = arguments[Options.Bench.tolerance]
        let comparison = base.map { Comparison(report.all, with: $0, tolerance: tolerance) }
        try write(report, comparison)
        try context.output.write(report.text)
        for series in report.all where series.withoutPicture > 0 {
            context.messages.line(
                "\(series.bench.title): \(series.withoutPicture) of \(series.items) items have no "
                    + "image", .note)
        }
        for series in report.all where !series.seconds.outliers.isEmpty {
            let times = series.seconds.outliers.map { Figure.fixed($0, 1) + "x" }
            context.messages.line(
                "\(series.bench.title): \(times.joined(separator: ", ")) the median in "
                    + "\(times.count) of \(series.samples.count) rounds; another program was "
                    + "probably busy: measure again, or use more --rounds", .note)
        }
        guard let base, let comparison else { return 0 }
        let name = arguments[Options.Bench.compare] ?? ""
        let differences = report.differences(from: base)
        if !differences.isEmpty {
            context.warn(
                "\(name) was measured on another machine: "
                    + "\(differences.joined(separator: ", "))")
        }
        let tolerated = arguments.texts(Options.Bench.tolerance.flag).last ?? ""
        try context.output.write("\nAgainst \(name), tolerance \(tolerated)\n\n\(comparison.text)")
        return comparison.hasRegression ? 2 : 0
    }

    /// Writes the file of `--export-json`. A base that is better than the run is not replaced:
    /// otherwise the next run would be compared with the regression.
    private func write(_ report: BenchReport, _ comparison: Comparison?) throws(OutletError) {
        let arguments = context.arguments
        let kept = arguments[Options.Bench.compare].flatMap { FileFacts.at(FilePath($0))?.identity }
        guard let path = arguments[Options.Bench.exportJSON] else { return }
        if comparison?.hasRegression == true, let kept,
            FileFacts.at(FilePath(path))?.identity == kept
        {
            context.warn(
                "--export-json \(path): the base was not replaced, because the run is worse")
            return
        }
        try SingleFile.write(report.json().span, to: FilePath(path))
    }

    /// Refuses a base without a comparable case, before anything is measured.
    func check(_ base: BaseRecord, _ path: String) throws(CommandFailure) {
        let cases = BenchCommandLines(command: self, drawn: nil).cases
        let pairs = cases.compactMap { bench in base.result(for: bench).map { (bench, $0) } }
        guard !pairs.isEmpty else {
            throw CommandFailure(
                65,
                "--compare \(path): the record has none of the measured cases "
                    + "(\(cases.map(\.title).joined(separator: "; "))), but "
                    + "\(base.results.map(\.title).joined(separator: "; "))")
        }
        for (bench, result) in pairs {
            guard let then = Self.options(result.command), let now = Self.options(bench.shown),
                then != now
            else { continue }
            throw CommandFailure(
                65,
                "--compare \(path): the options were '\(then)' and are now '\(now)'; measure a "
                    + "new base")
        }
    }

    /// Returns the options of a recorded command without its inputs, since the images may have
    /// other paths on another machine.
    private static func options(_ command: String) -> String? {
        command.firstRange(of: " -o OUT ").map { String(command[$0.upperBound...]) }
    }
}

/// The command lines of the measured batches.
struct BenchCommandLines {
    let command: BenchCommand
    /// The generated images; nil if the user names an INPUT.
    let drawn: SampleFolder?

    private var arguments: ParsedArguments { command.context.arguments }

    /// The options of `emblem batch` on the command line. The child process reads the environment
    /// and the configuration file itself.
    private struct Typed {
        var words: [String] = []
        var shown: [String] = []

        mutating func add(_ flag: Flag, _ text: String, isSecret: Bool) {
            guard flag.kind.takesValue else {
                words.append("--\(flag.name)")
                shown.append("--\(flag.name)")
                return
            }
            words += ["--\(flag.name)", text]
            shown += ["--\(flag.name)", isSecret ? "***" : Self.quoted(text)]
        }

        static func quoted(_ text: String) -> String {
            let plain = text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                    || (0x61...0x7A).contains(byte) || "-_./,:=@%+".utf8.contains(byte)
            }
            if plain, !text.isEmpty { return text }
            return "'" + text.replacing("'", with: "'\\''") + "'"
        }
    }

    /// The options whose values the shown command line hides.
    private static let secrets = [Options.header.flag, Options.proxy.flag]

    /// The measured cases in the order of the result tables: one for each variant of the preset.
    var cases: [BenchCase] {
        let typed = self.typed
        return variants.map { bench($0, typed) }
    }

    private func bench(_ variant: [Preset.Option], _ typed: Typed) -> BenchCase {
        let preset = command.preset
        let options = (preset?.options ?? []).filter { !isSet($0) } + variant
        let words = options.flatMap { ["--\($0.name)", $0.value] } + ["--jobs", "\(jobs)"]
        // With a cache only the first run would use the network.
        let cache = arguments.isSet(Options.cache) ? [] : ["--cache", "none"]
        let mask = SourceMask()
        let shownInputs = arguments.operands.map { Typed.quoted(mask.shown($0)) }
        let shown =
            ["emblem", "batch"] + shownInputs + (drawn?.shown ?? []) + ["-o", "OUT"] + words
            + typed.shown
        var parameters = [BenchCase.Parameter("jobs", "\(jobs)")]
        parameters += variant.map { BenchCase.Parameter($0.name, $0.value) }
        if let preset { parameters.append(BenchCase.Parameter("preset", preset.name)) }
        return BenchCase(
            parameters: parameters,
            words: words + typed.words + cache + ["--quiet"]
                + (drawn?.words ?? ["--"] + arguments.operands),
            shown: shown.joined(separator: " "), isRerun: preset?.isRerun ?? false)
    }

    private var jobs: Int {
        arguments[Options.jobs]
            ?? (command.preset?.isSingle == true ? 1 : MachineFacts.availableCores)
    }

    /// The options that the preset varies, except those that the user has set.
    private var variants: [[Preset.Option]] {
        let variants = command.preset?.variants ?? [[]]
        let isChosen = variants.contains { $0.contains(where: isSet) }
        return isChosen ? [[]] : variants
    }

    private func isSet(_ option: Preset.Option) -> Bool {
        arguments.command.flag(option.name).map { arguments.isSet($0) } ?? false
    }

    private var typed: Typed {
        var typed = Typed()
        // Every case has these two anyway.
        let given = [Options.jobs.flag, Options.quiet.flag]
        for flag in CommandDeclarations.batch.flags
        where arguments.command.flags.contains(flag) && !given.contains(flag) {
            guard case .commandLine = arguments.origin(of: flag) else { continue }
            for text in arguments.texts(flag) {
                typed.add(flag, text, isSecret: Self.secrets.contains(flag))
            }
        }
        return typed
    }
}

/// The progress notes of a benchmark on standard error.
private struct BenchNotes: Sendable {
    private let messages: MessageStream
    private let isQuiet: Bool
    /// Whether each note replaces the previous one on the terminal.
    private let isAnimated: Bool

    init(_ context: CommandContext) {
        messages = context.messages
        isQuiet = context.arguments[Options.quiet]
        isAnimated = Terminal.at(2, environment: context.environment).allowsAnimation
    }

    func tell(_ text: String) {
        guard !isQuiet else { return }
        isAnimated ? messages.write("\r\u{1B}[K\(text)…") : messages.line(text, .note)
    }

    /// Clears the last note on the terminal.
    func finish() {
        if isAnimated, !isQuiet { messages.write("\r\u{1B}[K") }
    }
}
