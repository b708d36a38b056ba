import EmblemKit
import Testing

extension Catalogue {
    @Suite("Badges")
    struct Badges {
        @Test("a badge takes text and appearance, and every appearance has its colours")
        func appearances() throws {
            for appearance in BB.Badge.Appearance.allCases {
                let badge = BB.Badge(text: "New", appearance: appearance)
                let pixels = try Pixels(badge.render(scale: 2))
                let colors = Theme.builtIn.colors.badge(appearance)
                #expect(pixels.height == 44 && pixels.width > pixels.height)
                #expect(pixels[pixels.width / 2, 2] == Pixel(colors.background.light))
                #expect(pixels[0, 0] == .clear && pixels.colorCount > 2)
                #expect(colors.foreground.light.contrast(against: colors.background.light) >= 4.5)
            }
            #expect(
                Badge.Appearance.allCases.map(\.rawValue)
                    == ["neutral", "info", "success", "warning", "danger"])
            #expect(Badge.Appearance(rawValue: "info") == .info)
        }

        @Test("a badge is as wide as its text")
        func width() throws {
            let texts = ["3", "New", "Pending review"]
            let widths = try texts.map { try BB.Badge(text: $0, appearance: .info).render().width }
            #expect(widths == widths.sorted() && Set(widths).count == 3)
        }

        @Test("a badge has texts for screen readers, alone and over a component")
        func accessibility() async throws {
            let badge = BB.Badge(text: "3", appearance: .danger)
                .accessibilityLabel("3 new messages")
                .accessibilityHint("Opens the inbox")
            let svg = try badge.svg()
            #expect(svg.contains("<title>3 new messages</title>"))
            #expect(svg.contains("<desc>Opens the inbox</desc>"))
            #expect(try Badge(text: "3").svg().contains("<title>3</title>"))

            var emblem = AsyncEmblem().accessibilityLabel("Acme")
            emblem.badge = badge
            let both = try await emblem.svg()
            #expect(both.contains("<title>Acme, 3 new messages</title>"))
            #expect(both.contains("<desc>Opens the inbox</desc>"))
        }

        @Test("the style of badges changes their colours, also over a component")
        func style() async throws {
            defer { DesignSystem.shared.styles.badge = nil }
            DesignSystem.shared.styles.badge = { badge in
                guard badge.appearance == .info else { return }
                badge.backgroundColor = UIColor(red: 0.2, green: 0, blue: 0.4, alpha: 1)
                badge.textColor = .white
            }
            let purple = Pixel(ThemeColor.Shade(red: 51, green: 0, blue: 102))
            let alone = try Pixels(BB.Badge(text: "New", appearance: .info).render(scale: 2))
            #expect(alone[alone.width / 2, 2] == purple)
            let other = try Pixels(BB.Badge(text: "New", appearance: .danger).render(scale: 2))
            let danger = Theme.builtIn.colors.badge(.danger).background.light
            #expect(other[other.width / 2, 2] == Pixel(danger))
            #expect(try Badge(text: "N", appearance: .info).svg().contains("#330066"))

            var emblem = AsyncEmblem(layout: .xLarge)
            emblem.badge = Badge(text: "New", appearance: .info)
            let pixels = try Pixels(try await emblem.render(scale: 2).image)
            let row = (0..<pixels.width).map { pixels[$0, 3] }
            #expect(row.contains(purple))
            #expect(try await emblem.svg().contains("#330066"))
        }

        @Test("the typography of the design system has the text of badges")
        func typography() {
            let label = DesignSystem.shared.typography.badge
            #expect(label.size == 11 && label.weight == .semibold)
        }
    }
}
