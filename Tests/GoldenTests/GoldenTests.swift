import Artwork
import Codecs
import Foundation
import Raster
import Render
import Testing
import Theming

@Suite("Golden pictures")
struct GoldenTests {
    private let renderer: Renderer

    init() {
        renderer = Renderer(theme: .builtIn, artwork: EmblemArtwork())
    }

    private static let sample = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Datasets/samples/photos/valley.jpg")

    private static func variant(
        _ layout: EmblemLayout = .xLarge, scale: Double = 1, scheme: ColorScheme = .light
    ) -> Variant {
        Variant(layout: layout, scale: scale, scheme: scheme)
    }

    private static func pixels(of rendering: Rendering) throws -> PixelBuffer {
        let image = try #require(rendering.images.first)
        let header = try ImageDecoder.header(of: image.bytes.span, limits: DecodeLimits())
        switch try ImageDecoder.decode(image.bytes.span, header: header, request: DecodeRequest()) {
        case .raster(let pixels): return pixels
        case .vector: throw DecodeError.notImage
        }
    }

    @Test("the built-in icons match, small and large")
    func icons() throws {
        let icons = BuiltInIcon.allCases
        for (name, layout, scale, cell) in [
            ("icons-40", EmblemLayout.small, 1.0, 48), ("icons-240", .xLarge, 3.0, 256),
        ] {
            var sheet = Sheet(columns: 7, rows: (icons.count + 6) / 7, cell: cell)
            for icon in icons {
                let recipe = Recipe(variants: [Self.variant(layout, scale: scale)])
                sheet.add(
                    try Self.pixels(of: renderer.icon(icon, recipe: recipe) { _ in }))
            }
            try Golden.check(sheet.finished(), name)
        }
    }

    @Test("every appearance matches, light and dark", arguments: ColorScheme.allCases)
    func appearances(scheme: ColorScheme) throws {
        let page = scheme == .dark ? Color(red: 18, green: 18, blue: 22) : .white
        var sheet = Sheet(columns: 5, rows: 3, cell: 96, page: page)
        for appearance in EmblemAppearance.allCases {
            var recipe = Recipe(variants: [Self.variant(scheme: scheme)])
            recipe.appearance = appearance
            recipe.borderPoints = 1
            sheet.add(
                try Self.pixels(
                    of: renderer.icon(.accountBalance, recipe: recipe) { _ in }))
        }
        try Golden.check(sheet.finished(), "appearances-\(scheme.rawValue)")
    }

    @Test("initials of several scripts match")
    func initials() throws {
        let texts = ["JD", "WW", "Il", "Я", "ÅÖ", "Q", "jg", "Ω"]
        var sheet = Sheet(columns: 4, rows: 2, cell: 176)
        for text in texts {
            let recipe = Recipe(variants: [Self.variant(scale: 2)])
            sheet.add(
                try Self.pixels(
                    of: renderer.initials(
                        try #require(Initials(text)), recipe: recipe
                    ) { _ in }))
        }
        try Golden.check(sheet.finished(), "initials")
    }

    @Test("pictures match in every composition mode")
    func compositions() throws {
        var sheet = Sheet(columns: 4, rows: 2, cell: 340)
        for change in Self.manners {
            var recipe = Recipe(variants: [Self.variant(scale: 1)])
            change(&recipe)
            let bytes = [UInt8](try Data(contentsOf: Self.sample))
            let header = try ImageDecoder.header(of: bytes.span, limits: .headerOnly)
            let request = renderer.request(for: header, recipe: recipe, workingBytes: 256 << 20)
            let rendering = try renderer.render(
                bytes.span, header: header, request: request, recipe: recipe
            ) { _ in }
            sheet.add(try Self.pixels(of: rendering))
        }
        try Golden.check(sheet.finished(), "compositions")
    }

    private static let manners: [@Sendable (inout Recipe) -> Void] = [
        { _ in },
        { $0.mode = .fill },
        { $0.padding = .points(8) },
        { $0.borderPoints = 2 },
        { $0.corner = .continuous },
        { $0.width = .auto },
        { $0.output = .fixed(.jpeg) },
    ]
}
