import Artwork
import Codecs
import Raster
import Render
import Testing
import Theming

/// Tiles whose edge is not of one colour, with `--look logos`.
extension NamedLookTests {
    @Test("the background next to a picture with an uneven edge has no lines")
    func unevenEdge() throws {
        var recipe = Self.recipe()
        recipe.width = .points(160)
        let rendering = try Self.drawn(
            Self.picture(300, 300) { x, y in
                let (across, down) = (x - 150, y - 150)
                if across * across + down * down < 40 * 40 { return Logos.blue }
                let level = UInt8(y % 24 < 12 ? 255 : 243)
                return Color(red: level, green: level, blue: level)
            }, recipe)
        #expect(rendering.decision?.kind == .tile)
        let emblem = try Logos.pixels(rendering.images.first)
        for y in 24..<104 {
            let (one, next) = (Self.color(emblem, 2, y), Self.color(emblem, 2, y + 1))
            #expect(Self.distance(one, next) <= 2, "\(y)")
        }
    }

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
        var recipe = Self.recipe()
        recipe.width = .points(160)
        let rendering = try Self.drawn(Self.gradient(side, outline: 2), recipe)
        #expect(rendering.decision?.kind == .tile)
        let emblem = try Logos.pixels(rendering.images.first)
        #expect(emblem.size == PixelSize(width: 320, height: 128))
        for x in [36, 90, 104, 220, 284] {
            for y in 2..<126 {
                let wanted = Color(red: 220, green: 60, blue: UInt8(40 + y * 180 / 128))
                #expect(Self.distance(Self.color(emblem, x, y), wanted) <= 24, "\(x) \(y)")
            }
        }
    }

    @Test("a small gradient keeps its shape on the background of the theme")
    func smallGradient() throws {
        let rendering = try Self.drawn(Self.gradient(32, outline: 0))
        #expect(rendering.decision?.kind == .tile)
        let emblem = try Logos.pixels(rendering.images.first)
        for (x, y) in [(64, 8), (8, 64), (120, 64), (64, 120), (30, 30)] {
            #expect(Self.color(emblem, x, y) == Logos.brand, "\(x) \(y)")
        }
        #expect(Self.color(emblem, 64, 64) == .white)
    }
}
