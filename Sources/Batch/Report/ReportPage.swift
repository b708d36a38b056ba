import Artwork
import Engine
import Notation
import Render
import Theming
import Transport

/// A finished run as one page that asks for nothing from elsewhere but the pictures beside it.
///
/// Made from the records that the run left, so it says what they say. Bounded, however long the
/// list was.
package struct ReportPage {
    package static let name = "report.html"

    /// More pictures and failures are counted, not shown.
    static let thumbnailsLimit = 600
    static let failuresLimit = 200

    let theme: Theme
    private var items: [ReportItem] = []
    private var failures: [ReportItem] = []
    private var run = JSON.null
    private let counts: RunCounts
    private let folder: String

    /// Reads manifest and record of the run in the folder at `path`.
    package init(folder path: FilePath, counts: RunCounts, theme: Theme) throws(ManifestError) {
        self.theme = theme
        self.counts = counts
        folder = "\(path)"
        var reader = try ManifestReader(folder: path)
        while let record = try reader.next() {
            guard record["type"]?.stringValue == "item" else { continue }
            let item = ReportItem(record)
            if item.errorClass != nil, failures.count < Self.failuresLimit {
                failures.append(item)
            }
            if items.count < Self.thumbnailsLimit, item.picture != nil { items.append(item) }
            let isFull = items.count == Self.thumbnailsLimit
            if isFull, failures.count == Self.failuresLimit { break }
        }
        run = Self.record(in: path)
    }

    /// What `run.json` says; a page without it lacks the times.
    private static func record(in path: FilePath) -> JSON {
        do {
            let file = path.appending(FilePath("run.json"))
            let bytes = try FileIntake.read(file, bytesLimit: 8 << 20).bytes
            return try JSONParser.parse(bytes.span)
        } catch {
            return .null
        }
    }

    /// The page.
    package func html() throws(ArtworkError) -> String {
        var page = Markup()
        page.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        page.raw("<title>emblem report</title>\n<style>\n\(sheet)")
        let view = counts.stateContent(output: folder).map {
            StateView($0, style: StateStyle(theme: theme))
        }
        if let view { page.raw(view.sheet(dark: StateStyle(theme: theme, scheme: .dark))) }
        page.raw("</style>\n</head>\n<body>\n<main>\n<h1>emblem report</h1>\n")
        writeSummary(into: &page)
        if let view { page.raw(try view.section()) }
        writeErrors(into: &page)
        writeLint(into: &page)
        writeSlowest(into: &page)
        writePictures(into: &page)
        page.raw("</main>\n</body>\n</html>\n")
        return page.text
    }

    private func writeSummary(into page: inout Markup) {
        page.raw("<dl class=\"numbers\">\n")
        var numbers = [
            ("items", "\(counts.done)"), ("ok", "\(counts.ok)"),
            ("placeholders", "\(counts.placeholders)"), ("failed", "\(counts.failed)"),
            ("outputs", "\(counts.outputs)"), ("kept from before", "\(counts.reused)"),
        ]
        if let seconds = run["elapsed_seconds"]?.doubleValue {
            numbers.append(("seconds", Markup.number(seconds)))
        }
        if let rate = run["items_per_second"]?.doubleValue {
            numbers.append(("items a second", Markup.number(rate.rounded())))
        }
        for (name, value) in numbers {
            page.raw("<div>")
            page.element("dt", words: name)
            page.element("dd", words: value)
            page.raw("</div>\n")
        }
        page.raw("</dl>\n")
    }

    private func writeErrors(into page: inout Markup) {
        let errors = ErrorClass.allCases.compactMap { errorClass in
            counts.errors[errorClass].map { (errorClass.rawValue, $0) }
        }
        guard !errors.isEmpty else { return }
        page.raw("<h2>Errors by class</h2>\n")
        table(["class", "items"], errors.map { [$0, "\($1)"] }, into: &page)
        page.raw("<h2>What failed</h2>\n")
        table(
            ["item", "class", "source"],
            failures.map { [$0.id, $0.errorClass ?? "", $0.source] }, into: &page)
        let all = errors.reduce(0) { $0 + $1.1 }
        guard all > failures.count else { return }
        page.element(
            "p", words: "\(all - failures.count) more: emblem failures \(folder)")
        page.raw("\n")
    }

    private func writeLint(into page: inout Markup) {
        let lint = PictureLint.Kind.allCases.compactMap { kind in
            counts.lint[kind].map { [kind.rawValue, "\($0)"] }
        }
        guard !lint.isEmpty else { return }
        page.raw("<h2>Worth a look</h2>\n")
        table(["lint", "items"], lint, into: &page)
    }

    private func writeSlowest(into page: inout Markup) {
        let slowest = run["slowest"]?.elements ?? []
        guard !slowest.isEmpty else { return }
        page.raw("<h2>Slowest</h2>\n")
        let rows = slowest.map { entry in
            [
                entry["source"]?.stringValue ?? "",
                Markup.number(entry["ms"]?.doubleValue ?? 0) + " ms",
            ]
        }
        table(["source", "time"], rows, into: &page)
    }

    private func writePictures(into page: inout Markup) {
        guard !items.isEmpty else { return }
        page.raw("<h2>Pictures</h2>\n<div class=\"pictures\">\n")
        for item in items { item.write(into: &page) }
        page.raw("</div>\n")
        guard counts.done > items.count else { return }
        page.element(
            "p", words: "The first \(items.count) of \(counts.done); the manifest names them all.")
        page.raw("\n")
    }

    private func table(_ heads: [String], _ rows: [[String]], into page: inout Markup) {
        page.raw("<div class=\"table\"><table>\n<thead><tr>")
        for head in heads { page.element("th", [("scope", "col")], words: head) }
        page.raw("</tr></thead>\n<tbody>\n")
        for row in rows {
            page.raw("<tr>")
            for cell in row { page.element("td", words: cell) }
            page.raw("</tr>\n")
        }
        page.raw("</tbody>\n</table></div>\n")
    }
}
