import Artwork
import Batch
import Bench
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
struct BatchProgress: Sendable {
    private let context: CommandContext
    private let counter: RunCounter
    private let start: UInt64
    private let line: ProgressLine
    private let isQuiet: Bool
    private let isVerbose: Bool
    private let unwritten = UnwrittenNotice()

    init(_ context: CommandContext, counter: RunCounter, start: UInt64) {
        self.context = context
        self.counter = counter
        self.start = start
        isQuiet = context.arguments[Options.quiet]
        isVerbose = context.arguments[Options.verbose] && !isQuiet
        let terminal = Terminal.at(2, environment: context.environment)
        let (messages, environment) = (context.messages, context.environment)
        line = ProgressLine(
            style: ProgressLine.style(
                context.arguments[Options.progress], terminal: terminal, isQuiet: isQuiet),
            columns: Terminal.at(2, environment: environment).columns, send: { messages.write($0) })
    }

    /// Updates the progress line until the surrounding task is cancelled, and reports what delays
    /// the run.
    func follow(_ run: RunContext) async {
        var watch = RunWatch()
        while !Task.isCancelled {
            let counts = counter.now
            let elapsed = MonotonicClock.elapsed(since: start)
            line.update(report(counts, waiting: waiting(of: run.network.waits)), at: elapsed)
            if watch.isReportDue(counts, at: elapsed) {
                await printSlowest(of: run, after: watch.secondsWithoutEnd(at: elapsed))
            }
            do {
                try await Task.sleep(for: .milliseconds(100))
            } catch {
                return
            }
        }
    }

    /// Returns the host with the longest requested wait, if at least a second of it is left.
    private func waiting(of waits: HostWaits) -> String? {
        guard let (host, left) = waits.longest(at: Int64(MonotonicClock.now)),
            left >= 1_000_000_000
        else { return nil }
        return "waiting for \(PrintableText.escaped(host)): \(left / 1_000_000_000) s"
    }

    /// Prints the transfers that have been in progress longest.
    private func printSlowest(of run: RunContext, after seconds: Int) async {
        guard line.isShown else { return }
        let slowest = await run.network.slowest(3)
        guard !slowest.isEmpty else { return }
        if context.arguments[Options.progress] == "json" {
            line.message(SlowTransfers(transfers: slowest, mask: run.settings.mask).json)
            return
        }
        line.message("no item has finished for \(seconds) s; the longest:")
        for text in SlowTransfers(transfers: slowest, mask: run.settings.mask).lines {
            line.message("  " + text)
        }
    }

    /// Counts an item that could not be written. With `--verbose`, prints the failures of the item
    /// and of its dark twin.
    func note(_ record: ItemRecord, twinFailure: ItemFailure? = nil) {
        unwritten.note(record)
        guard isVerbose else { return }
        if let failure = record.failure { print(failure, of: record) }
        if let twinFailure {
            let twin = record.dark.first ?? record.source
            print(
                "\(twinFailure.errorClass.rawValue)  \(record.id): the dark twin \(twin) failed: "
                    + twinFailure.explanation)
        }
    }

    private func print(_ failure: ItemFailure, of record: ItemRecord) {
        let source = record.source.isEmpty ? "item \(record.index)" : record.source
        let origin = record.line.map { " (line \($0))" } ?? ""
        print("\(failure.errorClass.rawValue)  \(source)\(origin): \(failure.explanation)")
    }

    /// Prints a failure for `--verbose`.
    private func print(_ text: String) {
        guard !context.messages.isJSON else { return context.messages.line(text, .warning) }
        line.message(context.messages.guarded(PrintableText.escaped(text)))
    }

    /// Ends the progress line, and prints the counts of errors, waits and reused items.
    func finish(_ report: BatchRun.Report, _ waits: HostWaits) {
        let counts = report.counts
        line.finish(self.report(counts), at: MonotonicClock.elapsed(since: start))
        if !isVerbose, let text = unwritten.text {
            context.messages.line("\(text)", .error)
        }
        guard !isQuiet else { return }
        let destination = context.arguments[Options.folder] ?? ""
        // With `--progress json`, the summary record has these counts.
        guard !context.messages.isJSON else { return printClosingNotes(of: report, destination) }
        let sorted = counts.errors.sorted {
            ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
        }
        for (errorClass, count) in sorted {
            context.messages.line("  \(errorClass.rawValue)  \(ProgressReport.grouped(count))")
        }
        if counts.errors[.blockedAddress] != nil {
            context.messages.line(
                "Some sources are not on public addresses. If you trust them, add --allow-private.")
        }
        let totals = waits.totals(at: Int64(MonotonicClock.now))
        if !totals.isEmpty {
            let hosts = totals.prefix(3).map { host, time in
                "\(PrintableText.escaped(host)) \(ProgressReport.duration(Double(time) / 1e9))"
            }
            let others = totals.count > 3 ? ", and \(Counted(totals.count - 3, "other host"))" : ""
            context.messages.line(
                "Waited at the request of hosts (Retry-After): "
                    + "\(hosts.joined(separator: ", "))\(others)")
        }
        if report.ending == .finished {
            if counts.stale > 0 {
                context.messages.line(
                    "\(Counted(counts.stale, "item keeps its", many: "items keep their")) last good "
                        + "emblem, because the source failed.")
            }
            if let words = report.changes?.words {
                context.messages.line("Since the last run: \(words)")
            }
            if counts.linted > 0 {
                context.messages.line(
                    "\(Counted(counts.linted, "item")) with lint warnings: \(counts.lintText); see "
                        + "\(destination)/\(Manifest.name)")
            }
            if counts.reused > 0 {
                context.messages.line(reusedLine(counts))
            }
        }
        printClosingNotes(of: report, destination)
        if report.ending == .finished { context.messages.line(lastLine(counts, destination)) }
    }

