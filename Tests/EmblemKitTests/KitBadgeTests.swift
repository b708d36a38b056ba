import EmblemKit
import FoundationEssentials
import Testing

@Suite("A badge")
struct KitBadgeTests {
    @Test(
        "a badge without a visible character fails with an error that says what to do",
        arguments: ["", " \n", "\u{200B}"])
    func empty(text: String) throws {
        let badge = Badge(text: text, appearance: .danger)
        for error in [
            #expect(throws: EmblemError.self) { try badge.render() },
            #expect(throws: EmblemError.self) { try badge.svg() },
        ] {
            guard case .failedToDraw(let reason) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.contains("give it a text"))
        }
    }

    @Test(
        "a badge covers the chosen corner of an emblem or avatar",
        arguments: Badge.Corner.allCases
    )
    func corners(corner: Badge.Corner) async throws {
        let red = try #require(Theme.builtIn.colors["badge.danger.background"]?.light)
        let badge = Badge(text: "1", appearance: .danger)
        var emblem = AsyncEmblem(source: .icon(.wallet), layout: .xLarge)
        (emblem.badge, emblem.badgeCorner) = (badge, corner)
        var avatar = Avatar(layout: .large)
        (avatar.badge, avatar.badgeCorner) = (badge, corner)
        let images = [try await emblem.render().image, try await avatar.render().image]
        let x = corner == .topLeft || corner == .bottomLeft ? 3 : 76
        let y = corner == .topLeft || corner == .topRight ? 10 : 69
        for image in images {
            #expect(image.width == 80 && image.height == 80)
            let pixel = try TestPictures.pixel(x, y, of: image)
            #expect(pixel == [red.red, red.green, red.blue, 255])
        }
        for svg in [try await emblem.svg(), try await avatar.svg()] {
            #expect(svg.contains(">1</text>") && svg.contains(red.hex))
        }
    }

    @Test("a badge is drawn on every emblem of a batch, including placeholders")
    func batch() async throws {
        var batch = EmblemBatch([ImageSource.icon(.lock), .local(name: "/none")])
        batch.badge = Badge(text: "9", appearance: .success)
        batch.badgeCorner = .bottomLeft
        for await outcome in batch {
            var alone = AsyncEmblem(source: outcome.source)
            (alone.badge, alone.badgeCorner) = (batch.badge, .bottomLeft)
            #expect(try await outcome.emblem(.medium) == alone.render().image)
        }
    }
}
