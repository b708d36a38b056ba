import Artwork
import Codecs
import Raster
import Render
import Testing
import Theming

/// Tiles whose edge is not of one colour, with `--look logos`.
extension NamedLookTests {
    /// A gradient from red to violet with round corners and a dark outline of this width.
    private static func gradient(_ side: Int, outline: Int) -> PixelBuffer {
        var tile = Self.picture(side, side) { x, y in
            let radius = side / 5
            let across = max(0, abs(2 * x - side + 1) - side + 2 * radius)
            let down = max(0, abs(2 * y - side + 1) - side + 2 * radius)
            let inner = 2 * (radius - outline)
            if across * across + down * down > inner * inner { return .black }
            if abs(2 * x - side) < side / 3, abs(2 * y - side) < side / 3 { return .white }
            return Color(red: 220, green: 60, blue: UInt8(40 + y * 180 / side))
        }
        tile.mask(
            by: CornerMask(size: tile.size, radius: Double(side) / 5, style: .circular))
        return tile
    }

    @Test(
        "a gradient with round corners and a dark outline is extended without lines",
        arguments: [300, 420])
    func outlinedGradient(side: Int) throws {
        let rendering = try Self.drawn(Self.gradient(side, outline: 2))
        #expect(rendering.decision?.kind == .tile)
        let emblem = try Logos.pixels(rendering.images.first)
        #expect(emblem.size == PixelSize(width: 128, height: 128))
        for x in [36, 90] {
            for y in 2..<126 {
                let wanted = Color(red: 220, green: 60, blue: UInt8(40 + y * 180 / 128))
                #expect(Self.distance(Self.color(emblem, x, y), wanted) <= 24, "\(x) \(y)")
            }
        }
    }

    @Test("a small gradient with round corners keeps its shape on the background of the theme")
    func smallGradient() throws {
        let rendering = try Self.drawn(Self.gradient(32, outline: 0))
        #expect(rendering.decision?.kind == .tile)
        let emblem = try Logos.pixels(rendering.images.first)
        let middle = emblem.width / 2
        for (x, y) in [(-60, 64), (60, 64), (0, 4), (0, 124), (-34, 30)] {
            #expect(Self.color(emblem, middle + x, y) == Logos.brand, "\(x) \(y)")
        }
        #expect(Self.color(emblem, middle, 64) == .white)
    }

    @Test("a small mark on a round tile is whole, although its place enlarges the tile")
    func enlargedTile() throws {
        var tile = Logos.picture(
            400, 400, ground: Logos.bright, mark: PixelRect(x: 194, y: 194, width: 12, height: 12),
            .white)
        tile.mask(by: CornerMask(size: tile.size, radius: 80, style: .circular))
        let emblem = try Logos.pixels(try Self.drawn(tile).images.first)
        let row = (0..<emblem.width).filter { Self.color(emblem, $0, 64) == .white }.count
        let column = (0..<emblem.height).filter { Self.color(emblem, 64, $0) == .white }.count
        #expect(abs(row - column) <= 2 && column >= 60, "\(row) \(column)")
    }
}
