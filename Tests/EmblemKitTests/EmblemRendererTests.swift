import Codecs
import EmblemKit
import Raster
import Testing
import Theming

@Suite("The renderer of the library")
struct EmblemRendererTests {
    private static func picture() throws -> [UInt8] {
        var buffer = PixelBuffer(size: PixelSize(width: 120, height: 60))
        buffer.fill(Color(red: 200, green: 30, blue: 40))
        return try ImageEncoder.encode(buffer, EncodeSettings(format: .png))
    }

    @Test("an emblem is a square with the height of its layout", arguments: Emblem.Layout.allCases)
    func sizes(layout: Emblem.Layout) throws {
        let png = try EmblemRenderer().emblem(from: Self.picture(), layout: layout, scale: 2)
        let header = try ImageDecoder.header(of: png.span, limits: DecodeLimits())
        let side =
            [40, 48, 64, 80][try #require(Emblem.Layout.allCases.firstIndex(of: layout))] * 2
        #expect(header.size == PixelSize(width: side, height: side))
        #expect(header.hasAlpha)
    }

    @Test("every appearance of the theme has a name in the library")
    func names() {
        #expect(
            Emblem.Appearance.allCases.map(\.rawValue) == EmblemAppearance.allCases.map(\.rawValue))
        #expect(Emblem.Layout.allCases.map(\.rawValue) == EmblemLayout.allCases.map(\.rawValue))
        let picture = Result { try Self.picture() }
        let pictures = Set(
            Emblem.Appearance.allCases.map { appearance in
                picture.flatMap { bytes in
                    Result { try EmblemRenderer().emblem(from: bytes, appearance: appearance) }
                }.map { $0.hashValue }.mapError { _ in EmblemError.missingURL }
            })
        #expect(pictures.count == Emblem.Appearance.allCases.count)
    }

    @Test("bytes that are not an image and invalid tokens are errors with messages")
    func errors() throws {
        #expect(throws: EmblemError.self) {
            try EmblemRenderer().emblem(from: Array("no picture".utf8))
        }
        #expect(throws: EmblemError.self) {
            try EmblemRenderer(theme: Array("{".utf8))
        }
    }

    @Test("a custom theme changes the background")
    func ownTheme() throws {
        let theme = """
            {"theme": {"color": {"emblem": {"brand": {"background": "#FF0000"}}}}}
            """
        let red = try EmblemRenderer(theme: Array(theme.utf8)).emblem(from: Self.picture())
        #expect(try red != EmblemRenderer().emblem(from: Self.picture()))
    }
}
