import Raster
import Testing
import Theming

@Suite("The built-in theme")
struct BuiltInThemeTests {
    private let theme = Theme.builtIn

    @Test("all fifteen backgrounds differ in each scheme", arguments: ColorScheme.allCases)
    func distinct(scheme: ColorScheme) {
        let backgrounds = EmblemAppearance.allCases.map {
            theme.emblemColors($0, scheme).background
        }
        #expect(backgrounds.count == 15)
        #expect(Set(backgrounds).count == 15)
    }

    @Test("every foreground is readable on its background", arguments: ColorScheme.allCases)
    func contrast(scheme: ColorScheme) {
        let pairs = theme.pairs(scheme)
        #expect(pairs.count >= 15 + 22 + 2 + 5)
        for pair in pairs { #expect(pair.isEnough, "\(pair)") }
        for appearance in EmblemAppearance.allCases {
            let colors = theme.emblemColors(appearance, scheme)
            let ratio = colors.foreground.contrast(against: colors.background)
            #expect(ratio >= 4.5, "\(appearance): \(ratio)")
        }
    }

    @Test("the documented references of the theme hold")
    func references() {
        let paths = theme.resolved(.light).map(\.path)
        for appearance in ["brand", "info", "success", "warning", "danger"] {
            #expect(
                theme.color("color.emblem.\(appearance).background", .dark)
                    == theme.color("color.background.\(appearance)-subtle", .dark))
            #expect(
                theme.color("color.emblem.\(appearance).foreground", .light)
                    == theme.color("color.on-background.\(appearance)-subtle", .light))
        }
        #expect(paths.first == "theme.color.background.surface")
        #expect(Set(paths).count == paths.count)
        #expect(theme.resolved(.dark).map(\.path) == paths)
    }
}
