import Artwork
import Notation
import Transport

/// The times section: throughput over the run, each stage, and the slowest items.
extension ReportPage {
    func writeTimes(into page: inout Markup) {
        page.raw("<section id=\"times\" aria-labelledby=\"times-title\">\n")
        page.raw("<h2 id=\"times-title\">Times</h2>\n")
        let stages = (run["stages"]?.members ?? []).compactMap { StageFigures($0) }
        if run.isNull || (stages.isEmpty && counts.done == counts.reused) {
            page.raw("<p>No item was processed again, so there are no times.</p>\n")
        } else {
            writeThroughput(into: &page)
            writeLatency(stages, into: &page)
            writeSlowest(into: &page)
        }
        page.raw("</section>\n")
    }

    private func writeThroughput(into page: inout Markup) {
        let elapsed = run["elapsed_seconds"]?.doubleValue ?? 0
        let done = (run[path: ["timeline", "done"]]?.elements ?? []).compactMap(\.doubleValue)
        let width = run[path: ["timeline", "bucket_seconds"]]?.doubleValue ?? 1
        // A single interval needs no plot: the page already shows the mean rate.
        guard done.count > 1, width > 0, elapsed > 0 else { return }
        let rates = done.enumerated().map { index, count in
            let rest = elapsed - Double(index) * width
            return count / (rest > 0 ? min(width, max(rest, width / 10)) : width)
        }
        let plot = RatePlot(rates: rates, lastShare: elapsed / width - Double(done.count - 1))
        page.raw("<figure class=\"plot over-time\">\n<figcaption>Items a second over the run; ")
        page.words("at most \(ReportNumber.short(plot.greatest))")
        page.raw("</figcaption>\n")
        plot.write(elapsed: elapsed, into: &page)
        page.raw("</figure>\n")
    }

    private func writeLatency(_ stages: [StageFigures], into page: inout Markup) {
        guard let plot = LatencyPlot(stages) else { return }
        page.raw("<figure class=\"plot\">\n<figcaption>Milliseconds in each stage; every step of ")
        page.raw("the scale is ten times the last. Bar: up to the 90th percentile; pale: up to ")
        page.raw("the 99th; marks: the median and the longest</figcaption>\n")
        plot.write(into: &page)
        page.raw("</figure>\n")
        page.raw("<div class=\"scroll\"><table>\n<caption>Stages, in milliseconds</caption>\n")
        page.raw("<thead><tr><th scope=\"col\">stage</th>")
        for (head, isWide) in [
            ("count", true), ("median", false), ("90th", true), ("99th", false),
            ("longest", false),
        ] {
            page.element(
                "th", [("scope", "col"), ("class", isWide ? "number wide" : "number")],
                words: head)
        }
        page.raw("</tr></thead>\n<tbody>\n")
        for stage in stages {
            page.raw("<tr>")
            page.element("th", [("scope", "row")], words: stage.name)
            page.element("td", [("class", "number wide")], words: ReportNumber.grouped(stage.count))
            for (value, isWide) in [
                (stage.median, false), (stage.p90, true), (stage.p99, false),
                (stage.longest, false),
            ] {
                page.element(
                    "td", [("class", isWide ? "number wide" : "number")],
                    words: ReportNumber.short(value))
            }
            page.raw("</tr>\n")
        }
        page.raw("</tbody></table></div>\n")
    }

    private func writeSlowest(into page: inout Markup) {
        let slowest = (run["slowest"]?.elements ?? []).map { entry in
            (
                source: SourceMask().shown(entry["source"]?.stringValue ?? ""),
                index: entry["index"]?.intValue ?? 0,
                time: entry["ms"]?.doubleValue ?? 0
            )
        }
        guard let longest = slowest.map(\.time).max() else { return }
        page.raw("<table class=\"slowest\">\n<caption>Slowest items</caption>\n<thead><tr>")
        page.raw("<th scope=\"col\">source</th><th scope=\"col\" class=\"number\">time</th>")
        page.raw("</tr></thead>\n<tbody>\n")
        for entry in slowest {
            page.raw("<tr><td>")
            let source = String(entry.source.unicodeScalars.prefix(200))
            page.element(
                "a", [("class", "own"), ("href", "#item=\(entry.index)")],
                words: source.count < entry.source.count ? source + "…" : source)
            page.raw("<svg viewBox=\"0 0 1000 8\" preserveAspectRatio=\"none\" ")
            page.raw("aria-hidden=\"true\">")
            let share = longest > 0 ? entry.time / longest * 1000 : 0
            page.tag(
                "rect",
                [("class", "bar"), ("width", Markup.number(share)), ("height", "8")],
                isEmpty: true)
            page.raw("</svg></td>")
            page.element("td", [("class", "number")], words: ReportNumber.time(entry.time))
            page.raw("</tr>\n")
        }
        page.raw("</tbody></table>\n")
    }
}
