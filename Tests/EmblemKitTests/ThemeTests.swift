import EmblemKit
import FoundationEssentials
import Support
import Testing

extension SharedStateTests {
    /// The themes of these tests differ only in a colour that no emblem uses, so that other tests
    /// are not affected.
    @Suite("Themes")
    struct ThemeTests {
        private func tokens(_ color: String) -> [UInt8] {
            Array(##"{"theme":{"color":{"foreground":{"subtle":"\##(color)"}}}}"##.utf8)
        }

        private var subtle: String { Theme.colors.foreground.subtle.light.hex }

        private func restoring(_ body: () async throws -> Void) async rethrows {
            let before = (Theme.current, Theme.folders)
            defer {
                Theme.switchTo(before.0)
                Theme.folders = before.1
            }
            try await body()
        }

        @Test("a registered theme is selected by its name, and reset")
        func switching() async throws {
            try await restoring {
                let own = subtle
                Theme.register(try Theme(name: "kit-red", json: tokens("#B00020")))
                #expect(Theme.switchTo("kit-red") == nil)
                #expect(subtle == "#B00020")
                #expect(Theme.current.name == "kit-red")
                #expect(DesignSystem.shared.theme.name == "kit-red")
                Theme.switchTo("default")
                #expect(subtle == own)
            }
        }

        @Test("a theme is found as a file of its name, only in the given folders")
        func files() async throws {
            try await restoring {
                let folder = try ScratchFolder()
                try folder.write(tokens("#123456"), to: "kit-file.json")
                try folder.write(Array("{\"theme\":".utf8), to: "kit-bad.json")
                try folder.write(tokens("#000000"), to: "inner/x.json")
                #expect(Theme.switchTo("kit-file") != nil)
                Theme.folders = [
                    URL(filePath: folder.path + "/none"), URL(filePath: folder.path),
                ]
                #expect(Theme.switchTo("kit-file") == nil)
                #expect(subtle == "#123456")
                for name in [
                    "kit-bad", "inner/x", "../x", "", ".", "kit-none", "/etc/passwd", "a\0b",
                ] {
                    let error = try #require(Theme.switchTo(name), "\(name)")
                    #expect("\(error)".contains("json") || name != "kit-none")
                    #expect(subtle == "#123456", "\(name)")
                }
            }
        }

        @Test("a theme file with an error is refused with the position of the error")
        func wrong() throws {
            let error = #expect(throws: EmblemError.self) {
                _ = try Theme(name: "w", json: tokens("red"))
            }
            #expect("\(error as Any)".contains("w:1: theme.color.foreground.subtle: bad colour"))
            let folder = try ScratchFolder()
            #expect(throws: EmblemError.self) {
                _ = try Theme(contentsOf: URL(filePath: folder.path + "/none.json"))
            }
            let odd = try Theme(name: "odd", json: Array(##"{"my":{"c":"#fff"}}"##.utf8))
            #expect(odd.warnings == ["odd:1: my.c: unknown token."])
        }

        @Test("colours are available for both schemes by role, by appearance and by path")
        func colors() throws {
            let colors = Theme.builtIn.colors
            #expect(colors.background.brand.light.hex == "#3F4BD1")
            #expect(colors.background.brand != colors.background.brandSubtle)
            #expect(colors["background.brand"] == colors.background.brand)
            #expect(colors["theme.color.background.brand"] == colors.background.brand)
            #expect(colors["nothing"] == nil)
            #expect(colors.emblem(.category10).background == colors.background.category(10))
            #expect(colors.background.category(11) == colors.background.category(1))
            #expect(colors.background.category(.min) == colors.background.category(2))
            #expect(colors.background.category(.max) == colors.background.category(7))
            for appearance in Emblem.Appearance.allCases {
                let worn = colors.emblem(appearance)
                #expect(worn.foreground.light.contrast(against: worn.background.light) >= 4.5)
                #expect(worn.foreground.dark.contrast(against: worn.background.dark) >= 4.5)
            }
            let (front, back) = (colors.onBackground, colors.background)
            let pairs = [
                (front.surface, back.surface), (front.brand, back.brand), (front.info, back.info),
                (front.brandSubtle, back.brandSubtle), (front.infoSubtle, back.infoSubtle),
                (front.success, back.success), (front.successSubtle, back.successSubtle),
                (front.warning, back.warning), (front.warningSubtle, back.warningSubtle),
                (front.danger, back.danger), (front.dangerSubtle, back.dangerSubtle),
                (front.neutral, back.neutral), (front.neutralSubtle, back.neutralSubtle),
                (colors.foreground.default, back.surface), (colors.foreground.subtle, back.surface),
            ]
            for (text, ground) in pairs {
                #expect(text.light.contrast(against: ground.light) >= 4.5)
                #expect(text.dark.contrast(against: ground.dark) >= 4.5)
            }
            #expect(Theme.builtIn.dimension("radius.emblem.sm") == 8)
            #expect(Theme.builtIn.dimension("theme.dimension.height.emblem.sm") == 40)
            #expect(Theme.builtIn.dimension("color.background.brand") == nil)
            #expect(colors.background.brand.light.alpha == 255)
        }

        @Test("themes may be switched from many tasks at once")
        func concurrency() async throws {
            try await restoring {
                let shades = (0..<8).map { "#00000\($0)" }
                for shade in shades { Theme.register(try Theme(name: shade, json: tokens(shade))) }
                await withTaskGroup(of: Void.self) { group in
                    for index in 0..<400 {
                        group.addTask {
                            Theme.switchTo(shades[index % 8])
                            #expect(shades.contains(Theme.colors.foreground.subtle.light.hex))
                        }
                    }
                }
            }
        }
    }
}
