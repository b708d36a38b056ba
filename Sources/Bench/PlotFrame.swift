import Glibc

/// The field of a plot, in pixels from the upper left.
struct PlotFrame {
    let left: Int
    let top: Int
    let width: Int
    let height: Int

    var bottom: Double { Double(top + height) }

    /// Where a share of the axis stands: 0 at the bottom, 1 at the top.
    func y(_ share: Double) -> Double { bottom - share * Double(height) }

    /// What the plot shows, and how to read it.
    func heading(_ text: String, note: String) -> String {
        """
        <text x="\(left)" y="\(top - 28)" font-weight="600">\(PlotText.escaped(text))</text>
        <text x="\(left)" y="\(top - 12)" font-size="11" fill="#52606D">\(PlotText.escaped(note))</text>

        """
    }

    /// A thin line across the field with its number.
    func rule(at share: Double, label: String) -> String {
        let y = Figure.fixed(y(share), 1)
        return """
            <path d="M\(left) \(y)h\(width)" stroke="#E4E7EB"/>
            <text x="\(left - 8)" y="\(y)" dy=".35em" text-anchor="end" fill="#52606D">\(label)</text>

            """
    }

    /// The line that everything stands on.
    var floor: String {
        """
        <path d="M\(left) \(top + height)h\(width)" stroke="#7B8794"/>

        """
    }
}

/// From zero to a round number that all values fit under.
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

/// From one round number to another, each decade as high as the next.
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

    /// 1, 2 and 5 in every decade from a microsecond to a day.
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
