import Raster
import Theming

/// One picture of many emblems with their numbers, with the schemes of an item next to each other.
package struct ContactSheet: ~Copyable {
    package static let itemsLimit = 400
    /// The side of an emblem's square, in pixels.
    package static let side = 128

    private static let columns = 7
    private static let gap = 4
    private static let captionHeight = 16

    private var canvas: PixelBuffer
    private let schemes: [ColorScheme]

    /// Creates an empty sheet for the items with these numbers.
    ///
    /// - Parameter schemes: the schemes of the emblems, from left to right.
    package init(
        numbers: [Int], schemes: [ColorScheme], theme: Theme
    ) throws(ArtworkError) {
        self.schemes = schemes
        let columns = max(1, min(Self.columns, numbers.count))
        let rows = max(1, (numbers.count + columns - 1) / columns)
        let (width, height) = Self.cell(schemes.count)
        var page = Sketch(width: Double(columns * width), height: Double(rows * height))
        page.add(.fill(Box(x: 0, y: 0, width: page.width, height: page.height), .white))
        let small = TextStyle(size: 11, weight: .medium)
        for (index, number) in numbers.enumerated() {
            let (x, y) = Self.corner(index, columns, schemes.count)
            for (place, scheme) in schemes.enumerated() {
                page.add(
                    .fill(
                        Box(
                            x: Double(x + place * (Self.side + 2 * Self.gap)), y: Double(y),
                            width: Double(Self.side + 2 * Self.gap), height: Double(height)),
                        theme.color("theme.color.background.surface", scheme) ?? .white))
            }
            let scheme = schemes.first ?? .light
            page.add(
                .text(
                    try TextBlock("\(number)", style: small, alignment: .leading),
                    x: Double(x + Self.gap), y: Double(y + Self.side + Self.gap),
                    theme.color("theme.color.foreground.default", scheme) ?? .black))
        }
        canvas = try page.pixels(scale: 1)
        self.columns = columns
    }

    private let columns: Int

    /// Draws the emblem of an item, reduced if it is larger than its square.
    package mutating func draw(
        _ emblem: borrowing PixelBuffer, at index: Int, _ scheme: ColorScheme
    ) {
        guard let place = schemes.firstIndex(of: scheme) else { return }
        let picture = emblem.reduced(to: Self.side)
        let (x, y) = Self.corner(index, columns, schemes.count)
        canvas.draw(
            picture,
            x: x + place * (Self.side + 2 * Self.gap) + Self.gap
                + (Self.side - picture.width) / 2,
            y: y + Self.gap + (Self.side - picture.height) / 2)
    }

    package consuming func pixels() -> PixelBuffer { canvas }

    private static func cell(_ schemes: Int) -> (width: Int, height: Int) {
        (schemes * (side + 2 * gap) + gap, side + gap + captionHeight)
    }

    private static func corner(_ index: Int, _ columns: Int, _ schemes: Int) -> (x: Int, y: Int) {
        let (width, height) = cell(schemes)
        return (index % columns * width, index / columns * height)
    }
}
