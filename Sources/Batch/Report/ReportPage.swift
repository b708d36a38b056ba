import Artwork
import Digest
import Engine
import Notation
import Targets
import Theming
import Transport

/// A finished run as one page that asks for nothing from elsewhere but the pictures beside it.
///
/// Made from the records that the run left, so it says what they say. Bounded, however long the
/// list was. What a list calls its items is text here and never markup or code: the only script
/// that the page lets run is the one whose hash it names.
package struct ReportPage {
    package static let name = RunFile.report.name
    package static let title = "<title>emblem report</title>"

    let theme: Theme
    let contents: ReportContents
    private(set) var run = JSON.null
    let counts: RunCounts
    let folder: String

    /// Reads manifest and record of the run in the folder at `path`.
    package init(
        folder path: FilePath, counts: RunCounts, theme: Theme, sources: ReportSources? = nil
    ) throws(ManifestError) {
        self.theme = theme
        self.counts = counts
        folder = "\(path)"
        // A page without it lacks the times.
        run = RunRecorder.record(in: path, bytesLimit: 8 << 20) ?? .null
        contents = try ReportContents(
            folder: path, sources: sources, ofRunAt: run["started"]?.stringValue ?? "")
    }

    /// The page.
    package func html() throws(ArtworkError) -> String {
        let script = String(decoding: PackageResources.report_js, as: UTF8.self)
        var page = Markup()
        page.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        page.tag(
            "meta",
            [("http-equiv", "Content-Security-Policy"), ("content", Self.policy(script))])
        page.raw("\n<meta name=\"referrer\" content=\"no-referrer\">\n")
        page.raw("\(Self.title)\n<style>\n\(sheet)")
        let view = counts.stateContent(output: folder).map {
            StateView($0, style: StateStyle(theme: theme))
        }
        if let view { page.raw(view.sheet(dark: StateStyle(theme: theme, scheme: .dark))) }
        page.raw("</style>\n</head>\n<body>\n")
        writeHead(into: &page)
        page.raw("<main>\n")
        writeNumbers(into: &page)
        if let view { page.raw(try view.section()) }
        writeFailures(into: &page)
        writeItems(into: &page)
        writeTimes(into: &page)
        page.raw("</main>\n")
        page.raw("<script type=\"application/json\" id=\"data\">\(contents.data)</script>\n")
        page.raw("<script>\(script)</script>\n</body>\n</html>\n")
        return page.text
    }

    /// Nothing may be loaded but pictures from where the page lies, and nothing run but the script.
    private static func policy(_ script: String) -> String {
        let digest = SHA256.hash(Array(script.utf8).span).bytes
        return "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'; "
            + "script-src 'sha256-\(Base64.encode(digest.span))'; base-uri 'none'; "
            + "form-action 'none'"
    }

    private func writeHead(into page: inout Markup) {
        page.raw("<header>\n<h1>emblem report</h1>\n")
        var words = [contents.tool, run["started"]?.stringValue ?? ""]
        words.append(contents.options["component"]?.stringValue ?? "")
        for option in ["layout", "scale", "scheme", "format"] {
            let values = contents.options[option]
            let texts = values?.elements?.map { $0.stringValue ?? $0.text }
            words.append(texts?.joined(separator: ", ") ?? values?.stringValue ?? "")
        }
        page.element(
            "p", [("class", "subtle")],
            words: words.filter { !$0.isEmpty }.joined(separator: " · "))
        if let words = SetChanges(run["changes"])?.words {
            page.element("p", words: "Since the last run: \(words)")
        }
        page.raw("\n<nav aria-label=\"Sections\">\n")
        for (name, title) in [("failures", "Failures"), ("items", "Items"), ("times", "Times")] {
            page.element("a", [("href", "#\(name)")], words: title)
            page.raw("\n")
        }
        page.raw("</nav>\n</header>\n")
    }

    private func writeNumbers(into page: inout Markup) {
        page.raw("<dl class=\"numbers\">\n")
        var numbers = [
            ("items", counts.done), ("ok", counts.ok), ("stale", contents.tally.stale),
            ("placeholders", counts.placeholders), ("failed", counts.failed),
            ("to check", contents.tally.linted),
            ("outputs", counts.outputs), ("unchanged", counts.reused),
        ].map { ($0, ReportNumber.grouped($1)) }
        if let seconds = run["elapsed_seconds"]?.doubleValue {
            numbers.append(("seconds", ReportNumber.short(seconds)))
        }
        if let rate = run["items_per_second"]?.doubleValue {
            numbers.append(("items a second", ReportNumber.short(rate)))
        }
        for (name, value) in numbers {
            page.raw("<div>")
            page.element("dt", words: name)
            page.element("dd", words: value)
            page.raw("</div>\n")
        }
        page.raw("</dl>\n")
    }
}
