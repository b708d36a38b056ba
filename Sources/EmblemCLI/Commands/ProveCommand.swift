import Batch
import Console
import Engine
import Flags
import Notation
import Render
import Synchronization
import System
import Transport
import Worker

/// `emblem prove OUT`: makes outputs again and compares them with the files, bit for bit.
struct ProveCommand {
    private let context: CommandContext
    private let settings: RunSettings
    private let proof: Proof
    /// The seed of the random sample; nil if all outputs are made again.
    private let seed: Int?

    static func run(_ context: CommandContext) async throws -> Int32 {
        let command = try ProveCommand(context)
        try context.checkIsolation()
        return try await command.run()
    }

    private init(_ context: CommandContext) throws {
        self.context = context
        let arguments = context.arguments
        let sample = arguments[Options.Prove.sample]
        if sample == nil {
            try arguments.refuse(
                Options.Prove.seed, "--seed needs --sample.",
                remedy: "Add --sample N, or remove --seed.")
        }
        seed = sample.map { _ in
            arguments[Options.Prove.seed] ?? Int(UInt32.random(in: .min ... .max))
        }
        proof = try Proof(
            of: FilePath(arguments.operands[0]), sampleCount: sample, seed: UInt64(seed ?? 0))
        settings = try Self.settings(of: proof.options, context)
    }

    /// Returns the recorded settings of the run, with the options of this command that replace
    /// them, such as `--jobs`.
    private static func settings(
        of options: RecordedOptions, _ context: CommandContext
    ) throws -> RunSettings {
        let arguments = context.arguments
        var replacing: [String] = []
        for flag in CommandDeclarations.proofOptions {
            replacing += arguments.texts(flag).filter { _ in arguments.isSet(flag) }
                .map { "--\(flag.name)=\($0)" }
        }
        let placeholder = Options.Prove.placeholder
        if options.hasPlaceholderFile, let path = arguments[placeholder] {
            replacing.append("--\(placeholder.flag.name)=\(path)")
        }
        var settings: RunSettings
        do {
            settings = try options.settings { words in
                let typed = try ParsedArguments(
                    arguments.tool, CommandDeclarations.stream, arguments: words + replacing)
                return try RunSettings(
                    CommandContext(
                        arguments: typed, environment: context.environment, output: context.output,
                        messages: context.messages))
            }
        } catch let error as UsageError {
            throw CommandFailure(
                65,
                "cannot use the options in \(arguments.operands[0])/\(Manifest.name): "
                    + "\(error.message) Run the batch again to repair it")
        }
        if let difference = options.difference(from: settings) {
            throw CommandFailure(
                1,
                "nothing can be proved: \(difference). Give the files of the run with --theme and "
                    + "--placeholder")
        }
        // A proof sends no request.
        settings.network.isOffline = true
        settings.remoteOnly = false
        return settings
    }

    private func run() async throws -> Int32 {
        let signals = StopSignals()
        let counter = ProofCounter()
        let line = progressLine()
        let run = context.runContext(settings, expecting: proof.count)
        let start = MonotonicClock.now
        let given = context.arguments[Options.Prove.sources]
        let folders = (given.isEmpty ? ["."] : given).map { FilePath($0) }
        let task = Task { [proof] in
            try await proof.run(run, sourcesIn: folders) { finding in
                let done = counter.add(finding)
                line.update(
                    ProgressReport(done: done, total: proof.count, placeholders: nil),
                    at: MonotonicClock.elapsed(since: start))
            }
        }
        signals.onFirst { task.cancel() }
        let result = await task.result
        line.finish(
            ProgressReport(done: counter.done, total: proof.count, placeholders: nil),
            at: MonotonicClock.elapsed(since: start))
        if let failure = run.backend.failure { throw failure }
        run.backend.close()
        if let code = signals.exitCode { return code }
        try result.get()
        context.checkIsolation(after: run)
        try tell(of: counter)
        return code(counter)
    }

    /// Returns the exit code.
    private func code(_ counter: ProofCounter) -> Int32 {
        if !counter.different.isEmpty { return 2 }
        return counter.unproved.isEmpty ? 0 : 1
    }

    private func progressLine() -> ProgressLine {
        let arguments = context.arguments
        let terminal = Terminal.at(2, environment: context.environment)
        let messages = context.messages
        let isQuiet = arguments[Options.json] || arguments[Options.quietSummary]
        return ProgressLine(
            style: ProgressLine.style("auto", terminal: terminal, isQuiet: isQuiet),
            columns: terminal.columns, send: { messages.write($0) })
    }

