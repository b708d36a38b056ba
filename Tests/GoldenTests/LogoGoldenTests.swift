import Artwork
import Codecs
import Raster
import Render
import Testing
import Theming

@Suite("Golden pictures of the look for logos")
struct LogoGoldenTests {
    private let renderer = Renderer(theme: .builtIn, artwork: EmblemArtwork())

    private static func decoded(_ bytes: [UInt8]) throws -> Picture {
        let header = try ImageDecoder.header(of: bytes.span, limits: DecodeLimits())
        return try ImageDecoder.decode(bytes.span, header: header, request: DecodeRequest())
    }

    /// Returns the bytes of a logo: a drawing, or its pixels as a PNG.
    private static func source(_ logo: DrawnLogo, _ kind: DrawnLogo.Kind) throws -> [UInt8] {
        let svg = [UInt8](logo.svg.utf8)
        guard kind != .mark, kind != .wordmark else { return svg }
        let scale = kind == .small ? 0.28 : 1
        switch try decoded(svg) {
        case .raster: throw DecodeError.notImage
        case .vector(let drawing):
            let pixels = try drawing.render(
                at: PixelSize(
                    width: Int(Double(logo.width) * scale), height: Int(Double(logo.height) * scale)
                ))
            return try ImageEncoder.encode(pixels, EncodeSettings(format: .png))
        }
    }

    private static func expected(_ kind: DrawnLogo.Kind) -> [LogoKind] {
        switch kind {
        case .mark, .raster, .white, .dark, .small: [.mark, .disc]
        case .wordmark: [.wordmark]
        case .disc: [.disc]
        case .tile, .whiteBox, .gradient: [.tile]
        }
    }

    /// Returns the expected reasons for the chosen background, in the light and in the dark scheme.
    private static func reasons(
        _ kind: DrawnLogo.Kind
    ) -> [ColorScheme: LogoDecision.Ground.Reason]? {
        switch kind {
        case .tile, .whiteBox, .gradient: [.light: .own, .dark: .own]
        case .white: [.light: .showsMore, .dark: .shows]
        case .dark: [.light: .shows, .dark: .showsMore]
        case .mark, .raster, .wordmark, .disc, .small: nil
        }
    }

    @Test("ten logos of each kind match, light and dark", arguments: DrawnLogo.Kind.allCases)
    func kinds(kind: DrawnLogo.Kind) throws {
        let schemes = ColorScheme.allCases
        var recipe = Recipe(
            variants: schemes.map { Variant(layout: .large, scale: 1, scheme: $0) })
        recipe.apply(.logos)
        var sheet = Sheet(
            columns: 10, rows: 2, cell: 72, page: Color(red: 128, green: 128, blue: 132))
        var emblems = schemes.map { _ in [[UInt8]]() }
        for number in 0..<10 {
            let logo = DrawnLogo(kind, number: number)
            let bytes = try Self.source(logo, kind)
            let header = try ImageDecoder.header(of: bytes.span, limits: .headerOnly)
            let request = renderer.request(for: header, recipe: recipe, workingBytes: 256 << 20)
            let rendering = try renderer.render(
                bytes.span, header: header, request: request, recipe: recipe
            ) { _ in }
            let decision = try #require(rendering.decision)
            #expect(
                Self.expected(kind).contains(decision.kind), "\(kind) \(number): \(decision.kind)")
            for ground in decision.grounds {
                let reason = Self.reasons(kind)?[ground.scheme]
                #expect(reason == nil || ground.reason == reason, "\(kind) \(number): \(ground)")
                #expect(ground.shown >= 70, "\(kind) \(number): \(ground)")
            }
            for (index, image) in rendering.images.enumerated() {
                emblems[index].append(image.bytes)
            }
        }
        for bytes in emblems.joined() {
            switch try Self.decoded(bytes) {
            case .raster(let pixels): sheet.add(pixels)
            case .vector: throw DecodeError.notImage
            }
        }
        try Golden.check(sheet.finished(), "logos-\(kind.rawValue)")
    }

    @Test("the look for photographs changes only the crop")
    func photographs() throws {
        let variants = [Variant(layout: .large, scale: 2, scheme: .light)]
        var worn = Recipe(variants: variants)
        worn.apply(.photos)
        var filled = Recipe(variants: variants)
        filled.mode = .fill
        filled.look = .photos
        #expect(worn == filled)
    }
}
