import Raster
import System
import Testing

@Suite("Placement")
struct PlacementTests {
    struct Row: Sendable, CustomStringConvertible {
        var source: (Double, Double)
        var canvas: (Int, Int)
        var mode: ContentMode
        var largestFactor = Double.infinity
        var focus = FocusPoint.center
        var scaled: (Int, Int)
        var visible: (Int, Int, Int, Int)
        var at: (Int, Int)

        var description: String { "\(source) \(mode) on \(canvas)" }
    }

    /// Expected values computed by hand from the formula.
    static let rows: [Row] = [
        Row(
            source: (100, 100), canvas: (48, 48), mode: .fit, scaled: (48, 48),
            visible: (0, 0, 48, 48), at: (0, 0)),
        Row(
            source: (240, 64), canvas: (48, 48), mode: .fit, scaled: (48, 13),
            visible: (0, 0, 48, 13), at: (0, 17)),
        Row(
            source: (240, 64), canvas: (48, 48), mode: .fill, scaled: (180, 48),
            visible: (66, 0, 48, 48), at: (0, 0)),
        // (48 - 97) / 2 is -24.5, rounded down to -25: one more column is cut on the left.
        Row(
            source: (97, 48), canvas: (48, 48), mode: .fill, scaled: (97, 48),
            visible: (25, 0, 48, 48), at: (0, 0)),
        // The point at a quarter, 45 of 180, is brought to the middle of the 48 visible pixels.
        Row(
            source: (240, 64), canvas: (48, 48), mode: .fill, focus: FocusPoint(x: 0.25, y: 0),
            scaled: (180, 48), visible: (21, 0, 48, 48), at: (0, 0)),
        Row(
            source: (16, 15), canvas: (41, 40), mode: .fit, largestFactor: 1, scaled: (16, 15),
            visible: (0, 0, 16, 15), at: (12, 12)),
        // Without enlarging, a short side may leave the canvas uncovered while a long one is cut.
        Row(
            source: (16, 90), canvas: (40, 40), mode: .fill, largestFactor: 1, scaled: (16, 90),
            visible: (0, 25, 16, 40), at: (12, 0)),
        // Half a pixel rounds up.
        Row(
            source: (2, 1), canvas: (5, 5), mode: .fit, scaled: (5, 3),
            visible: (0, 0, 5, 3), at: (0, 1)),
        Row(
            source: (1_000_000, 1), canvas: (48, 48), mode: .fit, scaled: (48, 1),
            visible: (0, 0, 48, 1), at: (0, 23)),
        Row(
            source: (1, 1_000_000), canvas: (48, 48), mode: .fill, scaled: (48, 48_000_000),
            visible: (0, 23_999_976, 48, 48), at: (0, 0)),
    ]

    @Test("a picture is placed by the documented formula", arguments: rows)
    func table(row: Row) {
        let placement = Placement(
            source: (width: row.source.0, height: row.source.1),
            canvas: PixelSize(width: row.canvas.0, height: row.canvas.1), mode: row.mode,
            largestFactor: row.largestFactor, focus: row.focus)
        #expect(placement.scaled == PixelSize(width: row.scaled.0, height: row.scaled.1))
        #expect(
            placement.visible
                == PixelRect(
                    x: row.visible.0, y: row.visible.1, width: row.visible.2,
                    height: row.visible.3))
        #expect(placement.x == row.at.0)
        #expect(placement.y == row.at.1)
    }

    @Test("the visible part is inside the picture and the canvas for any claimed size")
    func bounds() {
        let lengths = [
            0, -3, 1e-300, 0.001, 0.5, 1, 3, 47.5, 1e6, 1e18, 1e300, .infinity, .nan,
        ]
        for width in lengths {
            for height in lengths {
                for mode in ContentMode.allCases {
                    for largestFactor in [1, 2, .infinity] {
                        let canvas = PixelSize(width: 48, height: 31)
                        let placement = Placement(
                            source: (width, height), canvas: canvas, mode: mode,
                            largestFactor: largestFactor, focus: FocusPoint(x: 1, y: 0.01))
                        #expect(placement.visible.isInside(placement.scaled))
                        let on = PixelRect(
                            x: placement.x, y: placement.y, width: placement.visible.width,
                            height: placement.visible.height)
                        #expect(on.isInside(canvas))
                    }
                }
            }
        }
    }

    @Test("attention finds the part with the most edges and colour, in upright coordinates")
    func attention() {
        var picture = Pictures.make(300, 100) { x, y in
            let isMark = (210..<270).contains(x) && (20..<80).contains(y) && (x + y) % 3 == 0
            return isMark
                ? Color(red: 220, green: 40, blue: 30) : Color(red: 120, green: 120, blue: 120)
        }
        let shown = (width: 1 / 3.0, height: 1.0)
        let found = FocusPoint.attention(picture, shown: shown)
        #expect((0.75...0.85).contains(found.x) && found.y == 0.5)
        picture.pendingOrientation = .down
        let turned = FocusPoint.attention(picture, shown: shown)
        #expect((0.15...0.25).contains(turned.x))
    }
}

@Suite("Placement of pictures in squares")
struct PicturePlaceTests {
    @Test(
        "the visible part of a square is inside the picture and the canvas",
        arguments: UInt64(0)..<10
    )
    func inside(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let source = (
            Double.random(in: 1...900, using: &random),
            Double.random(in: 1...900, using: &random)
        )
        let canvas = PixelSize(width: 128, height: 128)
        let place = PicturePlace(
            size: .random(in: 0.01...4, using: &random),
            centerX: .random(in: -1...2, using: &random),
            centerY: .random(in: -1...2, using: &random),
            cropped: .random(in: 0...0.3, using: &random))
        let placement = Placement(
            source: source, canvas: canvas, place: place, largestFactor: .infinity)
        let visible = placement.visible
        let words = "\(source) \(place)"
        #expect(visible.isInside(placement.scaled), "\(words)")
        #expect(placement.x >= 0 && placement.x + visible.width <= 128, "\(words)")
        #expect(placement.y >= 0 && placement.y + visible.height <= 128, "\(words)")
    }
}
