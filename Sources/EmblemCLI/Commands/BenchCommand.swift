import Bench
import Console
import Flags
import Gauge
import Notation
import Render
import System
import Transport

/// `emblem bench`: runs the batch repeatedly and measures it.
struct BenchCommand {
    private let context: CommandContext
    private let preset: Preset?
    private var arguments: ParsedArguments { context.arguments }
    /// Whether the user names no inputs, so that images are generated.
    private let isGenerated: Bool

    /// Checks all options, so that their errors are reported before the first run.
    init(_ context: CommandContext) throws {
        self.context = context
        let arguments = context.arguments
        try context.checkInputs()
        if (arguments.operands + arguments[Options.list]).contains("-") {
            throw UsageError(
                "'emblem bench' reads its inputs several times, which standard input does not "
                    + "allow.",
                remedy: "Save the input to a file, and name the file.")
        }
        let name = arguments[Options.Bench.preset]
        isGenerated = arguments.operands.isEmpty && !arguments.isSet(Options.list)
        preset = Preset.all.first { $0.name == name } ?? (isGenerated ? Preset.all[0] : nil)
        guard let path = arguments[Options.Bench.exportJSON] else { return }
        guard path != "-" else {
            throw arguments.error(
                Options.Bench.exportJSON, "The option writes a file.", remedy: "Give a file name.")
        }
        let folder = FilePath(path).folder
        guard folder.bytes.isEmpty || FileFacts.at(folder)?.kind == .folder else {
            throw CommandFailure(
                73, "--export-json \(path): the folder \(folder) does not exist; create it first")
        }
    }

    func run() throws -> Int32 {
        let record = try arguments[Options.Bench.compare].map(record)
        let base = try record.map(result)
        if base != nil, arguments[Options.Bench.rounds] == 1 {
            context.warn(
                "--rounds 1 cannot distinguish noise from a change; use --rounds 3 or more with "
                    + "--compare")
        }
        let children = ChildRunner()
        let signals = StopSignals()
        signals.onFirst { children.stop() }
        do {
            return try tell(measure(children, base), record, base)
        } catch BenchError.stopped {
            context.note("Interrupted. The temporary files are deleted.")
            return signals.exitCode ?? 130
        }
    }

    /// Runs the batch. Without an INPUT, first generates the images of the preset.
    private func measure(
        _ children: ChildRunner, _ base: BaseRecord.Result?
    ) throws(BenchError) -> Measurement {
        let parent = ProcessEnvironment.value(of: "TMPDIR") ?? ""
        let folder = try BenchFolder(in: parent.hasPrefix("/") ? parent : "/tmp")
        defer { withExtendedLifetime(folder) {} }
        let createdAt = WallClock.iso8601(milliseconds: WallClock.nowMilliseconds)
        let note = { (text: String) in if !arguments[Options.quiet] { context.note(text) } }
        var drawn: String?
        if let preset, isGenerated {
            note("drawing pictures")
            drawn = try preset.draw(in: folder, children: children)
        }
        let bench = bench(drawn)
        let runs = try children.measure(
            bench, rounds: arguments[Options.Bench.rounds], in: folder, base: base, note: note)
        return Measurement(bench, runs, createdAt: createdAt)
    }

    // MARK: The measured command

    /// The options whose values the shown command hides.
    private static let secrets = ["header", "proxy"]

