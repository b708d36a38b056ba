import EmblemKit
import Testing

@Suite("Looks of the library")
struct EmblemLookTests {
    @Test("the look for logos fills an emblem and a batch with the background of the picture")
    func ownGround() async throws {
        let source = ImageSource.captured(image: try TestPictures.image())
        var emblem = AsyncEmblem(source: source)
        let plain = try await emblem.render().image
        emblem.look = .logos
        let filled = try await emblem.render().image
        #expect(try TestPictures.pixel(24, 1, of: plain) != [200, 30, 40, 255])
        #expect(try TestPictures.pixel(24, 1, of: filled) == [200, 30, 40, 255])
        var batch = EmblemBatch([source])
        batch.look = .logos
        for await outcome in batch {
            let image = try #require(outcome.emblems.first).image
            #expect(try image.pngData() == filled.pngData())
        }
    }

    @Test("a content mode that is not the default overrides the look")
    func override() async throws {
        var emblem = AsyncEmblem(source: .captured(image: try TestPictures.image(60, 20)))
        emblem.look = .photos
        let filled = try await emblem.render().image
        emblem.look = .plain
        emblem.contentMode = .fill
        #expect(try await emblem.render().image.pngData() == filled.pngData())
    }

    @Test("a drawing follows the content mode, padding and tint of a look without a pixel analysis")
    func drawings() async throws {
        let svg =
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 60 20'>"
            + "<rect width='60' height='20' fill='#c81e28'/></svg>"
        let source = ImageSource.captured(image: try await Image(data: Array(svg.utf8)))
        var emblem = AsyncEmblem(source: source)
        let plain = try await emblem.svg()
        emblem.look = .photos
        let filled = try await emblem.svg()
        #expect(filled != plain)
        emblem.look = .plain
        emblem.contentMode = .fill
        #expect(try await emblem.svg() == filled)
        emblem.contentMode = .fit
        emblem.look = .icons
        let icon = try await emblem.svg()
        #expect(icon.contains("mask-type") && !plain.contains("mask-type"))
        emblem.look = .logos
        #expect(try await emblem.svg() == plain)
    }
}
