import Artwork
import Codecs
import Gauge
import Raster
import Render
import Testing
import Theming

@Suite("Rendering bytes to emblems")
struct RenderTests {
    private let renderer = Renderer(theme: .builtIn, artwork: EmblemArtwork())

    private static func picture(_ width: Int, _ height: Int) throws -> [UInt8] {
        var buffer = PixelBuffer(size: PixelSize(width: width, height: height))
        buffer.fill(Color(red: 20, green: 120, blue: 220))
        return try ImageEncoder.encode(buffer, EncodeSettings(format: .png))
    }

    private static func variants(_ scales: [Double] = [1, 2]) -> [Variant] {
        EmblemLayout.allCases.flatMap { layout in
            scales.map { Variant(layout: layout, scale: $0, scheme: .light) }
        }
    }

    private func render(
        _ bytes: [UInt8], _ recipe: Recipe, observer: Renderer.StageObserver = { _ in }
    ) throws -> Rendering {
        let header = try ImageDecoder.header(of: bytes.span, limits: .headerOnly)
        let request = renderer.request(for: header, recipe: recipe, workingBytes: 64 << 20)
        return try renderer.render(
            bytes.span, header: header, request: request, recipe: recipe, observer: observer)
    }

    @Test("rendered images come in the order of the variants, each at its own size")
    func orderAndSizes() throws {
        let recipe = Recipe(variants: Self.variants())
        let rendering = try render(Self.picture(100, 100), recipe)
        #expect(rendering.images.map(\.variant) == recipe.variants)
        for image in rendering.images {
            let side = Int(Theme.builtIn.height(of: image.variant.layout) * image.variant.scale)
            #expect(image.size == PixelSize(width: side, height: side))
            let header = try ImageDecoder.header(of: image.bytes.span, limits: DecodeLimits())
            #expect(header.size == image.size)
        }
    }

    @Test("equal heights and both schemes share the scaled picture and equal single renderings")
    func scaledOnce() throws {
        var buffer = PixelBuffer(size: PixelSize(width: 170, height: 120))
        var pixels = buffer.mutablePixels
        for index in 0..<pixels.count {
            pixels[index] = index & 3 == 3 ? 255 : UInt8(truncatingIfNeeded: index * index / 7)
        }
        let bytes = try ImageEncoder.encode(buffer, EncodeSettings(format: .png))
        let variants = [1, 2, 3.0].flatMap { scale in
            EmblemLayout.allCases.flatMap { layout in
                [ColorScheme.light, .dark].map {
                    Variant(layout: layout, scale: scale, scheme: $0)
                }
            }
        }
        for mode in [ContentMode.fit, .fill] {
            var recipe = Recipe(variants: variants)
            recipe.mode = mode
            for image in try render(bytes, recipe).images {
                recipe.variants = [image.variant]
                #expect(try render(bytes, recipe).images.first?.bytes == image.bytes)
            }
        }
    }

    @Test("a rendering decodes once, then resizes, composes and encodes for each variant")
    func stagesAreInOrder() throws {
        var stages: [RunStage] = []
        let variants = Self.variants([1])
        _ = try render(Self.picture(50, 50), Recipe(variants: variants)) { stages.append($0) }
        let each: [RunStage] = [.resize, .compose, .encode]
        #expect(stages == [.decode] + variants.flatMap { _ in each })
    }

    @Test("formats of one variant share its pixels, and equal pixels of two sizes are encoded once")
    func encodesAreShared() throws {
        let bytes = try Self.picture(300, 200)
        let formats: [OutputFormat] = [.png, .webp]
        let scales = [1, 1.5, 2, 3, 4.0]
        let variants = Self.variants(scales).flatMap { variant in
            formats.map { format in
                var variant = variant
                variant.format = format
                return variant
            }
        }
        var counts: [RunStage: Int] = [:]
        let rendering = try render(bytes, Recipe(variants: variants)) {
            counts[$0, default: 0] += 1
        }
        // There are 20 sizes, but medium at 2 and 4 equals large at 1.5 and 3.
        #expect(counts[.compose] == 20 && counts[.encode] == 18 * 2)
        #expect(rendering.images.map(\.variant) == variants)
        for image in rendering.images {
            var recipe = Recipe(variants: [image.variant])
            recipe.output = .fixed(image.variant.format ?? .png)
            recipe.variants[0].format = nil
            #expect(try render(bytes, recipe).images.first?.bytes == image.bytes)
            #expect(image.format == image.variant.format)
        }
    }