    private func tell(of counter: ProofCounter) throws {
        if context.arguments[Options.json] { return try context.output.write(json(counter)) }
        if !context.arguments[Options.quietSummary] {
            for line in counter.different.map(\.line) + Self.lines(counter.unproved) {
                try context.output.write("\(PrintableText.escaped(line))\n")
            }
            let isGone = counter.unproved.contains { $0.verdict == .unproved(.sourceGone) }
            if isGone, context.arguments[Options.Prove.sources].isEmpty {
                try context.output.write(
                    "If the sources are in another folder, name the folder of the list with "
                        + "--sources.\n")
            }
        }
        let conditions = "\(Counted(settings.jobs, "job")), sandbox \(sandbox)"
        let origin = seed.map { "seed \($0), \(conditions)" } ?? conditions
        let others = [
            (counter.different.count, "differs", "differ"),
            (counter.unproved.count, "cannot be proved", "cannot be proved"),
        ].filter { $0.0 > 0 }.map { count, one, many in
            ", \(ProgressReport.grouped(count)) \(count == 1 ? one : many)"
        }
        try context.output.write(
            "\(ProgressReport.grouped(counter.done)) of \(Counted(proof.outputs, "output")) checked "
                + "(\(origin)): \(ProgressReport.grouped(counter.equal)) equal"
                + "\(others.joined())\n")
    }

    /// Returns one line for each source and reason, because all outputs of an item usually lack the
    /// same source.
    private static func lines(_ unproved: [ProofFinding]) -> [String] {
        Dictionary(grouping: unproved) { [$0.source, $0.id, $0.text] }.values.map { findings in
            let first = findings[0]
            let outputs =
                findings.count == 1
                ? first.path : "\(first.path) and \(Counted(findings.count - 1, "more output"))"
            return "\(outputs): \(first.text): \(first.source)"
        }.sorted()
    }

    private var sandbox: String { context.arguments[Options.sandbox].rawValue }

    private func json(_ counter: ProofCounter) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("schema", "emblem.prove/1")
            json.member("tool", ToolVersion.text)
            json.member("made_by", proof.options.tool)
            json.member("outputs", proof.outputs)
            json.member("checked", counter.done)
            if let seed { json.member("seed", seed) }
            json.member("jobs", settings.jobs)
            json.member("sandbox", sandbox)
            json.member("equal", counter.equal)
            for (name, findings) in [
                ("different", counter.different), ("unproved", counter.unproved),
            ] {
                json.array(name) { json in
                    for finding in findings {
                        json.object { json in
                            json.member("path", finding.path)
                            json.member("id", finding.id)
                            json.member("source", finding.source)
                            json.member("reason", finding.reason)
                            json.member("detail", finding.text)
                        }
                    }
                }
            }
            json.member("exit", Int(code(counter)))
        }
        json.endLine()
        return json.take()
    }
}

/// The findings of a proof. Only findings that need attention are kept, sorted by path.
private final class ProofCounter: Sendable {
    private struct State {
        var equal = 0
        var different: [ProofFinding] = []
        var unproved: [ProofFinding] = []

        var done: Int { equal + different.count + unproved.count }
    }

    private let state = Mutex(State())

    /// Returns the number of findings.
    func add(_ finding: ProofFinding) -> Int {
        state.withLock { state in
            switch finding.verdict {
            case .equal: state.equal += 1
            case .fileDiffers, .outputDiffers: state.different.append(finding)
            case .unproved: state.unproved.append(finding)
            }
            return state.done
        }
    }

    var done: Int { state.withLock { $0.done } }
    var equal: Int { state.withLock { $0.equal } }
    var different: [ProofFinding] { sorted { $0.different } }
    var unproved: [ProofFinding] { sorted { $0.unproved } }

    private func sorted(_ part: (State) -> [ProofFinding]) -> [ProofFinding] {
        state.withLock { part($0) }.sorted { $0.path < $1.path }
    }
}

extension ProofFinding {
    fileprivate var line: String { "\(path): \(text)" }

    fileprivate var text: String {
        switch verdict {
        case .equal: "equal"
        case .fileDiffers(let detail): "not the file of the manifest, \(detail)"
        case .outputDiffers: "made again with other bytes"
        case .unproved(let gap): "cannot be proved, because \(gap.text)"
        }
    }

    fileprivate var reason: String {
        switch verdict {
        case .equal: "equal"
        case .fileDiffers: "file"
        case .outputDiffers: "output"
        case .unproved(let gap): gap.rawValue
        }
    }
}
