import Artwork
import Codecs
import Raster
import Render
import Testing
import Theming

@Suite("Looks")
struct NamedLookTests {
    /// Returns a recipe for large emblems at scale 2, which have 128 pixels.
    static func recipe(
        _ look: Look = .logos, _ schemes: [ColorScheme] = [.light]
    ) -> Recipe {
        var recipe = Recipe(variants: Logos.variants([.large], [2], schemes))
        recipe.apply(look)
        return recipe
    }

    static func picture(
        _ width: Int, _ height: Int, _ color: (Int, Int) -> Color
    ) -> PixelBuffer {
        var picture = PixelBuffer(size: PixelSize(width: width, height: height))
        var pixels = picture.mutablePixels
        for y in 0..<height {
            for x in 0..<width {
                let color = color(x, y).premultiplied
                let place = (y * width + x) * 4
                pixels[place] = color.red
                pixels[place + 1] = color.green
                pixels[place + 2] = color.blue
                pixels[place + 3] = color.alpha
            }
        }
        return picture
    }

    static func drawn(
        _ picture: borrowing PixelBuffer, _ recipe: Recipe = recipe()
    ) throws -> Rendering {
        try Logos.render(try Logos.encoded(picture), recipe)
    }

    static func color(_ emblem: borrowing PixelBuffer, _ x: Int, _ y: Int) -> Color {
        let place = (y * emblem.width + x) * 4
        let pixels = emblem.pixels
        return Color(
            red: pixels[place], green: pixels[place + 1], blue: pixels[place + 2],
            alpha: pixels[place + 3])
    }

    static func distance(_ one: Color, _ other: Color) -> Int {
        max(
            abs(Int(one.red) - Int(other.red)), abs(Int(one.green) - Int(other.green)),
            abs(Int(one.blue) - Int(other.blue)), abs(Int(one.alpha) - Int(other.alpha)))
    }

    /// The frame of a square, which is neither a tile nor a disc.
    private static let frame: @Sendable (Int, Int) -> Color = { x, y in
        (40..<260).contains(x) && (40..<260).contains(y) ? .clear : Logos.blue
    }

    /// Stripes of full height, as a replacement for letters.
    private static func stripes(_ x: Int) -> Color { x % 40 < 28 ? Logos.blue : .clear }

    @Test("the plain look changes nothing, and every other look changes an option")
    func options() {
        let plain = Recipe(variants: [])
        for look in Look.allCases {
            var recipe = plain
            recipe.apply(look)
            #expect(recipe.look == look)
            recipe.look = plain.look
            #expect((recipe == plain) == (look == .plain), "\(look)")
        }
    }

