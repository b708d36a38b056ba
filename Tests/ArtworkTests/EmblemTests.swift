import Artwork
import Codecs
import Raster
import Testing
import Theming

@Suite("Emblems of pictures")
struct EmblemTests {
    @Test(
        "the mode fit shows the whole picture, centred to the pixel",
        arguments: [
            (80, 40, PixelRect(x: 0, y: 10, width: 40, height: 20)),
            (40, 80, PixelRect(x: 10, y: 0, width: 20, height: 40)),
            (100, 99, PixelRect(x: 0, y: 0, width: 40, height: 40)),
            (400, 10, PixelRect(x: 0, y: 19, width: 40, height: 1)),
            (4, 3, PixelRect(x: 0, y: 5, width: 40, height: 30)),
        ])
    func fits(width: Int, height: Int, frame: PixelRect) throws {
        let artwork = EmblemArtwork()
        let style = style(radius: 0)
        let fitted = try artwork.fit(solid(width, height), style)
        #expect(fitted.pixels.size == frame.size)
        #expect(fitted.x == frame.x && fitted.y == frame.y)
        let picture = artwork.finish(fitted, style)
        for y in 0..<40 {
            for x in 0..<40 {
                let isInside =
                    x >= frame.x && x < frame.x + frame.width && y >= frame.y
                    && y < frame.y + frame.height
                #expect(picture.rgba(x, y) == (isInside ? blue.pixel : grey.pixel))
            }
        }
    }

    @Test("padding keeps the content away from every edge and leaves at least a pixel")
    func padding() throws {
        var style = style(40, radius: 0, scale: 1.5)
        style.paddingPoints = 4
        let artwork = EmblemArtwork()
        let fitted = try artwork.fit(solid(10, 10), style)
        #expect(fitted.x == 6 && fitted.y == 6)
        #expect(fitted.pixels.size == PixelSize(width: 48, height: 48))
        style.paddingPoints = 500
        let tiny = try artwork.fit(solid(10, 10), style)
        #expect(tiny.pixels.size == PixelSize(width: 2, height: 2))
    }

    @Test("a small picture keeps its size and is centred without enlarging")
    func upscale() throws {
        var style = style(40, radius: 0)
        style.upscale = false
        for mode in ContentMode.allCases {
            style.mode = mode
            let fitted = try EmblemArtwork().fit(solid(10, 7), style)
            #expect(fitted.pixels.size == PixelSize(width: 10, height: 7))
            #expect(fitted.x == 15 && fitted.y == 16)
            style.scale = 2
            let sharp = try EmblemArtwork().fit(solid(10, 7), style)
            #expect(sharp.pixels.size == PixelSize(width: 20, height: 14), "as large in points")
            style.scale = 1
        }
    }

    @Test("the size before decoding decides the placement, not the decoded size")
    func sourceSize() throws {
        var style = style(40, radius: 0)
        let shrunk = try EmblemArtwork().fit(solid(125, 42), sourceSize: (1000, 333), style)
        #expect(shrunk.pixels.size == PixelSize(width: 40, height: 13))
        style.upscale = false
        let small = try EmblemArtwork().fit(solid(10, 10), sourceSize: (20, 20), style)
        #expect(small.pixels.size == PixelSize(width: 20, height: 20))
    }

    @Test(
        "an emblem of automatic width follows the picture, between one and four heights",
        arguments: [
            (10.0, 10.0, 40), (20, 10, 80), (100, 30, 133), (1000, 10, 160), (10, 40, 40),
            (1e9, 1e-3, 160), (1e-3, 1e9, 40), (0, 10, 40), (Double.nan, 10, 40),
            (Double.infinity, 1, 40),
        ])
    func automaticWidth(width: Double, height: Double, expected: Int) {
        var style = style()
        style.width = .auto
        #expect(style.canvas(for: (width, height)) == PixelSize(width: expected, height: 40))
        style.width = .square
        #expect(style.canvas(for: (width, height)) == PixelSize(width: 40, height: 40))
    }

    @Test("the border of an emblem is a ring of its colour along the edge")
    func border() throws {
        var style = style(40, radius: 8, scale: 2)
        style.borderPoints = 1.5
        let picture = try emblem(solid(10, 10), style)
        for depth in 0..<3 {
            for (x, y) in [(40, depth), (depth, 40), (79 - depth, 40), (40, 79 - depth)] {
                #expect(picture.rgba(x, y) == line.pixel)
            }
        }
        #expect(picture.rgba(40, 3) == blue.pixel)
        #expect(picture.rgba(0, 0) == [0, 0, 0, 0])
        // The ring has the same width along the diagonal as at the sides.
        let diagonal = (0..<20).filter { picture.rgba($0, $0) == line.pixel }
        #expect(!diagonal.isEmpty && diagonal.count <= 3)
    }

    @Test(
        "tint follows the tint rule and the kind of content",
        arguments: [
            (TintRule.auto, "raster", false), (.auto, "drawing", false), (.auto, "template", true),
            (.always, "raster", true), (.always, "drawing", true), (.always, "template", true),
            (.never, "raster", false), (.never, "drawing", false), (.never, "template", false),
        ])
    func tint(rule: TintRule, kind: String, isTinted: Bool) throws {
        var style = style()
        style.tint = rule
        let picture: Picture
        switch kind {
        case "raster": picture = solid(8, 8)
        case "drawing": picture = try drawn(8, 8)
        default: picture = try drawn(8, 8, paint: "currentColor")
        }
        let own = kind == "template" ? Color.black : blue
        #expect(try emblem(picture, style).rgba(20, 20) == (isTinted ? ink : own).pixel)
    }

    @Test("a drawing too large for the drawing library is an error, not a crash")
    func tooLarge() {
        var style = style(16_384)
        style.width = .auto
        #expect(throws: ArtworkError.self) {
            _ = try EmblemArtwork().fit(drawn(400, 100), style).x
        }
    }
}
