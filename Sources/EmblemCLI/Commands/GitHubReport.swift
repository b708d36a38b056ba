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
        try append(summary(counts), to: path)
    }

    /// Returns the counts as Markdown.
    private func summary(_ counts: RunCounts) -> String {
        let cells = [counts.done, counts.ok, counts.placeholders, counts.failed, counts.outputs]
        return """
            ### Emblems

            | items | ok | placeholders | failed | files |
            |---:|---:|---:|---:|---:|
            | \(cells.map(Figure.grouped).joined(separator: " | ")) |


            """
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