    /// Returns the command to measure: the options of the preset that are not set otherwise, then
    /// those of the command line. The child process reads the environment and the configuration
    /// file itself.
    ///
    /// - Parameter drawn: The folder of the generated images; nil if the user names an INPUT.
    private func bench(_ drawn: String?) -> BenchCase {
        let flags = arguments.flags
        var options = (preset?.options ?? [:]).filter { option in
            flags.first { $0.name == option.key }.map { !arguments.isSet($0) } ?? true
        }.map { ($0.key, $0.value) }
        var jobs = 1
        if !options.contains(where: { $0.0 == "jobs" }) {
            jobs = arguments[Options.jobs] ?? MachineFacts.availableCores
            options.append(("jobs", "\(jobs)"))
        }
        var words = options.flatMap { ["--\($0.0)", $0.1] }
        var shown = words
        let ofBatch = CommandTable.batch.flags.filter { flag in
            flags.contains(flag) && !["jobs", "quiet"].contains(flag.name)
        }
        for flag in ofBatch where arguments.isTyped(flag) {
            for text in arguments.texts(flag) {
                let value = flag.shape.takesValue ? [text] : []
                words += ["--\(flag.name)"] + value
                shown.append("--\(flag.name)")
                shown += value.map {
                    Self.secrets.contains(flag.name) ? "***" : ShellWord.quoted($0)
                }
            }
        }
        // With a cache only the first run would use the network.
        if !arguments.isSet(Options.cache) { words += ["--cache", "none"] }
        let mask = SourceMask()
        let inputs =
            drawn.map { _ in ["pictures/"] }
            ?? arguments.operands.map { ShellWord.quoted(mask.shown($0)) }
        var parameters = ["jobs": "\(jobs)"]
        parameters["preset"] = preset?.name
        return BenchCase(
            parameters: parameters,
            words: words + ["--quiet", "--"] + (drawn.map { [$0] } ?? arguments.operands),
            shown: (["emblem", "batch"] + inputs + ["-o", "OUT"] + shown).joined(separator: " "),
            isRerun: preset?.isRerun ?? false)
    }

    // MARK: The base

    private func record(_ path: String) throws(CommandFailure) -> BaseRecord {
        let bytes = try context.read(path, option: "--compare", bytesLimit: 64 << 20)
        return try rethrowing(BaseRecord(bytes)) { (error: BaseRecord.Malformed) in
            CommandFailure(65, "--compare \(path): \(error)")
        }
    }

    /// Returns the result to compare with. Refuses a base of other work, before anything is
    /// measured.
    private func result(of record: BaseRecord) throws(CommandFailure) -> BaseRecord.Result {
        let bench = bench(nil)
        let path = arguments[Options.Bench.compare] ?? ""
        guard let result = record.result(for: bench) else {
            let titles = record.results.map(\.title).joined(separator: "; ")
            throw CommandFailure(
                65,
                "--compare \(path): the record has no result for --jobs "
                    + "\(bench.parameters["jobs"] ?? "") but for \(titles)")
        }
        // The inputs may have other paths on another machine.
        func options(_ command: String) -> String? {
            command.firstRange(of: " -o OUT ").map { String(command[$0.upperBound...]) }
        }
        if let then = options(result.command), let now = options(bench.shown), then != now {
            throw CommandFailure(
                65,
                "--compare \(path): the options were '\(then)' and are now '\(now)'; measure a "
                    + "new base")
        }
        return result
    }

    // MARK: Results

    /// Prints and stores the results. Returns the exit code: 2 if they are worse than the base.
    private func tell(
        _ measurement: Measurement, _ record: BaseRecord?, _ base: BaseRecord.Result?
    ) throws -> Int32 {
        let tolerance = arguments[Options.Bench.tolerance]
        let comparison = base.map { Comparison(measurement, with: $0, tolerance: tolerance) }
        let isWorse = comparison.map { !$0.regressions.isEmpty } ?? false
        let name = arguments[Options.Bench.compare] ?? ""
        if let path = arguments[Options.Bench.exportJSON] {
            // A base that is better than the run stays: otherwise the next run would be compared
            // with the regression.
            let isBase =
                FileFacts.at(FilePath(path))?.identity
                == FileFacts.at(FilePath(name))?.identity
            if isWorse, isBase {
                context.warn(
                    "--export-json \(path): the base was not replaced, because the run is worse")
            } else {
                try SingleFile.write(measurement.json().span, to: FilePath(path))
            }
        }
        try context.output.write(measurement.text)
        if measurement.withoutPicture > 0 {
            context.note(
                "\(Figure.grouped(measurement.withoutPicture)) of \(Counted(measurement.items, "item")) have no "
                    + "image")
        }
        guard let record, let comparison else { return 0 }
        let differences = record.differences(from: measurement)
        if !differences.isEmpty {
            context.warn(
                "\(name) was measured on another machine: \(differences.joined(separator: ", "))")
        }
        let tolerated = arguments.texts(Options.Bench.tolerance).last ?? ""
        try context.output.write("against \(name), tolerance \(tolerated):\n\(comparison.text)")
        return isWorse ? 2 : 0
    }
}
