import Artwork
import Digest
import Engine
import Notation
import Raster
import Targets
import Theming
import Transport

/// A finished run as one page that loads nothing except the pictures next to it.
///
/// It is made from the records of the run, and its size is bounded for lists of any length. Texts
/// from the list never become markup or code: the page permits only the script whose hash it names.
package struct ReportPage {
    package static let name = RunFile.report.name
    package static let title = "<title>emblem report</title>"

    let theme: Theme
    let contents: ReportContents
    private(set) var run = JSON.null
    let counts: RunCounts
    let folder: String

    package init(
        folder path: FilePath, counts: RunCounts, theme: Theme, sources: ReportSources? = nil
    ) throws(ManifestError) {
        self.theme = theme
        self.counts = counts
        folder = "\(path)"
        // Without the record, the page has no times.
        run = RunRecorder.record(in: path, bytesLimit: 8 << 20) ?? .null
        contents = try ReportContents(
            folder: path, sources: sources, ofRunAt: run["started"]?.stringValue ?? "")
    }

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
            var style = StateStyle(tokens: theme)
            style.padding = theme.dimension("theme.dimension.spacing.md") ?? 0
            return StateView($0, style: style, theme: theme)
        }
        if let view { page.raw(view.sheet(followsScheme: true)) }
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

    /// Permits only pictures from the page's own location, and only the report's script.
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

extension ReportPage {
    /// The theme's colours as variables, followed by the style sheet that uses them.
    var sheet: String {
        func hex(_ path: String, _ scheme: ColorScheme) -> String {
            (theme.color("theme.color." + path, scheme) ?? .black).hex
        }
        func variables(_ scheme: ColorScheme) -> String {
            var text = "--ground: \(hex("background.surface", scheme)); "
            text += "--text: \(hex("foreground.default", scheme)); "
            text += "--subtle: \(hex("foreground.subtle", scheme)); "
            text += "--line: \(hex("background.neutral-subtle", scheme)); "
            text += "--link: \(hex("on-background.brand-subtle", scheme)); "
            text += "--plot: \(hex("background.info", scheme)); "
            for (name, token) in [
                ("good", "success"), ("mark", "warning"), ("bad", "danger"), ("hint", "info"),
                ("note", "neutral"),
            ] {
                text += "--\(name): \(hex("background.\(token)-subtle", scheme)); "
                text += "--on-\(name): \(hex("on-background.\(token)-subtle", scheme)); "
            }
            return text
        }
        // Emblems are shown on the background of the emblem's scheme, independent of the page's
        // scheme.
        let grounds =
            "--light: \(hex("background.surface", .light)); "
            + "--on-light: \(hex("foreground.subtle", .light)); "
            + "--dark: \(hex("background.surface", .dark)); "
            + "--on-dark: \(hex("foreground.subtle", .dark));"
        return """
            :root { color-scheme: light dark; \(variables(.light))\(grounds) }
            @media (prefers-color-scheme: dark) { :root { \(variables(.dark))} }
            body { font-family: \(Sketch.fontFamilies); }
            \(String(decoding: PackageResources.report_css, as: UTF8.self))

            """
    }
}

/// The items section, with its search and filters.
extension ReportPage {
    func writeItems(into page: inout Markup) {
        page.raw("<section id=\"items\" aria-labelledby=\"items-title\">\n")
        page.raw("<h2 id=\"items-title\" tabindex=\"-1\">Items</h2>\n")
        writeFilters(into: &page)
        page.raw("<p id=\"count\" role=\"status\"></p>\n")
        writeLimits(into: &page)
        page.tag(
            "ul",
            [
                ("id", "grid"), ("role", "list"), ("aria-labelledby", "items-title"),
                ("class", contents.schemes.count > 1 ? "grid both" : "grid"),
            ])
        page.raw("\n")
        for item in contents.first { item.write(schemes: contents.schemes, into: &page) }
        page.raw("</ul>\n<p id=\"nothing\" class=\"nothing\" hidden>No item fits.</p>\n")
        page.raw("</section>\n")
        page.raw("<dialog id=\"detail\" aria-labelledby=\"detail-title\"></dialog>\n")
    }

    /// Writes the filters. They are hidden until the script shows them, because they do not work
    /// without it.
    private func writeFilters(into page: inout Markup) {
        page.raw("<form id=\"filters\" role=\"search\" aria-label=\"Items\" hidden>\n")
        page.raw("<label class=\"search\">Name, source or label")
        page.raw(
            "<input id=\"q\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\" "
                + "aria-keyshortcuts=\"/\"></label>\n")
        for (name, title) in [
            ("status", "Status"), ("class", "Class"), ("lint", "Lint"), ("host", "Host"),
            ("appearance", "Appearance"), ("kind", "Kind"), ("ground", "Ground"), ("trim", "Trim"),
        ] {
            page.raw("<label>\(title)<select id=\"\(name)\"></select></label>\n")
        }
        page.raw(
            "<label class=\"toggle\"><input id=\"sources\" type=\"checkbox\" "
                + "autocomplete=\"off\">Sources next to emblems</label>\n")
        page.raw(
            "<button id=\"clear\" class=\"plain\" type=\"button\" aria-keyshortcuts=\"Escape\" "
                + "disabled>Clear</button>\n</form>\n")
        page.raw(
            "<p id=\"keys\" class=\"subtle\" hidden>Keys: / to search, Esc to clear, arrows to go "
                + "from item to item, Enter to open one.</p>\n")
    }

    private func writeLimits(into page: inout Markup) {
        let held = contents.heldCount
        let all = contents.tally.items
        if all > contents.first.count {
            page.element(
                "p", [("id", "first")],
                words: "The first \(contents.first.count); with scripts, this page shows "
                    + "\(ReportNumber.grouped(held)).")
            page.raw("\n")
        }
        guard all > held else { return }
        page.raw("<p>")
        page.words(
            "This page holds \(ReportNumber.grouped(held)) of "
                + "\(ReportNumber.counted(all, "item", "items")), failures among them first; "
                + "manifest.ndjson has a line for each, and ")
        page.element("code", words: "emblem failures \(folder)")
        page.raw(" lists all failures.</p>\n")
    }
}
