import Artwork
import Transport

/// The failures section: what failed, where, and how often.
extension ReportPage {
    private static let hostsShown = 20
    private static let lintsShown = 20

    func writeFailures(into page: inout Markup) {
        page.raw("<section id=\"failures\" aria-labelledby=\"failures-title\">\n")
        page.raw("<h2 id=\"failures-title\">Failures</h2>\n")
        let tally = contents.tally
        let classes = ReportTally.sorted(tally.classes)
        if classes.isEmpty {
            page.raw("<p>None: every item shows its own picture.</p>\n")
        } else {
            writeStale(into: &page)
            page.raw("<div class=\"tables\">\n")
            writeClasses(classes, into: &page)
            writeHosts(into: &page)
            page.raw("</div>\n")
            let missing = classes.map { word, count in
                (word: word, count: count - (tally.staleClasses[word] ?? 0))
            }
            for (index, entry) in missing.filter({ $0.count > 0 }).enumerated() {
                write(entry.word, count: entry.count, isOpen: index == 0, into: &page)
            }
        }
        writeLints(into: &page)
        page.raw("</section>\n")
    }

    /// Writes the items that keep an earlier picture, each with the reason and the age of the
    /// picture.
    private func writeStale(into page: inout Markup) {
        let items = contents.staleRows
        guard !items.isEmpty else { return }
        let count = ReportNumber.counted(contents.tally.stale, "item keeps", "items keep")
        page.raw("<table class=\"faults\">\n")
        page.element(
            "caption", words: "Stale: \(count) an earlier emblem, since the source fails now")
        writeRowHeads(["what happened", "emblem made"], into: &page)
        for item in items { write(item, into: &page) }
        page.raw("</tbody></table>\n")
        guard contents.tally.stale > items.count else { return }
        page.raw("<p>")
        let more = ReportNumber.grouped(contents.tally.stale - items.count)
        link("\(more) more", [("status", "stale")], into: &page)
        page.raw("</p>\n")
    }

    private func writeRowHeads(_ heads: [String], into page: inout Markup) {
        page.raw("<thead><tr><th scope=\"col\" class=\"number\">row</th>")
        page.raw("<th scope=\"col\">item and source</th>")
        for head in heads { page.element("th", [("scope", "col")], words: head) }
        page.raw("</tr></thead>\n<tbody>\n")
    }

    private func writeClasses(_ classes: [(word: String, count: Int)], into page: inout Markup) {
        begin("By class", ["class", "items"], into: &page)
        for (word, count) in classes {
            row(word, filter: "class", count: count, into: &page)
        }
        page.raw("</tbody></table>\n")
    }

    private func writeHosts(into page: inout Markup) {
        let hosts = contents.tally.hosts.mapValues { $0.values.reduce(0, +) }
        guard !hosts.isEmpty else { return }
        let sorted = ReportTally.sorted(hosts)
        begin("By host", ["host", "items"], into: &page)
        for (word, count) in sorted.prefix(Self.hostsShown) {
            let classes = ReportTally.sorted(contents.tally.hosts[word] ?? [:])
            let words = classes.map { "\($0.word) \(ReportNumber.grouped($0.count))" }
            row(
                word, filter: "host", note: words.joined(separator: ", "), count: count,
                into: &page)
        }
        let rest = sorted.dropFirst(Self.hostsShown)
        let others = rest.reduce(contents.tally.otherHosts) { $0 + $1.count }
        if others > 0 {
            page.raw("<tr><th scope=\"row\">other hosts</th>")
            page.element("td", [("class", "number")], words: ReportNumber.grouped(others))
            page.raw("</tr>\n")
        }
        page.raw("</tbody></table>\n")
    }

