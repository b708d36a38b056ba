import Batch
import Console
import Engine
import Flags
import Gauge
import Notation
import Render
import Synchronization
import System
import Transport

/// The output of a batch on standard error: its progress, and its result.
final class BatchProgress: Sendable {
    private let context: CommandContext
    private let counter: RunCounter
    private let start: UInt64
    private let line: ProgressLine
    private let isQuiet: Bool
    private let isVerbose: Bool
    /// The number of items that could not be written, and the reason for the first of them.
    private let unwritten = Mutex((count: 0, first: ""))
    private var destination: String { context.arguments[Options.folder] ?? "" }

    init(_ context: CommandContext, counter: RunCounter, start: UInt64) {
        self.context = context
        self.counter = counter
        self.start = start
        isQuiet = context.arguments[Options.quiet]
        isVerbose = context.arguments[Options.verbose] && !isQuiet
        let (messages, environment) = (context.messages, context.environment)
        line = ProgressLine(
            style: ProgressLine.style(
                context.arguments[Options.progress],
                terminal: Terminal.at(2, environment: environment), isQuiet: isQuiet),
            columns: Terminal.at(2, environment: environment).columns, send: { messages.write($0) })
    }

    /// Updates the progress line until the surrounding task is cancelled.
    func follow() async {
        while !Task.isCancelled {
            line.update(report(counter.now), at: MonotonicClock.elapsed(since: start))
            do {
                try await Task.sleep(for: .milliseconds(100))
            } catch {
                return
            }
        }
    }

    /// Counts an item that could not be written. With `--verbose`, prints the failures of the item
    /// and of its dark twin.
    func note(_ record: ItemRecord, twinFailure: ItemFailure? = nil) {
        if let failure = record.failure, failure.errorClass == .write {
            unwritten.withLock { found in
                if found.count == 0 { found.first = failure.detail }
                found.count += 1
            }
        }
        guard isVerbose else { return }
        let origin = record.line.map { " (line \($0))" } ?? ""
        let source = record.source.isEmpty ? "item \(record.index)" : record.source
        if let failure = record.failure {
            print("\(failure.errorClass.rawValue)  \(source)\(origin): \(failure.explanation)")
        }
        if let twinFailure {
            let twin = record.dark.first ?? record.source
            print(
                "\(twinFailure.errorClass.rawValue)  \(record.id): the dark twin \(twin) failed: "
                    + twinFailure.explanation)
        }
    }

    /// Prints a failure for `--verbose`.
    private func print(_ text: String) {
        line.interrupt()
        context.warn(text)
    }

    /// Ends the progress line, and prints the result of the run.
    func finish(_ report: BatchRun.Report) {
        let counts = report.counts
        line.finish(self.report(counts), at: MonotonicClock.elapsed(since: start))
        if !isVerbose, let text = unwrittenText { context.messages.line(text, .error) }
        guard !isQuiet else { return }
        guard report.ending == .finished else {
            context.note(
                "interrupted; files written so far are complete. Type 'emblem batch … -o "
                    + "\(ShellWord.quoted(destination))' again with the same inputs and options to "
                    + "continue")
            return
        }
        let failures = counts.errors.sorted {
            ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
        }.map { "\(Figure.grouped($0.value)) \($0.key.rawValue)" }
        if !failures.isEmpty {
            context.warn(
                "\(Counted(counts.errors.values.reduce(0, +), "source")) failed "
                    + "(\(failures.joined(separator: ", "))); type 'emblem failures "
                    + "\(ShellWord.quoted(destination))' for the list")
        }
        if counts.errors[.blockedAddress] != nil {
            context.note(
                "some sources are not on public addresses; if you trust them, add --allow-private")
        }
        if counts.stale > 0 {
            context.warn(
                "\(Counted(counts.stale, "item keeps its", many: "items keep their")) last good "
                    + "emblem, because the source failed")
        }
        if counts.linted > 0 {
            context.warn(
                "\(Counted(counts.linted, "item")) with lint warnings: \(counts.lintText); see "
                    + "\(destination)/\(Manifest.name)")
        }
        if let words = report.changes?.words {
            context.note("since the last run: \(words)")
        }
        if counts.reused > 0 {
            context.note(
                "\(Counted(counts.reused, "item")) unchanged (reused)"
                    + (counts.resumed > 0
                        ? ", \(Figure.grouped(counts.resumed)) of them finished before the stop"
                        : ""))
        }
        for line in lines(about: report.orphans) { context.note(line) }
    }

    /// Returns the last line: duration, counts, and the output folder.
    private func lastLine(_ counts: RunCounts) -> String {
        let seconds = Double(MonotonicClock.elapsed(since: start)) / 1e9
        return
            "Done in \(Figure.fixed(seconds, seconds < 1 ? 2 : 1)) s: \(Counted(counts.done, "item")), "
            + "\(Counted(counts.outputs, "file")) in \(destination) "
            + "(\(Figure.grouped(counts.ok)) ok, \(Counted(counts.placeholders, "placeholder")), "
            + "\(Figure.grouped(counts.failed)) failed)."
    }

    /// Prints the last line of a finished run, or the summary record of `--progress json`.
    func printSummary(of report: BatchRun.Report, exitCode: Int32) {
        let counts = report.counts
        guard context.messages.isJSON else {
            if report.ending == .finished, !isQuiet { context.messages.line(lastLine(counts)) }
            return
        }
        context.messages.object { json in
            json.member("type", "summary")
            json.member("items", counts.done)
            json.member("ok", counts.ok)
            json.member("placeholder", counts.placeholders)
            json.member("failed", counts.failed)
            json.member("canceled", counts.canceled)
            json.member("outputs", counts.outputs)
            json.member("unchanged", counts.reused)
            report.changes?.write("changes", into: &json)
            counts.write(errorsInto: &json)
            counts.write(lintInto: &json)
            if report.ending == .finished {
                json.member(
                    "manifest", "\(FilePath(destination).appending(FilePath(Manifest.name)))")
            }
            json.member("exit", Int(exitCode))
        }
    }

    /// Returns lines about files that no item produces any more.
    private func lines(about orphans: Orphans?) -> [String] {
        guard let orphans else { return [] }
        let prunes = context.arguments[Options.prune] != nil
        var lines: [String] = []
        let count = orphans.paths.count
        if count > 0, orphans.withheld == nil {
            let files = Counted(count, "file")
            lines.append(
                prunes
                    ? "deleted \(files) of earlier runs"
                    : "\(files) of earlier runs \(count == 1 ? "is" : "are") no longer produced; "
                        + "delete \(count == 1 ? "it" : "them") with --prune")
        }
        if orphans.changedCount > 0, prunes {
            lines.append("kept \(Counted(orphans.changedCount, "file")) that changed after the run")
        }
        if orphans.unnamedCount > 0 {
            lines.append(
                "kept \(Counted(orphans.unnamedCount, "file")) of earlier runs in folders that "
                    + "this run does not use")
        }
        return lines
    }

    private func report(_ counts: RunCounts) -> ProgressReport {
        ProgressReport(
            done: counts.done, total: counts.total, placeholders: counts.placeholders,
            failed: counts.failed, inFlight: counts.inFlight, reused: counts.reused)
    }

    /// The items that could not be written. Even a quiet run prints this, since the user must remove
    /// the obstacle.
    private var unwrittenText: String? {
        let (count, first) = unwritten.withLock { $0 }
        guard count > 0 else { return nil }
        let reason = PrintableText.escaped(first)
        return count == 1
            ? reason : "\(Counted(count, "item")) could not be written; the first one: \(reason)"
    }
}
