import Artwork
import Codecs
import Raster
import Render
import Testing
import Theming
import Worker

@Suite("Messages between a pool and its worker")
struct WireTests {
    /// A recipe in which no value is a default.
    private static var recipe: Recipe {
        var recipe = Recipe(variants: [
            Variant(layout: .small, scale: 1.5, scheme: .dark),
            Variant(layout: .xLarge, scale: 4, scheme: .light),
        ])
        recipe.appearance = .category7
        recipe.mode = .fill
        recipe.gravity = .attention
        recipe.focus = FocusPoint(x: 0.25, y: 1)
        recipe.padding = .points(3.25)
        recipe.borderPoints = 1.5
        recipe.trim = .auto
        recipe.look = .icons
        recipe.background = .auto
        recipe.width = .auto
        recipe.corner = .continuous
        recipe.tint = .always
        recipe.upscale = false
        recipe.output = .same
        recipe.quality = .lossy(33)
        recipe.palette = true
        recipe.effort = .small
        recipe.limits = DecodeLimits(
            pixels: 1, progressivePixels: 2, edge: 3, profileBytes: 4, svgBytes: 5, jpegScans: 6)
        recipe.codecs = .system
        recipe.badge = BadgeMark(
            Badge(checked: "99+ 🦊", appearance: .warning), corner: .bottomLeft)
        recipe.placeholder = .picture(name: "logo.png", bytes: [9, 8, 7])
        return recipe
    }

    private static func fields(_ value: Any) -> [(name: String, text: String)] {
        Mirror(reflecting: value).children.map { ($0.label ?? "", "\($0.value)") }
    }

    private func travelled(_ recipe: Recipe) throws -> Recipe {
        var writer = WireWriter()
        writer.put(recipe)
        var reader = WireReader(writer.bytes)
        let result = try reader.recipe()
        try reader.finish()
        return result
    }

    @Test("every field of a recipe arrives in the worker")
    func recipes() throws {
        let plain = Self.fields(Recipe(variants: []))
        for (mine, other) in zip(Self.fields(Self.recipe), plain) {
            #expect(mine.text != other.text, "\(mine.name) needs a value of its own here")
        }
        for (mine, other) in zip(
            Self.fields(Self.recipe.limits), Self.fields(DecodeLimits()))
        {
            #expect(mine.text != other.text, "\(mine.name) needs a value of its own here")
        }
        #expect(try travelled(Self.recipe) == Self.recipe)
        #expect(try travelled(Recipe(variants: [])) == Recipe(variants: []))
    }

    @Test("every choice of output, quality and placeholder arrives in the worker")
    func choices() throws {
        var recipe = Self.recipe
        for output in OutputFormat.allCases.map({ OutputChoice.fixed($0) }) + [.same] {
            recipe.output = output
            #expect(try travelled(recipe) == recipe)
        }
        for quality in [nil, EncodeQuality.lossless, .lossy(1), .lossy(100)] {
            recipe.quality = quality
            #expect(try travelled(recipe) == recipe)
        }
        for placeholder in BuiltInIcon.allCases.map({ PlaceholderChoice.icon($0) })
            + [.none, .initials, .picture(name: "", bytes: [])]
        {
            recipe.placeholder = placeholder
            #expect(try travelled(recipe) == recipe)
        }
    }

    @Test("every field of a header arrives in the parent")
    func headers() throws {
        let picture = ImageHeader(
            format: .heic, codedSize: PixelSize(width: 321, height: 123), orientation: .left,
            hasAlpha: true, bitsPerChannel: 16, colorModel: .cmyk, hasProfile: true,
            profileName: "Display P3", isProgressive: true, isAnimated: true, decodingBytes: 77)
        let drawing = ImageHeader(
            format: .svg, codedSize: PixelSize(width: 2, height: 3))
        for header in [picture, drawing] {
            var writer = WireWriter()
            writer.put(header)
            var reader = WireReader(writer.bytes)
            let fields = Self.fields(try reader.header()).map(\.text)
            try reader.finish()
            #expect(fields == Self.fields(header).map(\.text))
        }
        let plain = ImageHeader(format: .jpeg, codedSize: PixelSize(width: 1, height: 1))
        let fields = zip(Self.fields(picture), Self.fields(drawing))
        for ((mine, drawn), other) in zip(fields, Self.fields(plain)) {
            #expect(
                mine.text != other.text || drawn.text != other.text,
                "\(mine.name) needs a value of its own here")
        }
    }

    @Test("a theme sent to a worker draws the same as in the parent")
    func themes() throws {
        let json = ##"{"theme": {"color": {"emblem": {"info": {"background": "#12345678"}}}}}"##
        let theme = try Theme.builtIn.layering(Array(json.utf8), name: "test").theme
        var writer = WireWriter()
        writer.put(theme)
        var reader = WireReader(writer.bytes)
        #expect(try reader.theme().digest == theme.digest)
        #expect(theme.digest != Theme.builtIn.digest)
    }

    @Test(
        "every error arrives over the wire between a pool and its worker",
        arguments: [
            RenderError.stopped, .encode("why"), .decode(.notImage), .decode(.unsupported("x")),
            .decode(.truncated), .decode(.corrupt("bad")), .decode(.limitPixels),
            .decode(.limitDecode("much")), .tooLarge(9, allowed: 8),
        ])
    func errors(error: RenderError) throws {
        var writer = WireWriter()
        writer.put(error)
        var reader = WireReader(writer.bytes)
        #expect(try reader.renderError() == error)
        try reader.finish()
    }

    @Test("a text longer than the receiver accepts is cut between characters")
    func longTexts() throws {
        var writer = WireWriter()
        writer.put(RenderError.encode(String(repeating: "ü", count: 5_000)))
        var reader = WireReader(writer.bytes)
        #expect(try reader.renderError() == .encode(String(repeating: "ü", count: 512)))
    }
}