    @Test("sizes of a recipe with a badge share no pixels, because the badge is measured in points")
    func badgesAreNotShared() throws {
        var recipe = Recipe(
            variants: [
                Variant(layout: .medium, scale: 2, scheme: .light),
                Variant(layout: .large, scale: 1.5, scheme: .light),
            ])
        recipe.badge = try BadgeMark(argument: "3:danger")
        let rendering = try render(Self.picture(200, 200), recipe)
        #expect(rendering.images[0].bytes != rendering.images[1].bytes)
    }

    @Test("the observer can stop a rendering at any step", arguments: 0..<5)
    func observerStops(after count: Int) throws {
        var seen = 0
        #expect(throws: RenderError.stopped) {
            _ = try render(Self.picture(50, 50), Recipe(variants: Self.variants([1]))) {
                _ throws(RenderError) in
                guard seen < count else { throw .stopped }
                seen += 1
            }
        }
        #expect(seen == count)
    }

    @Test("a drawing is loaded once for its header and its emblems, and is drawn the same")
    func openedDrawing() throws {
        let plain =
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 4'>"
            + "<rect width='5' height='3' fill='#27c'/></svg>"
        let recipe = Recipe(variants: Self.variants())
        let bytes = Array(plain.utf8)
        let (header, drawing) = try ImageDecoder.open(bytes.span, limits: recipe.limits)
        let opened = try #require(drawing)
        let other = Array("no picture".utf8)
        let request = renderer.request(for: header, recipe: recipe, workingBytes: 64 << 20)
        // A drawing that is already loaded is not read again.
        let kept = try renderer.render(
            other.span, header: header, opened: opened, request: request,
            recipe: recipe
        ) { _ in }
        #expect(try kept.images.map(\.bytes) == render(bytes, recipe).images.map(\.bytes))
        // The drawing can be taken only once.
        #expect(throws: RenderError.self) {
            try renderer.render(
                other.span, header: header, opened: opened,
                request: request, recipe: recipe
            ) { _ in }
        }
        let png = try Self.picture(4, 4)
        #expect(try ImageDecoder.open(png.span, limits: recipe.limits).drawing == nil)
    }

    @Test("a header is read even if the limits refuse the picture")
    func limits() throws {
        let bytes = try Self.picture(100, 100)
        var recipe = Recipe(variants: Self.variants([1]))
        recipe.limits.pixels = 9_999
        let header = try ImageDecoder.header(of: bytes.span, limits: .headerOnly)
        #expect(header.size == PixelSize(width: 100, height: 100))
        #expect(throws: DecodeError.limitPixels) { try header.check(recipe.limits) }
    }

    @Test(
        "the format 'same' is the format of the source if it can be written",
        arguments: [
            (ImageFormat.jpeg, OutputFormat.jpeg), (.png, .png), (.webp, .webp), (.avif, .avif),
            (.gif, .png), (.svg, .png), (.heic, .png), (.bmp, .png), (.ico, .png),
        ])
    func sameFormat(source: ImageFormat, output: OutputFormat) {
        #expect(OutputChoice.same.format(for: source) == output)
        #expect(OutputChoice.fixed(.webp).format(for: source) == .webp)
        #expect(OutputChoice.same.format(for: nil) == .png)
    }

    @Test("JPEG corners show the surface colour of the theme", arguments: ColorScheme.allCases)
    func jpegCorners(scheme: ColorScheme) throws {
        var recipe = Recipe(variants: [Variant(layout: .xLarge, scale: 2, scheme: scheme)])
        recipe.output = .fixed(.jpeg)
        recipe.quality = .lossy(100)
        let image = try #require(try render(Self.picture(80, 80), recipe).images.first)
        let header = try ImageDecoder.header(of: image.bytes.span, limits: DecodeLimits())
        let picture = try ImageDecoder.decode(
            image.bytes.span, header: header, request: DecodeRequest())
        guard case .raster(let pixels) = consume picture else {
            Issue.record("a JPEG is not made of pixels")
            return
        }
        let wanted = try #require(
            Theme.builtIn.color("theme.color.background.surface", scheme))
        let corner = pixels.pixels
        #expect(abs(Int(corner[0]) - Int(wanted.red)) <= 6)
        #expect(abs(Int(corner[1]) - Int(wanted.green)) <= 6)
        #expect(abs(Int(corner[2]) - Int(wanted.blue)) <= 6)
    }
}
