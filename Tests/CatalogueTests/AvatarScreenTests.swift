import EmblemKit
import Foundation
import Support
import Testing

extension Catalogue {
    @Suite("Avatars")
    struct Avatars {
        @Test("a row of avatars has one of each layout")
        func layouts() async throws {
            let row = [
                BB.Avatar(layout: .small, appearance: .initials("JD")),
                BB.Avatar(appearance: .initials("JD")),
                BB.Avatar(layout: .medium, appearance: .initials("JD")),
                BB.Avatar(layout: .large, appearance: .initials("JD")),
            ]
            let brand = Theme.builtIn.colors.background.brand.light
            for (avatar, side) in zip(row, [24, 40, 56, 80]) {
                let pixels = try Pixels(try await avatar.render().image)
                #expect(pixels.width == side && pixels.height == side)
                // A circle on the colour of the brand.
                #expect(pixels[0, 0] == .clear && pixels[side / 2, 2] == Pixel(brand))
                #expect(pixels.colorCount > 2)
            }
        }

        @Test("initials are cut after two characters")
        func initials() async throws {
            let shown = try await BB.Avatar(layout: .large, appearance: .initials("JDX")).render()
            guard case .initials("JD") = shown.appearance else {
                Issue.record("\(shown.appearance)")
                return
            }
            let two = try await BB.Avatar(layout: .large, appearance: .initials("JD")).render()
            #expect(shown.image == two.image)
        }

        @Test("an avatar shows an image from a file, cropped to the circle")
        func image() async throws {
            let folder = try ScratchFolder()
            let file = try folder.write(
                Array(plainImage().pngData()), to: "Avatar.png")
            let photo = try #require(UIImage(named: file))
            let avatar = BB.Avatar(layout: .large, appearance: .image(photo))
            let pixels = try Pixels(try await avatar.render().image)
            #expect(pixels.width == 80 && pixels[0, 0] == .clear)
            #expect(pixels[40, 1].red == 200 && pixels[1, 40].red == 200)
        }

        @Test("an avatar without a picture shows the icon of a person")
        func icon() async throws {
            let avatar = BB.Avatar(layout: .medium, appearance: .icon)
            let pixels = try Pixels(try await avatar.render().image)
            #expect(pixels.width == 56 && pixels.colorCount > 2)
        }

        @Test("the design system has the styles of initials and a radius for circles")
        func styles() {
            let typography = DesignSystem.shared.typography
            #expect(typography.initials(.large).size == 32)
            #expect(typography.initials(.small).size < typography.initials(.default).size)
            #expect(
                typography.initials(.large).color == Theme.builtIn.colors.onBackground.brand)
            #expect(DesignSystem.shared.cornerRadius.full > 1000)
        }

        @Test("an avatar with modifiers has a title and a description")
        func accessibility() async throws {
            let svg = try await BB.Avatar(layout: .large, appearance: .initials("JD"))
                .accessibilityLabel("Jane Doe")
                .accessibilityValue("online")
                .svg()
            #expect(svg.contains("<title>Jane Doe</title>") && svg.contains(">online</desc>"))
        }

        @Test("a theme is found in the folder of the program by its name")
        func theme() throws {
            let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            let name = "catalogue-\(ProcessInfo.processInfo.processIdentifier)"
            let file = program.deletingLastPathComponent().appending(path: "\(name).json")
            try Data(##"{"theme": {"color": {"background": {"brand": "#8A3B12"}}}}"##.utf8)
                .write(to: file)
            defer {
                try? FileManager.default.removeItem(at: file)
                Theme.switchTo(.builtIn)
            }
            Theme.switchTo(name)
            #expect(Theme.colors.background.brand.light.hex == "#8A3B12")
            #expect(DesignSystem.shared.colors.background.brand == Theme.colors.background.brand)
            #expect(Theme.switchTo("../\(name)") != nil)
            #expect(Theme.switchTo("no-such-theme") != nil)
            #expect(Theme.colors.background.brand.light.hex == "#8A3B12")
        }
    }
}
