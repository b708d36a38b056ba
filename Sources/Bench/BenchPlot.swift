import Glibc

/// The report as an SVG plot: the throughput of each case next to its latencies. It has no scripts
/// and no external references.
package struct BenchPlot: Sendable {
    static let width = 1000
    static let height = 460
    /// Colours that colour-blind people can distinguish.
    static let colors = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]

    /// The colours for dark mode.
    private static let darkInk = """
        <style>@media (prefers-color-scheme:dark){svg{fill:#E4E7EB}[fill="#FFFFFF"]{fill:#12181F}\
        [fill="#52606D"]{fill:#9AA5B1}[stroke="#E4E7EB"]{stroke:#2A3440}\
        [stroke="#7B8794"],[stroke="#1F2933"]{stroke:#CBD2D9}}</style>
        """

    let report: BenchReport

    package init(_ report: BenchReport) { self.report = report }

    package var svg: String {
        let command = shortened(report.command, 120)
        let title = report.preset.map { "emblem bench: \($0)" } ?? "emblem bench"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.width)" height="\(Self.height)" \
            viewBox="0 0 \(Self.width) \(Self.height)" role="img" \
            font-family="Inter, 'DejaVu Sans', sans-serif" font-size="13" fill="#1F2933">
            <title>\(PlotText.escaped(title))</title>
            \(Self.darkInk)
            <rect width="100%" height="100%" fill="#FFFFFF"/>
            <text x="32" y="36" font-size="19" font-weight="600">\(PlotText.escaped(title))</text>
            <text x="32" y="58" fill="#52606D">\(PlotText.escaped(report.machine))</text>
            <text x="32" y="\(Self.height - 18)" font-size="11" fill="#52606D">\
            \(PlotText.escaped(command))</text>
            \(throughput(in: PlotFrame(left: 84, top: 112, width: 360, height: 260)))
            \(latency(in: PlotFrame(left: 560, top: 112, width: 400, height: 260)))
            </svg>

            """
    }

    private func shortened(_ text: String, _ limit: Int) -> String {
        text.count <= limit ? text : text.prefix(limit - 1) + "…"
    }

    func color(_ index: Int) -> String { Self.colors[index % Self.colors.count] }

    /// Draws one bar per case, with the slowest and the fastest run as a whisker.
    private func throughput(in frame: PlotFrame) -> String {
        let rates = report.all.map { series in
            let items = Double(series.items)
            return (
                median: series.itemsPerSecond,
                low: series.seconds.max > 0 ? items / series.seconds.max : 0,
                high: series.seconds.min > 0 ? items / series.seconds.min : 0
            )
        }
        let axis = LinearAxis(upTo: rates.map(\.high).max() ?? 1)
        var text = frame.heading("Throughput, items a second", note: "median; line: min to max")
        for tick in axis.ticks {
            text += frame.rule(at: axis.share(tick), label: axis.label(tick))
        }
        let step = Double(frame.width) / Double(max(rates.count, 1))
        let bar = min(step * 0.6, 72)
        for (index, rate) in rates.enumerated() {
            let x = Double(frame.left) + (Double(index) + 0.5) * step
            let top = frame.y(axis.share(rate.median))
            let (low, high) = (frame.y(axis.share(rate.low)), frame.y(axis.share(rate.high)))
            let name = PlotText.escaped(report.all[index].bench.title)
            text += """
                <rect x="\(n(x - bar / 2))" y="\(n(top))" width="\(n(bar))" \
                height="\(n(frame.bottom - top))" fill="\(color(index))" fill-opacity=".85"/>
                <path d="M\(n(x)) \(n(low))V\(n(high))" stroke="#1F2933" stroke-width="1.5"/>
                <text x="\(n(x))" y="\(n(high - 8))" text-anchor="middle" font-weight="600">\
                \(Figure.short(rate.median))</text>
                <text x="\(n(x))" y="\(n(frame.bottom + 20))" text-anchor="middle">\(name)</text>

                """
        }
        return text + frame.floor
    }

    /// Draws the percentiles of an item's latency, from the start of its job to its last byte.
    private func latency(in frame: PlotFrame) -> String {
        let columns = ["p50_ms", "p90_ms", "p99_ms", "p999_ms", "max_ms"]
        let names = ["p50", "p90", "p99", "p99.9", "max"]
        let lines = report.all.map { series in
            let total = series.stages.first { $0.name == "total" }
            return columns.map { max(total?.milliseconds[$0] ?? 0, 0.001) }
        }
        let axis = LogarithmicAxis(lines.flatMap(\.self))
        var text = frame.heading(
            "Latency of an item, milliseconds", note: "job's start to last byte; log scale")
        for tick in axis.ticks {
            text += frame.rule(at: axis.share(tick), label: axis.label(tick))
        }
        let step = Double(frame.width) / Double(columns.count)
        let xs = columns.indices.map { Double(frame.left) + (Double($0) + 0.5) * step }
        for (name, x) in zip(names, xs) {
            text += """
                <text x="\(n(x))" y="\(n(frame.bottom + 20))" text-anchor="middle">\(name)</text>

                """
        }
        for (index, values) in lines.enumerated() {
            let points = zip(xs, values).map { "\(n($0)),\(n(frame.y(axis.share($1))))" }
            text += """
                <polyline points="\(points.joined(separator: " "))" fill="none" \
                stroke="\(color(index))" stroke-width="2.5" stroke-linejoin="round"/>

                """
            for (x, value) in zip(xs, values) {
                text += """
                    <circle cx="\(n(x))" cy="\(n(frame.y(axis.share(value))))" r="3.5" \
                    fill="\(color(index))"/>

                    """
            }
            text += legend(index, in: frame)
        }
        return text + frame.floor
    }

    private func legend(_ index: Int, in frame: PlotFrame) -> String {
        let y = frame.top + 14 + index * 18
        return """
            <rect x="\(frame.left + 10)" y="\(y - 10)" width="11" height="11" \
            fill="\(color(index))"/>
            <text x="\(frame.left + 27)" y="\(y)">\
            \(PlotText.escaped(report.all[index].bench.title))</text>

            """
    }

    /// Formats a coordinate.
    private func n(_ value: Double) -> String { Figure.fixed(value, 1) }
}

/// The area of a plot, in pixels from the upper left.
struct PlotFrame {
    let left: Int
    let top: Int
    let width: Int
    let height: Int

    var bottom: Double { Double(top + height) }

    /// Returns the y coordinate of a share of the axis: 0 at the bottom, 1 at the top.
    func y(_ share: Double) -> Double { bottom - share * Double(height) }

    /// Draws the title, and a note on how to read the plot.
    func heading(_ text: String, note: String) -> String {
        """
        <text x="\(left)" y="\(top - 28)" font-weight="600">\(PlotText.escaped(text))</text>
        <text x="\(left)" y="\(top - 12)" font-size="11" fill="#52606D">\(PlotText.escaped(note))</text>

        """
    }

    /// Draws a thin horizontal line with its number.
    func rule(at share: Double, label: String) -> String {
        let y = Figure.fixed(y(share), 1)
        return """
            <path d="M\(left) \(y)h\(width)" stroke="#E4E7EB"/>
            <text x="\(left - 8)" y="\(y)" dy=".35em" text-anchor="end" fill="#52606D">\(label)</text>

            """
    }

    /// The base line.
    var floor: String {
        """
        <path d="M\(left) \(top + height)h\(width)" stroke="#7B8794"/>

        """
    }
}

/// An axis from zero to a round number above all values.
struct LinearAxis {
    let top: Double
    let ticks: [Double]

    init(upTo greatest: Double) {
        let wanted = greatest.isFinite && greatest > 0 ? greatest * 1.12 : 1
        var power = 1.0
        while power * 10 <= wanted / 2 { power *= 10 }
        while power > wanted / 2 { power /= 10 }
        let step = [1.0, 2, 5, 10].map { $0 * power / 2 }.first { wanted / $0 <= 6 } ?? power * 5
        let count = (wanted / step).rounded(.up)
        top = step * count
        ticks = (0...max(Int(count), 1)).map { Double($0) * step }
    }

    func share(_ value: Double) -> Double { min(max(value / top, 0), 1) }

    func label(_ value: Double) -> String {
        top >= 10 ? Figure.fixed(value, value == value.rounded() ? 0 : 1) : Figure.fixed(value, 2)
    }
}

/// A logarithmic axis between two round numbers.
struct LogarithmicAxis {
    let ticks: [Double]
    private let low: Double
    private let high: Double

    init(_ values: [Double]) {
        let all = Self.rounds
        let least = values.min() ?? 1
        let greatest = values.max() ?? 10
        let first = all.lastIndex { $0 <= least } ?? 0
        let last = all.firstIndex { $0 >= greatest * 1.25 } ?? all.count - 1
        ticks = Array(all[min(first, last)...max(first, last)])
        low = ticks.first ?? 1
        high = ticks.last ?? 10
    }

    /// 1, 2 and 5 in every decade from 0.001 to 500,000,000.
    private static let rounds: [Double] = (-3...8).flatMap { decade -> [Double] in
        var power = 1.0
        for _ in 0..<abs(decade) { power = decade < 0 ? power / 10 : power * 10 }
        return [power, 2 * power, 5 * power]
    }

    func share(_ value: Double) -> Double {
        guard high > low else { return 0.5 }
        return min(max((log(value) - log(low)) / (log(high) - log(low)), 0), 1)
    }

    func label(_ value: Double) -> String {
        Figure.fixed(value, value >= 1 ? 0 : value >= 0.1 ? 1 : value >= 0.01 ? 2 : 3)
    }
}

enum PlotText {
    /// Escapes special characters of XML and removes invalid ones.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default:
                if scalar.value >= 0x20, scalar.value < 0xFFFE || scalar.value > 0xFFFF {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
    }
}
