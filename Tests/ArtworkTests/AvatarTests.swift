import Artwork
import Codecs
import Raster
import Testing
import Theming

@Suite("Avatars")
struct AvatarTests {
    private let artwork = EmblemArtwork()
    private let labels: [String] = [
        "", "   ", "\u{202E}\u{202D}\u{2066}", "\u{0}\u{7}\u{1B}[31m", "Zoë Kravitz", "محمد علي",
        "אברהם לינקולן", "\u{202E}Jane Doe", "👩‍👩‍👧‍👦 family", "e\u{301}\u{302}\u{303}z",
        String(repeating: "x\u{301}", count: 10_000), String(repeating: "word ", count: 10_000),
        "a" + String(repeating: "\u{301}", count: 10_000), "&", "-- --", "ﷺ ﷽",
    ]

    private func bare(_ layout: AvatarLayout, _ scale: Double) -> EmblemStyle {
        EmblemStyle(.avatar(layout), theme: .builtIn, scale: scale)
    }

    @Test(
        "a theme may give avatars larger, smaller and odd sides", arguments: [1, 7, 33, 33.5, 200])
    func oddSides(side: Double) throws {
        let json = "{\"theme\":{\"dimension\":{\"height\":{\"avatar\":{\"md\":\(side)}}}}}"
        let theme = try Theme.builtIn.layering(Array(json.utf8), name: "odd.json").theme
        for scale in [1.0, 1.5, 3] {
            let style = EmblemStyle(.avatar(.medium), theme: theme, scale: scale)
            #expect(style.height == max(1, Int((side * scale + 0.5).rounded(.down))))
            let icon = artwork.finish(try artwork.icon(.person, style), style)
            #expect(icon.width == style.height && icon.height == style.height)
            let letters = artwork.finish(
                try artwork.initials(#require(Initials("W")), style), style)
            #expect(letters.width == style.height)
        }
    }

    @Test("the icon and the initials of an avatar have the brand or the requested appearance")
    func colors() throws {
        for scheme in ColorScheme.allCases {
            for appearance in EmblemAppearance.allCases {
                let style = EmblemStyle(
                    .avatar(.large), theme: .builtIn, appearance: appearance, scheme: scheme)
                let path = "theme.color.background.\(appearance.tokenName)"
                #expect(style.colors.background == Theme.builtIn.color(path, scheme))
                #expect(style.colors.foreground.contrast(against: style.colors.background) >= 4.5)
            }
        }
        let style = bare(.large, 2)
        let icon = artwork.finish(try artwork.icon(.person, style), style)
        let background = try #require(Theme.builtIn.color("color.background.brand", .light))
        #expect(icon.rgba(80, 8) == background.pixel)
    }

    @Test("an avatar is drawn for any hostile label")
    func hostileLabels() throws {
        var drawn = 0
        for label in labels {
            guard let initials = Initials.from(label: label) else { continue }
            drawn += 1
            #expect((1...2).contains(initials.text.count), "\(label.prefix(40).debugDescription)")
            let style = bare(.small, 1)
            let picture = artwork.finish(try artwork.initials(initials, style), style)
            #expect(picture.width == 24)
        }
        #expect(drawn > 0 && drawn < labels.count)
    }
}
