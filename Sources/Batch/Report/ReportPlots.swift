import Artwork
import Glibc
import Notation

/// Throughput as a step line that scales to the width of the page. Its numbers are HTML text, so
/// they stay readable.
struct RatePlot {
    let rates: [Double]
    /// The part of the last interval, from 0 to 1, that was before the end of the run.
    let lastShare: Double

    var greatest: Double { rates.max() ?? 0 }

    func write(elapsed: Double, into page: inout Markup) {
        let end = Double(rates.count - 1) + min(max(lastShare, 0.1), 1)
        let scale = (x: 1000 / end, y: greatest > 0 ? 96 / greatest : 0)
        var line = ""
        for (index, rate) in rates.enumerated() {
            let from = Markup.number(Double(index) * scale.x)
            let upTo = Markup.number(min(Double(index + 1), end) * scale.x)
            let y = Markup.number(100 - rate * scale.y)
            line += "\(index == 0 ? "M" : "L")\(from) \(y)L\(upTo) \(y)"
        }
        let middle = ReportNumber.short(rates.sorted()[rates.count / 2])
        page.tag(
            "svg",
            [
                ("viewBox", "0 0 1000 100"), ("preserveAspectRatio", "none"), ("role", "img"),
                (
                    "aria-label",
                    "Items a second over \(ReportNumber.short(elapsed)) s: at most "
                        + "\(ReportNumber.short(greatest)), median \(middle), at the end "
                        + ReportNumber.short(rates.last ?? 0)
                ),
            ])
        for y in ["4", "52", "100"] {
            page.raw("<path class=\"rule\" d=\"M0 \(y)H1000\"/>")
        }
        page.raw("<path class=\"area\" d=\"\(line)V100H0Z\"/><path class=\"line\" d=\"\(line)\"/>")
        page.raw("</svg>\n<div class=\"axis\" aria-hidden=\"true\">")
        for share in [0, 0.5, 1] {
            page.element("span", words: ReportNumber.short(elapsed * share) + " s")
        }
        page.raw("</div>\n")
    }
}

/// The figures of one stage in `run.json`, in milliseconds.
struct StageFigures {
    let name: String
    let count: Int
    let median: Double
    let p90: Double
    let p99: Double
    let longest: Double

    /// Nil for an unused stage.
    init?(_ member: JSON.Member) {
        guard let count = member.value["count"]?.intValue, count > 0 else { return nil }
        func number(_ name: String) -> Double { member.value[name]?.doubleValue ?? 0 }
        self.count = count
        name = member.name
        median = number("p50_ms")
        p90 = number("p90_ms")
        p99 = number("p99_ms")
        longest = number("max_ms")
    }
}

/// A plot with one row per stage on a common logarithmic scale.
struct LatencyPlot {
    /// The lower limit of the scale, in milliseconds.
    private static let least = 0.001
    private let stages: [StageFigures]
    private let low: Double
    private let high: Double

    init?(_ stages: [StageFigures]) {
        guard !stages.isEmpty else { return nil }
        self.stages = stages
        let lowest = stages.map(\.median).min() ?? 1
        let greatest = stages.map(\.longest).max() ?? 1
        low = log10(max(lowest, Self.least)).rounded(.down)
        high = max(log10(max(greatest, Self.least)).rounded(.up), low + 1)
    }

    private func coordinate(_ value: Double) -> Double {
        min(max((log10(max(value, Self.least)) - low) / (high - low), 0), 1) * 1000
    }

    func write(into page: inout Markup) {
        page.raw("<div class=\"rows\">\n")
        for stage in stages {
            page.element("span", [("aria-hidden", "true")], words: stage.name)
            page.tag(
                "svg",
                [
                    ("viewBox", "0 0 1000 20"), ("preserveAspectRatio", "none"), ("role", "img"),
                    (
                        "aria-label",
                        "\(stage.name): median \(ReportNumber.time(stage.median)), 99th percentile "
                            + "\(ReportNumber.time(stage.p99)), longest "
                            + ReportNumber.time(stage.longest)
                    ),
                ])
            for decade in 0...Int(high - low) {
                let x = Markup.number(Double(decade) / (high - low) * 1000)
                page.raw("<path class=\"rule\" d=\"M\(x) 0V20\"/>")
            }
            // Bars start at the left edge, because a bar of zero width would be invisible.
            bar("reach", upTo: stage.p99, into: &page)
            bar("bar", upTo: stage.p90, into: &page)
            for value in [stage.median, stage.longest] {
                page.raw("<path class=\"mark\" d=\"M\(Markup.number(coordinate(value))) 2V18\"/>")
            }
            page.raw("</svg>\n")
        }
        page.raw("<div class=\"axis\" aria-hidden=\"true\">")
        for decade in Int(low)...Int(high) {
            page.element("span", words: ReportNumber.short(pow(10, Double(decade))))
        }
        page.raw("</div>\n</div>\n")
    }

    private func bar(_ name: String, upTo value: Double, into page: inout Markup) {
        let width = Markup.number(coordinate(value))
        page.raw("<rect class=\"\(name)\" y=\"5\" width=\"\(width)\" height=\"10\"/>")
    }
}
