/// Rows in columns of one width each, for a terminal. The first column stands to the left, numbers
/// to the right.
package struct TextTable: Sendable {
    private var rows: [[String]]

    package init(_ head: [String]) { rows = [head] }

    /// Adds a row with as many cells as the head.
    package mutating func add(_ row: [String]) { rows.append(row) }

    /// The lines, each with its end.
    package var text: String {
        let columns = rows.first?.count ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let gap = String(repeating: " ", count: max(0, widths[column] - cell.count))
                line += (column == 0 ? cell + gap : "  " + gap + cell)
            }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    /// The rows as a Markdown table, without a line end.
    package var markdown: String {
        var lines = rows.map { row in
            "| " + row.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
        }
        let columns = rows.first?.count ?? 0
        lines.insert("|:--" + String(repeating: "|--:", count: max(0, columns - 1)) + "|", at: 1)
        return lines.joined(separator: "\n")
    }
}

/// Numbers as tables show them.
package enum Figure {
    /// With this many digits behind the point.
    package static func fixed(_ value: Double, _ digits: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "-" }
        let factor = (0..<digits).reduce(1) { product, _ in product * 10 }
        let scaled = Int((abs(value) * Double(factor)).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(scaled)" }
        let rest = String(scaled % factor)
        let zeros = String(repeating: "0", count: digits - rest.count)
        return "\(sign)\(scaled / factor).\(zeros)\(rest)"
    }

    /// With about three digits that say something.
    package static func short(_ value: Double) -> String {
        fixed(value, abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : abs(value) >= 1 ? 2 : 3)
    }

    /// A ratio as what was added or saved: `+12.0 %`.
    package static func change(_ ratio: Double) -> String {
        let percent = (ratio - 1) * 100
        return (percent >= 0 ? "+" : "") + fixed(percent, 1) + " %"
    }
}
