import Codecs
import Raster
import Render
import Testing
import Theming

@Suite("The lint of a logo")
struct LogoTests {
    @Test("low contrast with the background is reported for each scheme")
    func lowContrast() throws {
        let recipe = Recipe(variants: Logos.variants([.small, .large], [1], [.light, .dark]))
        for (color, expected) in [
            (Color.white, [PictureLint.lowContrast(.light)]),
            (Color(red: 30, green: 32, blue: 80), [.lowContrast(.dark)]),
            (Logos.bright, []), (Color(red: 140, green: 140, blue: 140), []),
        ] {
            let picture = Logos.picture(200, 200, color, radius: 100)
            #expect(try Logos.render(Logos.encoded(picture), recipe).lint == expected, "\(color)")
        }
        // A nearly transparent picture shows the ground, so its contrast is low.
        let faint = Logos.picture(
            200, 200, Color(red: 0, green: 0, blue: 0, alpha: 12), radius: 100)
        #expect(
            try Logos.render(Logos.encoded(faint), recipe).lint == [
                .lowContrast(.light), .lowContrast(.dark),
            ])
        let none = Logos.picture(200, 200, .clear)
        #expect(try Logos.render(Logos.encoded(none), recipe).lint == [.blank])
    }

    @Test("enlarging is reported for each layout and scale, in their order")
    func upscaled() throws {
        let recipe = Recipe(
            variants: Logos.variants([.small, .large], [1, 2], [.light, .dark]))
        let picture = try Logos.encoded(Logos.picture(64, 60, Logos.bright, radius: 30))
        #expect(
            try Logos.render(picture, recipe).lint.map(\.text) == [
                "upscaled:small@2", "upscaled:large@2",
            ])
        let drawing = Array(
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><circle r='9'/></svg>"
                .utf8)
        #expect(try Logos.render(drawing, recipe).lint == [])
        var small = recipe
        small.upscale = false
        #expect(
            try Logos.render(Logos.encoded(Logos.picture(20, 20, Logos.bright, radius: 10)), small)
                .lint.map(\.text)
                == ["upscaled:small@2", "upscaled:large@2", "tiny-source"])
    }

    @Test("a source with fewer pixels than any emblem, or than sixteen, is reported as tiny")
    func tiny() throws {
        for (side, isTiny) in [(39, true), (40, false)] {
            let lint = try Logos.render(
                Logos.encoded(Logos.picture(side, 10, radius: 5)),
                Recipe(variants: Logos.variants([.small, .xLarge]))
            ).lint
            #expect(lint.contains(.tinySource) == isTiny, "\(side)")
        }
    }

    @Test("an opaque background is reported where it shows as a box")
    func ownBackground() throws {
        let recipe = Recipe(variants: Logos.variants())
        let mark = PixelRect(x: 40, y: 40, width: 120, height: 20)
        func lint(_ picture: borrowing PixelBuffer, _ format: OutputFormat = .png) throws
            -> [PictureLint]
        {
            try Logos.render(Logos.encoded(picture, format), recipe).lint
        }
        #expect(
            try lint(Logos.picture(200, 100, ground: .white, mark: mark)) == [.opaqueBackground])
        #expect(
            try lint(Logos.picture(200, 100, ground: .white, mark: mark), .webp)
                == [.opaqueBackground])
        #expect(try lint(Logos.picture(200, 100, ground: .white, mark: mark), .jpeg) == [])
        #expect(try lint(Logos.picture(200, 100, ground: Logos.brand, mark: mark)) == [])
        #expect(try lint(Logos.picture(200, 100, mark: mark)) == [])
        let square = PixelRect(x: 40, y: 40, width: 20, height: 20)
        #expect(
            try lint(Logos.picture(100, 100, ground: .white, mark: square)) == [],
            "it covers the emblem")
        let aside = PixelRect(x: 0, y: 40, width: 120, height: 20)
        #expect(
            try lint(Logos.picture(200, 100, ground: .white, mark: aside)) == [],
            "its frame is of two colours")
    }

    @Test("lint texts are read back to the same lint, and other texts are refused")
    func texts() {
        let all: [PictureLint] = [
            .upscaled(layout: "xLarge", scale: 1.5), .lowContrast(.dark), .blank,
            .opaqueBackground, .tinySource, .smallText, .unsupportedFeature,
        ]
        #expect(all.map(\.kind) == PictureLint.Kind.allCases)
        for lint in all { #expect(PictureLint(text: lint.text) == lint) }
        for text in [
            "", "blank:", "upscaled", "upscaled:small", "upscaled:@1", "upscaled:small@0",
            "upscaled:small@inf", "low-contrast", "low-contrast:grey",
            "tiny", "Blank",
        ] {
            #expect(PictureLint(text: text) == nil, "\(text)")
        }
    }

    @Test("lint that a recipe cannot cause is refused")
    func isPossible() {
        let recipe = Recipe(variants: Logos.variants([.small], [2]))
        func could(_ lint: [PictureLint]) -> Bool { lint.isPossible(for: recipe) }
        #expect(could([.upscaled(layout: "small", scale: 2), .lowContrast(.light), .tinySource]))
        #expect(!could([.upscaled(layout: "small", scale: 1)]))
        #expect(!could([.upscaled(layout: "large", scale: 2)]))
        #expect(!could([.lowContrast(.dark)]))
        #expect(!could([.blank, .blank]) && !could([.tinySource, .blank]))
    }
}
