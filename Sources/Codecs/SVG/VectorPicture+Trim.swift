import Raster

extension VectorPicture {
    /// A part of a document in its own units.
    struct Window {
        let x: Double
        let y: Double
        let width: Double
        let height: Double
    }

    /// The longer side at which a drawing's margins are looked for: a margin is known to a
    /// five-hundredth of the drawing.
    private static let trimSide = 512.0

    /// The size of what is shown, which keeps the document's shape until its margins are cut.
    package var shownSize: (width: Double, height: Double) {
        window.map { ($0.width, $0.height) } ?? (exactWidth, exactHeight)
    }

    /// Shows only what its margins leave, as light surroundings show it.
    package mutating func trim() throws(DecodeError) {
        let longer = max(exactWidth, exactHeight)
        func pixels(_ length: Double) -> Int {
            max(1, Int((length / longer * Self.trimSide).rounded()))
        }
        let size = PixelSize(width: pixels(exactWidth), height: pixels(exactHeight))
        let drawn = try render(at: size)
        guard let bounds = drawn.contentBounds else { return }
        let (across, down) = (
            exactWidth / Double(size.width), exactHeight / Double(size.height)
        )
        window = Window(
            x: Double(bounds.x) * across, y: Double(bounds.y) * down,
            width: Double(bounds.width) * across, height: Double(bounds.height) * down)
    }
}