    private func writeLints(into page: inout Markup) {
        let lints = ReportTally.sorted(contents.tally.lints)
        guard !lints.isEmpty else { return }
        page.raw("<div class=\"tables\">\n")
        begin("To check, although nothing failed", ["lint", "items"], into: &page)
        for (word, count) in lints.prefix(Self.lintsShown) {
            row(word, filter: "lint", count: count, into: &page)
        }
        page.raw("</tbody></table>\n</div>\n")
    }

    private func begin(_ caption: String, _ heads: [String], into page: inout Markup) {
        page.raw("<table>\n")
        page.element("caption", words: caption)
        page.raw("<thead><tr>")
        for (index, head) in heads.enumerated() {
            let isNumber = index > 0 && index == heads.count - 1
            page.element(
                "th", [("scope", "col"), ("class", isNumber ? "number" : nil)], words: head)
        }
        page.raw("</tr></thead>\n<tbody>\n")
    }

    private func row(
        _ word: String, filter: String, note: String? = nil, count: Int, into page: inout Markup
    ) {
        page.raw("<tr><th scope=\"row\">")
        link(word, [(filter, word)], into: &page)
        if let note { page.element("small", words: note) }
        page.raw("</th>")
        page.element("td", [("class", "number")], words: ReportNumber.grouped(count))
        page.raw("</tr>\n")
    }

    /// Writes a link to the items that match the filters.
    private func link(
        _ words: String, _ filters: [(name: String, value: String)], into page: inout Markup
    ) {
        let query = filters.map { "\($0.name)=\(Self.encoded($0.value))" }
        page.element(
            "a", [("class", "own"), ("href", "#" + query.joined(separator: "&"))], words: words)
    }

    /// Encodes a query value, including slashes.
    private static func encoded(_ value: String) -> String {
        ReportPicture.encoded(value).replacing("/", with: "%2F")
    }

    /// Writes one error class with its first items, grouped by host.
    private func write(
        _ errorClass: String, count: Int, isOpen: Bool, into page: inout Markup
    ) {
        let items = contents.rows[errorClass] ?? []
        page.raw(isOpen ? "<details open><summary>" : "<details><summary>")
        page.element("h3", words: errorClass)
        page.raw(" ")
        page.element(
            "span", [("class", "subtle number")],
            words: ReportNumber.counted(count, "item", "items"))
        page.raw("</summary>\n")
        let groups = Dictionary(grouping: items) { $0.host ?? "" }
        let hosts = groups.keys.sorted {
            let (first, second) = (groups[$0]?.count ?? 0, groups[$1]?.count ?? 0)
            return (second, $0) < (first, $1)
        }
        for host in hosts {
            let caption = host.isEmpty ? "files and rows" : host
            page.raw("<table class=\"faults\">\n")
            page.element("caption", [("class", "own")], words: caption)
            writeRowHeads(["what happened"], into: &page)
            for item in groups[host] ?? [] { write(item, into: &page) }
            page.raw("</tbody></table>\n")
        }
        if count > items.count {
            page.raw("<p>")
            link(
                "\(ReportNumber.grouped(count - items.count)) more", [("class", errorClass)],
                into: &page)
            page.raw(": ")
            page.element("code", words: "emblem failures \(folder) --class \(errorClass)")
            page.raw("</p>\n")
        }
        page.raw("</details>\n")
    }

    private func write(_ item: ReportItem, into page: inout Markup) {
        page.raw("<tr>")
        page.element("td", [("class", "number")], words: item.row.map { "\($0)" } ?? "–")
        page.raw("<th scope=\"row\">")
        page.element("bdi", [("class", "own")], words: item.title)
        if item.source != item.title {
            page.element("small", [("class", "own")], words: item.source)
        }
        page.raw("</th>")
        let reason = item.reason ?? ""
        guard item.isStale else {
            page.element("td", [("class", "own")], words: reason)
            return page.raw("</tr>\n")
        }
        page.element("td", [("class", "own")], words: "\(item.errorClass ?? ""): \(reason)")
        page.element("td", words: item.made ?? "not known")
        page.raw("</tr>\n")
    }
}
