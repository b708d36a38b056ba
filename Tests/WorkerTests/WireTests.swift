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
        // Another order draws the placeholder.
        recipe.placeholder = .none
        return recipe
    }

    private static func fields(_ value: Any) -> [(name: String, text: String)] {
        Mirror(reflecting: value).children.map { ($0.label ?? "", "\($0.value)") }
    }

    private func travelled(_ recipe: Recipe) throws -> Recipe {
        let bytes = Wire.bytes(of: recipe) { try $0.code(&$1) }
        return try Wire.read(bytes, into: Recipe(variants: [])) { try $0.code(&$1) }
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
    }

    @Test("every choice of output and quality arrives in the worker")
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
            let bytes = Wire.bytes(of: header) { try $0.code(&$1) }
            let least = ImageHeader(format: .png, codedSize: PixelSize(width: 1, height: 1))
            let read = try Wire.read(bytes, into: least) { try $0.code(&$1) }
            let fields = Self.fields(read).map(\.text)
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
        let bytes = Wire.bytes(of: theme) { try $0.code(&$1) }
        #expect(try Theme(wire: bytes).digest == theme.digest)
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
        let bytes = Wire.bytes(of: error) { try $0.code(&$1) }
        #expect(try Wire.read(bytes, into: .stopped) { try $0.code(&$1) } == error)
    }

    @Test("a text longer than the receiver accepts is cut between characters")
    func longTexts() throws {
        let long = RenderError.encode(String(repeating: "ü", count: 5_000))
        let bytes = Wire.bytes(of: long) { try $0.code(&$1) }
        let read = try Wire.read(bytes, into: RenderError.stopped) { try $0.code(&$1) }
        #expect(read == .encode(String(repeating: "ü", count: 512)))
    }
}
