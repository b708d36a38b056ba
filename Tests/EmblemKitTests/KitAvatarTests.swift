import EmblemKit
import FoundationEssentials
import Testing

@Suite("An avatar")
struct KitAvatarTests {
    private static let sides = [24, 40, 56, 80]

    @Test(
        "an avatar shows at most two characters, as a reader counts them",
        arguments: [
            ("JDX", "JD"), ("  j d", "jd"), ("e\u{301}a", "e\u{301}a"), ("👩‍👩‍👧‍👦!", "👩‍👩‍👧‍👦!"),
            ("李小龍", "李小"),
        ])
    func initials(text: String, shown: String) async throws {
        let drawn = try await Avatar(appearance: .initials(text)).render()
        #expect(drawn.appearance == .initials(shown))
        #expect(try await drawn.image == Avatar(appearance: .initials(shown)).render().image)
    }

    @Test("an avatar without a character to draw shows the icon and states the reason")
    func noInitials() async throws {
        for text in ["", " ", "\u{200B}"] {
            let drawn = try await Avatar(appearance: .initials(text)).render()
            #expect(drawn.appearance == .icon)
            #expect(try await drawn.image == Avatar().render().image)
            guard case .failedToDraw(let reason) = drawn.error as? EmblemError else {
                Issue.record("\(String(describing: drawn.error))")
                continue
            }
            #expect(reason.contains("letters"))
        }
    }

    @Test("an avatar falls back to the initials of the name, then to the icon")
    func fallbacks() async throws {
        let loader = TestLoader { url in
            if url.lastPathComponent == "good" { return try TestPictures.image() }
            throw OwnError(word: "closed")
        }
        func shown(_ url: URL?, _ name: String?) async throws -> RenderedAvatar {
            var avatar = Avatar(url: url, name: name, layout: .medium)
            avatar.loader = loader
            return try await avatar.render()
        }
        let good = try testURL("good")
        #expect(try await shown(good, "A B").appearance == .image(.remote(url: good)))
        let initials = try await shown(try testURL("bad"), "A B")
        #expect(initials.appearance == .initials("AB"))
        #expect(initials.error as? OwnError == OwnError(word: "closed"))
        #expect(
            try await initials.image
                == Avatar(layout: .medium, appearance: .initials("AB")).render().image)
        let icon = try await shown(nil, nil)
        #expect(icon.appearance == .icon && icon.error as? EmblemError == .missingURL)
    }

    @Test("an avatar as SVG has its initials as text, its icon as lines and its name as title")
    func svg() async throws {
        var avatar = Avatar(layout: .large, appearance: .initials("<J"))
        avatar.accessibility = Accessibility(label: "Jane & Co", hint: "Opens", value: "online")
        let initials = try await avatar.svg()
        #expect(initials.contains(">&lt;J</text>"))
        #expect(initials.contains("<title>Jane &amp; Co</title>"))
        #expect(initials.contains("<desc>online, Opens</desc>"))
        #expect(try await Image(data: Array(initials.utf8)).width == 80)
        let icon = try await Avatar(layout: .large).svg(scheme: .dark)
        #expect(!icon.contains("<text") && !icon.contains("<image"))
        #expect(icon.contains("aria-hidden"))
        #expect(icon.contains(Theme.builtIn.colors.background.brand.dark.hex))
        let picture = Avatar(appearance: .picture(try TestPictures.image()))
        #expect(try await picture.svg().contains("data:image/png;base64,"))
    }

    @Test("an avatar ends with its task")
    func canceled() async throws {
        let gate = Gate()
        var avatar = Avatar(url: try testURL(), name: "A B")
        avatar.loader = TestLoader { _ in
            try await gate.pass()
            return try TestPictures.image()
        }
        let task = Task { [avatar] in try await avatar.render() }
        let other = Task { [avatar] in try await avatar.svg() }
        await gate.wait(for: 2)
        task.cancel()
        other.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await #expect(throws: CancellationError.self) { try await other.value }
    }
}
