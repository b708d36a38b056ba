import Raster
import Testing
import Theming

@Suite("The built-in theme")
struct BuiltInThemeTests {
    private let theme = Theme.builtIn

    @Test("the layouts have the documented heights and radii")
    func layouts() {
        #expect(EmblemLayout.allCases.map { theme.height(of: $0) } == [40, 48, 64, 80])
        #expect(EmblemLayout.allCases.map { theme.radius(of: $0) } == [8, 12, 16, 20])
        #expect(EmblemLayout.allCases.map(\.rawValue) == ["small", "medium", "large", "xLarge"])
    }

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

    @Test("colours and dimensions are found with and without the leading part")
    func paths() {
        #expect(theme.color("theme.color.background.surface", .light) == .white)
        #expect(theme.color("color.background.surface", .light) == .white)
        #expect(theme.color("color.background.nowhere", .light) == nil)
        #expect(theme.color("dimension.spacing.md", .light) == nil)
        #expect(theme.dimension("dimension.spacing.md") == 12)
        #expect(theme.dimension("color.background.surface") == nil)
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
