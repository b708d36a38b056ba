import Artwork

/// The items with what searches and filters them.
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

    /// Shown by the script, without which it would do nothing.
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