    @Test("a mark and a disc keep a distance of 0.08 from the round outline")
    func inset() throws {
        let square = try Self.drawn(Self.picture(300, 300, Self.frame))
        #expect(square.decision?.kind == .mark && square.decision?.inset == 8)
        let disc = try Self.drawn(Logos.picture(300, 300, radius: 150))
        #expect(disc.decision?.kind == .disc)
        for rendering in [square, disc] {
            let ink = try #require(
                Logos.ink(try Logos.pixels(rendering.images.first), over: Logos.brand))
            #expect(ink.x >= 10 && ink.width >= 90 && ink.width <= 109, "\(ink)")
            #expect(abs(ink.x * 2 + ink.width - 128) <= 2 && ink.width == ink.height, "\(ink)")
        }
    }

    @Test("a name keeps its distance at the sides, with any transparent margin")
    func wordmark() throws {
        for margin in [0, 100] {
            let picture = Self.picture(308 + 2 * margin, 100 + 2 * margin) { x, y in
                (margin..<margin + 100).contains(y) && (margin..<margin + 308).contains(x)
                    ? Self.stripes(x - margin) : .clear
            }
            let rendering = try Self.drawn(picture)
            #expect(rendering.decision?.kind == .wordmark)
            #expect(rendering.decision?.trim ?? 0 == (margin == 0 ? 0 : 80))
            let ink = try #require(
                Logos.ink(try Logos.pixels(rendering.images.first), over: Logos.brand))
            #expect((9...12).contains(ink.x) && (104...110).contains(ink.width), "\(ink)")
            #expect(abs(ink.y * 2 + ink.height - 128) <= 2, "\(ink)")
        }
    }

    @Test("a name whose letters are drawn below eight pixels has the small-text lint")
    func smallText() throws {
        let name = Self.picture(1600, 80) { x, _ in Self.stripes(x) }
        #expect(try Self.drawn(name).lint.contains(.smallText))
        let short = Self.picture(308, 80) { x, _ in Self.stripes(x) }
        #expect(try !Self.drawn(short).lint.contains(.smallText))
    }

    @Test(
        "a background of one colour fills the emblem, and its mark keeps a distance",
        arguments: [
            Color.white, Color(red: 20, green: 90, blue: 60),
        ])
    func ownGround(ground: Color) throws {
        // A wide mark that touches both long sides.
        let mark = Color(red: 250, green: 160, blue: 20)
        let rendering = try Self.drawn(
            Self.picture(400, 200) { x, _ in (160..<240).contains(x) ? mark : ground })
        #expect(rendering.decision?.kind == .tile)
        #expect(rendering.decision?.grounds.first?.reason == .own)
        let emblem = try Logos.pixels(rendering.images.first)
        for (x, y) in [(64, 1), (64, 126), (1, 64), (126, 64)] {
            #expect(Self.distance(Self.color(emblem, x, y), ground) <= 2, "\(x) \(y)")
        }
        let found = Logos.ink(emblem, over: ground)
        let ink = try #require(found)
        #expect(ink.y >= 9 && ink.height >= 60 && ink.width < 64, "\(ink)")
        #expect(rendering.lint == [])
    }

    @Test("a smooth background is continued below the round corners of its tile")
    func gradient() throws {
        var tile = Self.picture(256, 256) { x, y in
            Color(red: 220, green: UInt8(60 + x / 3), blue: UInt8(40 + y / 3))
        }
        tile.mask(by: CornerMask(size: tile.size, radius: 80, style: .circular))
        let rendering = try Self.drawn(tile)
        #expect(rendering.decision?.kind == .tile)
        let emblem = try Logos.pixels(rendering.images.first)
        for (x, y) in [(10, 10), (117, 10), (10, 117), (117, 117)] {
            let wanted = Color(
                red: 220, green: UInt8(60 + x * 2 / 3), blue: UInt8(40 + y * 2 / 3))
            #expect(Self.distance(Self.color(emblem, x, y), wanted) <= 14, "\(x) \(y)")
        }
    }

    @Test("a frame around a background is cut off")
    func rim() throws {
        let green = Color(red: 30, green: 160, blue: 80)
        let rendering = try Self.drawn(
            Self.picture(300, 300) { x, y in
                if min(x, y, 299 - x, 299 - y) < 6 { return .black }
                return (110..<190).contains(x) && (110..<190).contains(y) ? .white : green
            })
        #expect(rendering.decision?.kind == .tile)
        let emblem = try Logos.pixels(rendering.images.first)
        for place in 0..<128 {
            #expect(Self.distance(Self.color(emblem, 64, place), .black) > 30, "\(place)")
        }
    }

    @Test("a faint layer behind a mark is removed with the margins")
    func faintLayer() throws {
        let rendering = try Self.drawn(
            Self.picture(200, 200) { x, y in
                // A plus sign of 80 by 80 pixels.
                let isMark =
                    (90..<110).contains(x) && (60..<140).contains(y)
                    || (60..<140).contains(x) && (90..<110).contains(y)
                return isMark ? Logos.blue : Color(red: 200, green: 200, blue: 200, alpha: 20)
            })
        #expect(rendering.decision?.trim == 84)
        let emblem = try Logos.pixels(rendering.images.first)
        #expect(Self.color(emblem, 30, 30) == Logos.brand)
    }

    /// A shape that begins in the middle and runs off the picture at the bottom, in a margin of this
    /// colour.
    private static func bust(_ margin: Color) -> PixelBuffer {
        picture(200, 200) { x, y in
            let (across, down) = (x - 100, y - 110)
            return y > 110
                ? abs(across) < 60 ? Logos.blue : margin
                : across * across + down * down < 3600 ? Logos.blue : margin
        }
    }

    @Test(
        "content that runs off one side of the picture touches that side of the emblem",
        arguments: [Color.clear, Color(red: 250, green: 240, blue: 220)])
    func cutSide(margin: Color) throws {
        let rendering = try Self.drawn(Self.bust(margin))
        #expect(rendering.decision?.cut == .bottom)
        let emblem = try Logos.pixels(rendering.images.first)
        let ground = margin == .clear ? Logos.brand : margin
        #expect(Self.distance(Self.color(emblem, 64, 127), Logos.blue) <= 2)
        for (x, y) in [(64, 5), (5, 64), (122, 64)] {
            #expect(Self.distance(Self.color(emblem, x, y), ground) <= 2, "\(x) \(y)")
        }
    }

    @Test("a stripe across the picture runs across the emblem")
    func stripe() throws {
        let rendering = try Self.drawn(
            Self.picture(200, 180) { _, y in (70..<110).contains(y) ? Logos.blue : .white })
        #expect(rendering.decision?.cut == [.left, .right])
        let emblem = try Logos.pixels(rendering.images.first)
        for x in [2, 64, 125] {
            #expect(Self.distance(Self.color(emblem, x, 64), Logos.blue) <= 40, "\(x)")
        }
    }

    @Test("a picture that is cropped to its content keeps the distance on every side")
    func cropped() throws {
        for width in [140, 200] {
            #expect(try Self.drawn(Self.picture(width, 200, Self.frame)).decision?.cut == [])
        }
        let disc = Self.picture(220, 210) { x, y in
            (x - 110) * (x - 110) + (y - 110) * (y - 110) < 10_000 ? Logos.blue : .clear
        }
        #expect(try Self.drawn(disc).decision?.cut == [])
    }

    @Test("a ground that would vanish on the page has a line inside its edge")
    func hairline() throws {
        for (ground, scheme) in [
            (Color.white, ColorScheme.light), (Color.black, ColorScheme.dark),
        ] {
            // A cross.
            let picture = Self.picture(300, 300) { x, y in
                let (x, y) = (abs(x - 150), abs(y - 150))
                return min(x, y) < 20 && max(x, y) < 50 ? Logos.bright : ground
            }
            let rendering = try Self.drawn(picture, Self.recipe(.logos, [.light, .dark]))
            let grounds = try #require(rendering.decision).grounds
            #expect(grounds.filter(\.hasHairline).map(\.scheme) == [scheme])
            for image in rendering.images {
                let emblem = try Logos.pixels(image)
                let isMarked = Self.distance(Self.color(emblem, 64, 0), ground) > 20
                #expect(isMarked == (image.variant.scheme == scheme))
                #expect(Self.color(emblem, 64, 1) == ground)
            }
        }
    }

    @Test("a picture with a busy edge fills the emblem")
    func photograph() throws {
        let rendering = try Self.drawn(
            Self.picture(300, 240) { x, y in
                Color(
                    red: UInt8(x * 7 % 251), green: UInt8(y * 11 % 241),
                    blue: UInt8((x * y) % 239))
            })
        #expect(rendering.decision?.kind == .photograph)
        let emblem = try Logos.pixels(rendering.images.first)
        #expect(Self.color(emblem, 64, 0).alpha == 255 && Self.color(emblem, 0, 64).alpha == 255)
        let found = Logos.ink(emblem, over: Logos.brand)
        #expect(found?.width ?? 0 > 120)
    }

    @Test("a dark mark keeps the light background, and gets a light background in the dark scheme")
    func ground() throws {
        let dark = Color(red: 20, green: 22, blue: 40)
        let rendering = try Self.drawn(
            Self.picture(300, 300) { Self.frame($0, $1) == .clear ? .clear : dark },
            Self.recipe(.logos, [.light, .dark]))
        let grounds = try #require(rendering.decision).grounds
        #expect(grounds.map(\.scheme) == [.light, .dark])
        #expect(grounds.map(\.reason) == [.shows, .showsMore])
        #expect(grounds.map(\.colors) == [.light, .light])
        #expect(grounds[1].shownBefore < 70 && grounds[1].shown == 100)
    }

    @Test("the decisions of a look depend on the picture and not on the requested emblems")
    func independent() throws {
        let picture = Self.picture(300, 300, Self.frame)
        let all = try Self.drawn(picture).decision
        for layout in EmblemLayout.allCases {
            var recipe = Recipe(variants: Logos.variants([layout], [1, 3]))
            recipe.apply(.logos)
            #expect(try Self.drawn(picture, recipe).decision == all)
        }
    }

    @Test(
        "a tiny picture is enlarged to 0.55 of the height, at most to 3.5 times its size",
        arguments: [(40, 78...82), (24, 68...72), (12, 40...44)])
    func tiny(side: Int, widths: ClosedRange<Int>) throws {
        let inner = side / 6..<side - side / 6
        let rendering = try Self.drawn(
            Self.picture(side, side) { x, y in
                inner.contains(x) && inner.contains(y) ? .clear : Logos.blue
            })
        let ink = try #require(
            Logos.ink(try Logos.pixels(rendering.images.first), over: Logos.brand))
        #expect(widths.contains(ink.width), "\(ink)")
        #expect(rendering.lint.contains(.tinySource))
    }
}
