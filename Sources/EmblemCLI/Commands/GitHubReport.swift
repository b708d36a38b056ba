import Batch
import Console
import Engine
import Flags
import Glibc
import Notation
import Transport

/// The report of a run for GitHub Actions: annotations on standard error, and a job summary.
struct GitHubReport {
    /// The most annotations of each level that GitHub shows for a step.
    private static let shownLimit = 10

    private let context: CommandContext

    /// Creates the report; nil unless the run reports to GitHub Actions.
    init?(_ context: CommandContext) {
        let isRunner = context.environment["GITHUB_ACTIONS"] == "true"
        switch context.arguments[Options.progress] {
        case "github": break
        case "auto" where isRunner && !context.arguments[Options.quiet]: break
        default: return nil
        }
        self.context = context
    }

    /// Writes the annotations to standard error, and appends the summary to `GITHUB_STEP_SUMMARY`.
    func write(_ findings: Findings, _ counts: RunCounts) throws(CommandFailure) {
        let root = FilePath(context.environment["GITHUB_WORKSPACE"] ?? ".")
        var shown: [Finding.Level: Int] = [:]
        for finding in findings.kept {
            shown[finding.level, default: 0] += 1
            guard shown[finding.level, default: 0] <= Self.shownLimit else { continue }
            let file = finding.file.map { "\($0.below(root) ?? $0)" }
            context.messages.write(
                GitHubCommand.annotation(
                    finding.level == .error ? .error : .warning, title: finding.rule, file: file,
                    line: finding.line, finding.sentence))
        }
        guard let path = context.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
        try append(summary(findings, counts), to: path)
    }

    /// Returns the counts, and the first failures, as Markdown.
    private func summary(_ findings: Findings, _ counts: RunCounts) -> String {
        var text = "### Emblems\n\n| items | ok | placeholders | failed | files |\n"
        text += "|---:|---:|---:|---:|---:|\n| \(counts.done) | \(counts.ok) "
        text += "| \(counts.placeholders) | \(counts.failed) | \(counts.outputs) |\n"
        guard !findings.kept.isEmpty else { return text + "\n" }
        text += "\n| finding | item | reason |\n|---|---|---|\n"
        for finding in findings.kept.prefix(Self.summaryLimit) {
            let cells = [finding.rule, finding.id, finding.text].map {
                Self.markdown(PrintableText.escaped($0, limit: 200))
            }
            text += "| \(cells.joined(separator: " | ")) |\n"
        }
        let rest =
            findings.kept.count - min(findings.kept.count, Self.summaryLimit)
            + findings.surplus
        return rest > 0 ? text + "\n\(Counted(rest, "more finding")).\n\n" : text + "\n"
    }

    /// The most findings in the job summary.
    private static let summaryLimit = 50

    /// Escapes every character that Markdown or HTML could read as markup.
    static func markdown(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            let isPlain = scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value)
            if isPlain || " -.,()/".unicodeScalars.contains(scalar) {
                escaped.unicodeScalars.append(scalar)
            } else {
                escaped += "&#\(scalar.value);"
            }
        }
    }

    private func append(_ text: String, to path: String) throws(CommandFailure) {
        let descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path, Errno(errno)) }
        defer { _ = close(descriptor) }
        do throws(Errno) {
            try SystemCalls.write(descriptor, Array(text.utf8).span)
        } catch {
            throw failure(path, error)
        }
    }

    private func failure(_ path: String, _ error: Errno) -> CommandFailure {
        CommandFailure(
            74, "cannot write the job summary \(path): \(error). Check GITHUB_STEP_SUMMARY")
    }
}