    /// Returns the last line: duration, counts, and the output folder.
    private func lastLine(_ counts: RunCounts, _ destination: String) -> String {
        let seconds = Double(MonotonicClock.elapsed(since: start)) / 1e9
        return
            "Done in \(Figure.fixed(seconds, seconds < 1 ? 2 : 1)) s: \(Counted(counts.done, "item")), "
            + "\(Counted(counts.outputs, "file")) in \(destination) "
            + "(\(ProgressReport.grouped(counts.ok)) ok, "
            + "\(Counted(counts.placeholders, "placeholder")), "
            + "\(ProgressReport.grouped(counts.failed)) failed)."
    }

    /// Prints notes about files of earlier runs, and the next command to type.
    private func printClosingNotes(of report: BatchRun.Report, _ destination: String) {
        switch report.ending {
        case .finished:
            for line in lines(about: report.orphans) { context.messages.line(line) }
            if report.counts.withoutPicture > 0 {
                context.messages.line(
                    "Type 'emblem failures \(ShellWord.quoted(destination))' for the list.")
            }
        case .canceled:
            context.messages.line("Interrupted. Files written so far are complete.")
            context.messages.line(
                "Type 'emblem batch … -o \(ShellWord.quoted(destination))' again with the same inputs "
                    + "and options to continue.")
        }
    }

    /// Writes the summary record of `--progress json`.
    func printSummary(of report: BatchRun.Report, exitCode: Int32) {
        guard context.messages.isJSON else { return }
        let counts = report.counts
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
                let folder = FilePath(context.arguments[Options.folder] ?? "")
                json.member("manifest", "\(folder.appending(FilePath(Manifest.name)))")
            }
            json.member("exit", Int(exitCode))
        }
    }

    /// Returns lines about files that no item produces any more.
    private func lines(about orphans: Orphans?) -> [String] {
        guard let orphans else { return [] }
        var lines: [String] = []
        let count = orphans.paths.count
        if count > 0, orphans.withheld == nil {
            let files = Counted(count, "file")
            lines.append(
                context.arguments[Options.prune] != nil
                    ? "Deleted \(files) of earlier runs."
                    : "\(files) of earlier runs \(count == 1 ? "is" : "are") no longer produced; "
                        + "delete \(count == 1 ? "it" : "them") with --prune.")
        }
        if orphans.changedCount > 0, context.arguments[Options.prune] != nil {
            lines.append(
                "Kept \(Counted(orphans.changedCount, "file")) that changed after the run.")
        }
        if orphans.unnamedCount > 0 {
            lines.append(
                "Kept \(Counted(orphans.unnamedCount, "picture")) of earlier runs in folders that "
                    + "this run does not use.")
        }
        return lines
    }

    /// Returns a line about the items whose outputs were reused.
    private func reusedLine(_ counts: RunCounts) -> String {
        let text = "\(Counted(counts.reused, "item")) unchanged (reused)"
        guard counts.resumed > 0 else { return text }
        return text + ", \(ProgressReport.grouped(counts.resumed)) of them finished before the stop"
    }

    private func report(_ counts: RunCounts, waiting: String? = nil) -> ProgressReport {
        ProgressReport(
            done: counts.done, total: counts.total, placeholders: counts.placeholders,
            failed: counts.failed, inFlight: counts.inFlight, reused: counts.reused,
            waiting: waiting)
    }
}

/// The number of items that could not be written, and the reason for the first of them. Even a
/// quiet run prints both, since the user must remove the obstacle.
final class UnwrittenNotice: Sendable {
    private let found = Mutex((count: 0, first: ""))

    func note(_ record: ItemRecord) {
        guard let failure = record.failure, failure.errorClass == .write else { return }
        found.withLock { found in
            if found.count == 0 { found.first = failure.detail }
            found.count += 1
        }
    }

    var text: String? {
        let (count, first) = found.withLock { $0 }
        guard count > 0 else { return nil }
        let reason = PrintableText.escaped(first)
        return count == 1
            ? reason
            : "\(Counted(count, "item")) could not be written; the first one: "
                + "\(reason)"
    }
}

/// The text form of a state view, for a terminal. A button becomes a line with the command to type.
struct StateBlock {
    let content: StateContent

    var lines: [String] {
        ["", "  \(content.title)", "  \(content.subtitle)"]
            + content.buttons.map { "  → \($0.title)" } + [""]
    }
}
