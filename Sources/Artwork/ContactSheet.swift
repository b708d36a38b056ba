import Raster
import Theming

/// One picture of many emblems, with the schemes of an item next to each other and its name below
/// them.
package struct ContactSheet: ~Copyable {
    package struct Item {
        let name: String
        /// The reason why the emblems do not show the source of the item; nil if they do.
        let problem: String?

        package init(name: String, problem: String?) {
            self.name = name
            self.problem = problem
        }
    }

    package static let itemsLimit = 400
    /// The side of an emblem's square, in pixels.
    package static let side = 128

    /// The distance between items.
    private static let gap = 12
    /// The distance between the emblems of one item, and the width of the red frame around a
    /// placeholder.
    private static let line = 4
    private static let style = TextStyle(size: 12, weight: .medium, lineHeight: 16)
    /// Grey, so that the edges of white and of dark emblems are visible.
    private static let page = Color(red: 198, green: 198, blue: 203)
    private static let ink = Color(red: 26, green: 26, blue: 32)
    private static let alarm = Color(red: 155, green: 0, blue: 24)

    private var canvas: PixelBuffer
    private let schemes: [ColorScheme]
    private let columns: Int
    /// The distance between the corners of neighbouring items.
    private let step: (across: Int, down: Int)

    /// Creates a sheet without emblems.
    ///
    /// - Parameter schemes: the schemes of the emblems, from left to right.
    package init(_ items: [Item], schemes: [ColorScheme]) throws(ArtworkError) {
        self.schemes = schemes
        let width = schemes.count * (Self.side + Self.line) - Self.line
        let lines = items.contains { $0.problem != nil } ? 2 : 1
        step = (
            width + Self.gap,
            Self.side + Self.line + lines * Int(Self.style.lineHeight) + Self.gap
        )
        columns = Self.columns(items.count, step)
        let rows = (items.count + columns - 1) / columns
        var page = Sketch(
            width: Double(columns * step.across + Self.gap),
            height: Double(rows * step.down + Self.gap))
        page.add(.fill(Box(x: 0, y: 0, width: page.width, height: page.height), Self.page))
        for (index, item) in items.enumerated() {
            let (x, y) = Self.corner(index, columns, step)
            if item.problem != nil {
                let frame = Box(
                    x: Double(x - Self.line), y: Double(y - Self.line),
                    width: Double(width + 2 * Self.line), height: Double(Self.side + 2 * Self.line))
                page.add(.border(frame, width: Double(Self.line), Self.alarm))
            }
            for (line, text) in [item.name, item.problem].enumerated() {
                guard let text else { continue }
                page.add(
                    .text(
                        try Self.text(text, width: Double(width)), x: Double(x),
                        y: Double(y + Self.side + Self.line) + Double(line) * Self.style.lineHeight,
                        item.problem == nil ? Self.ink : Self.alarm))
            }
        }
        canvas = try page.pixels(scale: 1)
    }

    /// Draws the emblem of an item, reduced if it is larger than its square.
    package mutating func draw(
        _ emblem: borrowing PixelBuffer, at index: Int, _ scheme: ColorScheme
    ) {
        guard let place = schemes.firstIndex(of: scheme) else { return }
        let picture = emblem.reduced(to: Self.side)
        let (x, y) = Self.corner(index, columns, step)
        canvas.draw(
            picture,
            x: x + place * (Self.side + Self.line) + (Self.side - picture.width) / 2,
            y: y + (Self.side - picture.height) / 2)
    }

    package consuming func pixels() -> PixelBuffer { canvas }

    private static func corner(
        _ index: Int, _ columns: Int, _ step: (across: Int, down: Int)
    ) -> (x: Int, y: Int) {
        (gap + index % columns * step.across, gap + index / columns * step.down)
    }

    /// Returns the number of columns at which the sheet is most nearly four thirds as wide as high.
    private static func columns(_ count: Int, _ step: (across: Int, down: Int)) -> Int {
        func distance(_ columns: Int) -> Double {
            let rows = (count + columns - 1) / columns
            let aspect = Double(columns * step.across * 3) / Double(rows * step.down * 4)
            return max(aspect, 1 / aspect)
        }
        return (1...max(1, count)).min { distance($0) < distance($1) } ?? 1
    }

    /// Returns a text in one line of at most this width. The end of a longer text is omitted.
    private static func text(_ text: String, width: Double) throws(ArtworkError) -> TextBlock {
        var block = try TextBlock(String(text.prefix(200)), style: style)
        var length = text.count
        while block.width > width, length > 1 {
            length = min(length - 1, Int(Double(length) * width / block.width))
            block = try TextBlock(text.prefix(length) + "…", style: style)
        }
        return block
    }
}
