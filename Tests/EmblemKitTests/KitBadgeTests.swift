import EmblemKit
import FoundationEssentials
import Testing

@Suite("A badge")
struct KitBadgeTests {
    @Test("a badge has five appearances that all differ", arguments: ColorScheme.allCases)
    func appearances(scheme: ColorScheme) throws {
        #expect(
            Badge.Appearance.allCases.map(\.rawValue)
                == ["neutral", "info", "success", "warning", "danger"])
        let drawn = try Set(
            Badge.Appearance.allCases.map {
                try Badge(text: "New", appearance: $0).render(scheme: scheme)
            })
        #expect(drawn.count == 5)
        #expect(Badge(text: "3").appearance == .neutral)
    }

    @Test("a badge has at least four points of its colour above and below the text")
    func clearance() throws {
        for text in ["Åg", "3", "ÇŘ₡"] {
            let image = try Badge(text: text, appearance: .danger).render(scale: 2)
            let red = Theme.builtIn.colors["badge.danger.background"]?.light
            let ground = try #require(red)
            for y in [1, 4, 7, image.height - 8, image.height - 5, image.height - 2] {
                let pixel = try TestPictures.pixel(image.width / 2, y, of: image)
                #expect(pixel == [ground.red, ground.green, ground.blue, 255], "\(text) \(y)")
            }
        }
    }

    @Test("a badge is as wide as its text at every scale")
    func width() throws {
        let short = try Badge(text: "3").render()
        let long = try Badge(text: "Pending").render()
        #expect(long.width > short.width && long.height == short.height)
        let large = try Badge(text: "Pending").render(scale: 3)
        #expect(large.height == long.height * 3 && abs(large.width - long.width * 3) <= 3)
    }

    @Test("a badge as SVG has its text as text")
    func svg() throws {
        let svg = try Badge(text: "a<b", appearance: .info).svg()
        #expect(svg.contains(">a&lt;b</text>"))
        #expect(try Image(blockingData: svg.utf8).width == Badge(text: "a<b").render().width)
        #expect(try Badge(text: "x").svg() != Badge(text: "x").svg(scheme: .dark))
    }

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

    @Test("a badge that would be invisible is omitted from an emblem")
    func unseen() async throws {
        var emblem = AsyncEmblem(source: .icon(.wallet))
        let plain = try await emblem.render().image
        emblem.badge = Badge(text: " ")
        #expect(try await emblem.render().image == plain)
        emblem.badge = Badge(text: "2")
        #expect(try await emblem.render().image != plain)
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
