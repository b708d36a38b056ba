import Artwork
import Codecs
import EmblemKit
import FoundationEssentials
import Raster
import Render
import Testing
import Theming

@Suite("An image that can be shared")
struct ImageTests {
    @Test("an image made from bytes knows its size and returns PNG and WebP of that size")
    func fromBytes() async throws {
        let image = try Image(blockingData: Data(TestPictures.png(60, 40)))
        #expect(image.width == 60 && image.height == 40)
        let png = try TestPictures.header(of: image.pngData())
        let webp = try TestPictures.header(of: await image.data(as: .webp))
        let lossless = try TestPictures.header(
            of: await image.data(as: .webp, quality: .lossless))
        #expect(png.format == .png && webp.format == .webp && lossless.format == .webp)
        #expect([png, webp, lossless].allSatisfy { $0.size == PixelSize(width: 60, height: 40) })
    }

    @Test(
        "an image made from bytes that cannot be decoded is an error that states the reason",
        arguments: try [
            [], Array("no picture".utf8), TestPictures.truncated(),
            Array(TestPictures.png().prefix(20)), Array("<svg".utf8),
        ])
    func damaged(bytes: [UInt8]) throws {
        let error = try #require(throws: EmblemError.self) { try Image(blockingData: bytes) }
        guard case .failedToDecode(let cause) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(!cause.reason.isEmpty && !cause.isRetryable)
    }

    @Test("straight and premultiplied pixels make the same image")
    func pixels() throws {
        let straight: [UInt8] = [255, 0, 0, 128, 0, 255, 0, 255, 9, 9, 9, 0]
        let ready: [UInt8] = [128, 0, 0, 128, 0, 255, 0, 255, 0, 0, 0, 0]
        let one = try Image(width: 3, height: 1, rgba: straight)
        let other = try Image(width: 3, height: 1, rgba: ready, isPremultiplied: true)
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(try one.pngData() == other.pngData())
        // A premultiplied colour cannot exceed its alpha, so it is reduced to it.
        let bright = try Image(
            width: 1, height: 1, rgba: [255, 255, 0, 10], isPremultiplied: true)
        let cut = try Image(width: 1, height: 1, rgba: [10, 10, 0, 10], isPremultiplied: true)
        #expect(bright == cut && one != cut)
    }

    @Test(
        "an emblem of pixels equals the emblem of a file with these pixels",
        arguments: EmblemKit.ContentMode.allCases)
    func pixelsAsFile(mode: EmblemKit.ContentMode) async throws {
        let rgba = (0..<(50 * 30 * 4)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let pixels = try Image(width: 50, height: 30, rgba: rgba)
        let file = try Image(blockingData: pixels.pngData())
        var drawn: [EmblemKit.Image] = []
        for image in [pixels, file] {
            let emblem = AsyncEmblem(source: .image(image), layout: .large, contentMode: mode)
            drawn.append(try await emblem.render(scale: 2).image)
        }
        #expect(drawn[0] == drawn[1] && drawn[0].width == 128 && drawn[0].height == 128)
    }

    @Test("the WebP of an emblem equals the WebP of the tool")
    func webp() async throws {
        let bytes = try TestPictures.png(90, 70)
        let emblem = try await AsyncEmblem(source: .data(Data(bytes)), layout: .xLarge).render()
        var recipe = Recipe(variants: [Variant(layout: .xLarge, scale: 1, scheme: .light)])
        recipe.output = .fixed(.webp)
        let renderer = Renderer(theme: .builtIn, artwork: EmblemArtwork())
        let header = try ImageDecoder.header(of: bytes.span, limits: .headerOnly)
        let request = renderer.request(for: header, recipe: recipe, workingBytes: 1 << 26)
        let drawn = try renderer.render(
            bytes.span, header: header, request: request, recipe: recipe
        ) { _ in }
        #expect(try await Array(emblem.image.data(as: .webp)) == drawn.images.first?.bytes)
    }

    @Test("an image is written as JPEG over white, and as AVIF with or without loss")
    func formats() async throws {
        let rgba = (0..<(16 * 16 * 4)).map { UInt8($0 % 4 == 3 ? 0 : 90) }
        let clear = try Image(width: 16, height: 16, rgba: rgba)
        let plain = try await clear.data(as: .jpeg)
        #expect(plain.starts(with: [0xFF, 0xD8]))
        let over = try TestPictures.pixel(8, 8, of: Image(blockingData: plain))
        #expect(over.allSatisfy { $0 > 250 })
        let picture = try TestPictures.image(64, 64)
        let noise = try Image(
            width: 64, height: 64,
            rgba: (0..<(64 * 64 * 4)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 5) | 3 })
        let coarse = try await noise.data(as: .jpeg, quality: .lossy(20))
        #expect(try await coarse.count < noise.data(as: .jpeg, quality: .lossy(95)).count)
        await #expect(throws: EmblemError.self) {
            try await noise.data(as: .jpeg, quality: .lossless)
        }
        let small = try await noise.data(as: .avif, quality: .lossy(10))
        let large = try await noise.data(as: .avif, quality: .lossless)
        #expect(small.count < large.count && small[4..<12] == Data("ftypavif".utf8))
        let back = try await Image(data: picture.data(as: .avif))
        #expect(back.width == 64 && back.height == 64)
    }

    @Test(
        "an unchecked image has no size, equals the checked one, and is drawn the same")
    func unchecked() async throws {
        let bytes = try TestPictures.png(60, 40)
        let checked = try await Image(data: bytes)
        let encoded = Image(encoded: bytes)
        #expect(encoded.width == 0 && encoded == checked)
        #expect(Set([encoded, checked]).count == 1)
        let drawn = try await AsyncEmblem(source: .captured(image: encoded)).render()
        #expect(
            try await drawn.image == AsyncEmblem(source: .captured(image: checked)).render().image)
        #expect(try TestPictures.header(of: encoded.pngData()).size.width == 60)
        let half = Image(encoded: try TestPictures.truncated())
        #expect(try await AsyncEmblem(source: .captured(image: half)).render().isPlaceholder)
    }
}
