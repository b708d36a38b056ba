import Raster
import Theming

extension Catalog {
    /// Draws a section as one picture: each component in a cell, with a caption below.
    package func sheet(
        _ section: CatalogSection, _ scheme: ColorScheme, scale: Double
    ) throws(ArtworkError) -> PixelBuffer {
        let grid = CatalogGrid(section)
        var page = Sketch(width: grid.width, height: grid.height)
        page.add(
            .fill(
                Box(x: 0, y: 0, width: grid.width, height: grid.height),
                color("background.surface", scheme)))
        let small = TextStyle(size: 11, weight: .medium)
        for (index, item) in section.items.enumerated() {
            let cell = grid.cell(index)
            let caption = try TextBlock(item.caption, style: small, alignment: .center)
            page.add(
                .text(
                    caption, x: cell.x + (cell.width - caption.width) / 2,
                    y: cell.y + cell.height - caption.height - 4,
                    color("foreground.subtle", scheme)))
        }
        var pixels = try page.pixels(scale: scale)
        for (index, item) in section.items.enumerated() {
            let cell = grid.cell(index)
            let picture = try item.pixels(scale: scale)
            let room = (cell.height - CatalogGrid.captionHeight) * scale
            pixels.draw(
                picture,
                x: Int(
                    (cell.x * scale + (cell.width * scale - Double(picture.width)) / 2).rounded()),
                y: Int((cell.y * scale + (room - Double(picture.height)) / 2).rounded()))
        }
        return pixels
    }

    func color(_ path: String, _ scheme: ColorScheme) -> Color {
        theme.color("theme.color." + path, scheme) ?? .black
    }
}

/// A grid of equal cells that fit the widest component and caption.
private struct CatalogGrid {
    static let captionHeight = 22.0
    let columns: Int
    let cell: Box
    let width: Double
    let height: Double

    init(_ section: CatalogSection) {
        columns = max(1, section.columns)
        let widest = section.items.map(\.sketch.width).max() ?? 0
        let tallest = section.items.map(\.sketch.height).max() ?? 0
        cell = Box(
            x: 0, y: 0, width: max(104, (widest + 16).rounded(.up)),
            height: (tallest + 16 + Self.captionHeight).rounded(.up))
        let rows = (section.items.count + columns - 1) / columns
        width = cell.width * Double(columns) + 16
        height = cell.height * Double(max(1, rows)) + 16
    }

    func cell(_ index: Int) -> Box {
        cell.moved(
            x: 8 + Double(index % columns) * cell.width,
            y: 8 + Double(index / columns) * cell.height)
    }
}
