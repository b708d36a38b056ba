import Artwork
import Codecs
import Raster
import Render
import Testing
import Theming

@Suite("How a logo is fitted into its emblem")
struct FittingTests {
    @Test("a trimmed picture fills the emblem", arguments: [Color.clear, .white])
    func trimmed(ground: Color) throws {
        var recipe = Recipe(variants: Logos.variants([.large]))
        let picture = try Logos.encoded(
            Logos.picture(
                300, 200, ground: ground, mark: PixelRect(x: 150, y: 20, width: 100, height: 50)))
        let before = Logos.ink(
            try Logos.pixels(Logos.render(picture, recipe).images.first), over: Logos.brand)
        #expect(before?.width ?? 0 < 30)
        recipe.trim = .auto
        let after = Logos.ink(
            try Logos.pixels(Logos.render(picture, recipe).images.first), over: Logos.brand)
        #expect(after == PixelRect(x: 0, y: 16, width: 64, height: 32))
    }

    @Test("the cut margins of a drawing are as sharp as the rest of the drawing")
    func trimmedDrawing() throws {
        var recipe = Recipe(variants: Logos.variants([.large], [4]))
        recipe.trim = .auto
        let text =
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1000 1000'>"
            + "<path fill='#0a14c8' d='M700 100h100v50h-100z'/></svg>"
        let ink = try #require(
            Logos.ink(
                try Logos.pixels(Logos.render(Array(text.utf8), recipe).images.first),
                over: Logos.brand))
        // At each side, 1/500 of the drawing, enlarged ten times, may remain.
        #expect(ink.width >= 244 && ink.height >= 116 && ink.height <= 132, "\(ink)")
    }

    @Test(
        "a picture that is stored rotated is trimmed in its stored orientation",
        arguments: Orientation.allCases)
    func turned(orientation: Orientation) throws {
        var recipe = Recipe(variants: Logos.variants([.large]))
        recipe.trim = .auto
        func ink(_ picture: consuming PixelBuffer) throws -> PixelRect? {
            let rendering = try Logos.renderer.render(.raster(picture), recipe: recipe) { _ in }
            return Logos.ink(try Logos.pixels(rendering.images.first), over: Logos.brand)
        }
        let mark = PixelRect(x: 150, y: 20, width: 100, height: 50)
        var stored = Logos.picture(300, 200, mark: mark)
        stored.pendingOrientation = orientation
        let upright = Logos.picture(300, 200, mark: mark).oriented(by: orientation)
        #expect(try ink(stored) == ink(upright))
    }

    @Test("the look logos gives marks of all shapes the same area, as far as they fit")
    func optical() throws {
        var recipe = Recipe(variants: Logos.variants([.large], [2]))
        recipe.look = .logos
        for (width, height, radius, expected) in [
            (200, 200, 0.0, 94.9), (200, 200, 100, 107.1), (300, 100, 0, 128), (100, 300, 0, 42.7),
            (200, 160, 0, 106.1),
        ] {
            let picture = Logos.picture(width, height, radius: radius)
            let ink = try #require(
                Logos.ink(
                    try Logos.pixels(Logos.render(Logos.encoded(picture), recipe).images.first),
                    over: Logos.brand))
            #expect(
                abs(Double(ink.width) - expected) <= 2.5, "\(width)x\(height) r\(radius): \(ink)")
            #expect(ink.width <= 128 && ink.height <= 128)
        }
    }

    @Test(
        "safe padding cuts nothing off and is the smallest padding that does not",
        arguments: CornerStyle.allCases)
    func safe(corner: CornerStyle) throws {
        let artwork = EmblemArtwork()
        for (width, height, radius) in [
            (200, 200, 0.0), (200, 200, 100), (200, 200, 30), (200, 120, 0), (120, 200, 20),
        ] {
            for variant in Logos.variants([.small, .xLarge], [1, 3]) {
                var recipe = Recipe(variants: [variant])
                recipe.corner = corner
                recipe.borderPoints = 1
                recipe.padding = .safe
                var style = recipe.style(for: variant, in: .builtIn)
                let picture = Picture.raster(Logos.picture(width, height, radius: radius))
                let rendering = try Logos.renderer.render(
                    .raster(Logos.picture(width, height, radius: radius)), recipe: recipe
                ) { _ in }
                let drawn = try Logos.pixels(rendering.images.first)
                func emblem(_ pixels: Int) throws -> (bytes: [UInt8], isCut: Bool) {
                    style.safePixels = pixels
                    let fitted = try artwork.fit(picture, style)
                    let mask = artwork.masks.mask(
                        fitted.canvas, radius: style.radiusPoints * style.scale, style: corner,
                        inset: style.borderPoints * style.scale)
                    let isCut = mask.cuts(fitted.pixels, x: fitted.x, y: fitted.y)
                    let emblem = artwork.finish(fitted, style)
                    return (emblem.pixels.indices.map { emblem.pixels[$0] }, isCut)
                }
                let least = try (0..<60).first { try !emblem($0).isCut } ?? 60
                let shown = drawn.pixels.indices.map { drawn.pixels[$0] }
                let expected = try Logos.pixels(
                    RenderedImage(
                        variant: variant, format: .png, size: drawn.size,
                        bytes: try Logos.encoded(
                            Self.buffer(try emblem(least).bytes, drawn.size))))
                #expect(
                    shown == expected.pixels.indices.map { expected.pixels[$0] },
                    "\(width)x\(height) r\(radius) \(variant) at \(least)")
            }
        }
    }

    private static func buffer(_ bytes: [UInt8], _ size: PixelSize) -> PixelBuffer {
        var buffer = PixelBuffer(size: size)
        var pixels = buffer.mutablePixels
        for index in bytes.indices { pixels[index] = bytes[index] }
        return buffer
    }

    @Test(
        "padding in percent is measured on the height, and at least a quarter of the height remains"
    )
    func padding() {
        var recipe = Recipe(variants: Logos.variants([.small, .xLarge]))
        recipe.padding = .percent(10)
        #expect(recipe.style(for: recipe.variants[1], in: .builtIn).paddingPoints == 8)
        #expect(recipe.variantTooTight(in: .builtIn) == nil)
        recipe.padding = .percent(25)
        #expect(recipe.variantTooTight(in: .builtIn) == nil)
        recipe.borderPoints = 0.5
        #expect(recipe.variantTooTight(in: .builtIn)?.variant == recipe.variants[0])
        recipe.padding = .points(9.5)
        #expect(recipe.variantTooTight(in: .builtIn) == nil)
        recipe.borderPoints = 1
        #expect(recipe.variantTooTight(in: .builtIn)?.most == 10)
    }

    @Test("a picture gets a background that shows it, and the reason is recorded")
    func background() throws {
        var recipe = Recipe(variants: Logos.variants([.small, .large], [1], [.light, .dark]))
        recipe.background = .auto
        let white = try Logos.encoded(Logos.picture(200, 200, .white, radius: 100))
        let rendering = try Logos.render(white, recipe)
        #expect(rendering.lint == [])
        let grounds = try #require(rendering.decision?.grounds)
        #expect(grounds.map(\.scheme) == [.light, .dark])
        #expect(grounds.map(\.reason) == [.showsMore, .shows])
        #expect(grounds.map(\.colors) == [.dark, .dark])
        let deep = Theme.builtIn.emblemColors(grounds[0].appearance, .dark).background
        for image in rendering.images where image.variant.scheme == .light {
            let pixels = try Logos.pixels(image)
            let corner = (pixels.width * (pixels.width / 4) + 1) * 4
            // Resampling may change the edge of the disc by one level.
            for (channel, level) in [deep.red, deep.green, deep.blue].enumerated() {
                let shown = pixels.pixels[corner + channel]
                #expect(abs(Int(shown) - Int(level)) <= 2, "\(image.variant)")
            }
        }
        recipe.background = .appearance
        #expect(try Logos.render(white, recipe).decision == nil)
    }

    @Test(
        "a background colour is that of every scheme and look, below an image and an icon",
        arguments: Look.allCases)
    func backgroundColor(look: Look) throws {
        let color = Color(red: 12, green: 130, blue: 77)
        var recipe = Recipe(variants: Logos.variants([.large], [1], [.light, .dark]))
        recipe.apply(look)
        recipe.mode = .fit
        recipe.background = .color(color)
        let mark = try Logos.encoded(Logos.picture(200, 100, .white, radius: 50))
        let icon = try Logos.renderer.icon(.wallet, recipe: recipe) { _ in }
        for image in try Logos.render(mark, recipe).images + icon.images {
            let pixels = try Logos.pixels(image)
            let edge = (pixels.width * 2 + pixels.width / 2) * 4
            #expect((0..<3).map { pixels.pixels[edge + $0] } == [12, 130, 77], "\(image.variant)")
        }
    }

    @Test("a border is visible in every colour of the theme, and the picture begins inside it")
    func border() throws {
        for appearance in EmblemAppearance.allCases {
            for scheme in ColorScheme.allCases {
                var recipe = Recipe(variants: Logos.variants([.small], [2], [scheme]))
                recipe.appearance = appearance
                recipe.borderPoints = 2
                let style = recipe.style(for: recipe.variants[0], in: .builtIn)
                #expect(
                    style.borderColor.contrast(against: style.colors.background) >= 1.5,
                    "\(appearance) \(scheme)")
                #expect(style.inset == 4)
                let emblem = try Logos.pixels(
                    Logos.render(Logos.encoded(Logos.picture(90, 90)), recipe).images.first)
                for (x, color) in [(3, style.borderColor), (4, Logos.blue)] {
                    let start = (40 * emblem.width + x) * 4
                    #expect(
                        Color(
                            red: emblem.pixels[start], green: emblem.pixels[start + 1],
                            blue: emblem.pixels[start + 2]) == color)
                }
            }
        }
    }
}
