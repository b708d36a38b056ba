import EmblemKit
import FoundationEssentials
import Support
import Synchronization
import Testing

@Suite("An emblem that loads its picture")
struct AsyncEmblemTests {
    private func emblem(
        _ source: ImageSource, _ loader: any AsyncEmblemImageLoader
    ) -> AsyncEmblem {
        var emblem = AsyncEmblem(source: source)
        emblem.loader = loader
        return emblem
    }

    private func phases(_ emblem: AsyncEmblem) async -> [AsyncImagePhase] {
        await emblem.phases().reduce(into: []) { $0.append($1) }
    }

    @Test("an emblem begins to load only after its empty phase was consumed")
    func lazy() async throws {
        let loader = TestLoader(try TestPictures.image())
        var walk = emblem(.remote(url: try testURL()), loader).phases().makeAsyncIterator()
        #expect(await walk.next() != nil && loader.count() == 0)
        #expect(await walk.next()?.image != nil && loader.count() == 1)
        #expect(await walk.next() == nil)
        #expect(await walk.next() == nil)
    }

    @Test("an emblem rethrows the error of its loader unchanged")
    func ownError() async throws {
        let loader = TestLoader { _ in throw OwnError(word: "closed") }
        let emblem = emblem(.remote(url: try testURL()), loader)
        #expect(await phases(emblem).last?.error as? OwnError == OwnError(word: "closed"))
        #expect(try await emblem.render().error as? OwnError == OwnError(word: "closed"))
    }

    @Test("an emblem fails with failedToDecode for a file that is not an image, or is truncated")
    func failedToDecode() async throws {
        let folder = try ScratchFolder()
        let loader = TestLoader(try TestPictures.image())
        for bytes in try [Array("text".utf8), TestPictures.truncated()] {
            let path = try folder.write(bytes, to: "half.png")
            let emblem = emblem(.local(name: path), loader)
            for error in [await phases(emblem).last?.error, try await emblem.render().error] {
                guard case .failedToDecode = error as? EmblemError else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
        }
    }

    @Test("an emblem loads files, icons and pictures in memory without the loader")
    func otherSources() async throws {
        let folder = try ScratchFolder()
        let loader = TestLoader { _ in throw OwnError(word: "asked") }
        let image = try TestPictures.image()
        let path = try folder.write(TestPictures.png(), to: "logo.png")
        for source in [ImageSource.local(name: path), .icon(.photo), .captured(image: image)] {
            #expect(await phases(emblem(source, loader)).last?.image != nil)
            #expect(try await !emblem(source, loader).render().isPlaceholder)
        }
        for name in [folder.path("none.png"), "icon:none", "", folder.path, "a\0b"] {
            let error = await phases(emblem(.local(name: name), loader)).last?.error
            guard case .failedToLoad(let cause) = error as? EmblemError else {
                Issue.record("\(name): \(String(describing: error))")
                continue
            }
            #expect(!cause.errorClass.isEmpty && !cause.isRetryable)
        }
    }

    @Test(
        "an emblem refuses other scales before it loads",
        arguments: [0, -3, 0.49, 4.01, .infinity])
    func wrongScales(scale: Double) async throws {
        let loader = TestLoader(try TestPictures.image())
        let emblem = emblem(.remote(url: try testURL()), loader)
        let avatar = Avatar(url: try testURL())
        let fault = EmblemError.scaleOutOfRange(scale)
        await #expect(throws: fault) { try await emblem.render(scale: scale) }
        await #expect(throws: fault) { try await avatar.render(scale: scale) }
        #expect(throws: fault) { try emblem.shimmer.frame(0, scale: scale) }
        #expect(throws: fault) { try emblem.shimmer.webpData(scale: scale) }
        #expect(throws: fault) { try Badge(text: "3").render(scale: scale) }
        #expect(throws: fault) {
            try StateView(NoResultsStateViewConfiguration()).render(scale: scale)
        }
        var batch = EmblemBatch([emblem.source])
        batch.scales = [1, scale]
        batch.loader = loader
        for await outcome in batch {
            #expect(outcome.status == .failed && outcome.error as? EmblemError == fault)
        }
        #expect(loader.count() == 0)
        #expect("\(fault)".contains("0.5 to 4"))
    }

    @Test("an emblem drawn from a failed phase shows its placeholder without another load")
    func failureThenRender() async throws {
        let loader = TestLoader { _ in throw OwnError(word: "closed") }
        let emblem = emblem(.remote(url: try testURL()), loader)
        let phase = try #require(await phases(emblem).last)
        #expect(phase.error as? OwnError == OwnError(word: "closed"))
        let shown = try await emblem.render(phase)
        #expect(shown.error as? OwnError == OwnError(word: "closed"))
        #expect(try await emblem.svg(phase) == AsyncEmblem(source: .icon(.accountBalance)).svg())
        #expect(loader.count() == 1)
    }

    @Test(
        "an emblem and an avatar decode in their configured isolation and leave others unaffected")
    func decoding() async throws {
        var slow = Decoding()
        slow.timeout = .milliseconds(200)
        let drawing = try #require(
            HostileDrawing.all.first { $0.name == "a million octaves of noise" })
        let source = ImageSource.data(Data(drawing.bytes()))
        var emblem = AsyncEmblem(source: source)
        emblem.decoding = slow
        let late = try #require(try await emblem.render().error as? EmblemError)
        #expect("\(late)".contains("Decoding.timeout"))
        var avatar = Avatar(appearance: .image(source))
        avatar.decoding = slow
        #expect(try await avatar.render().error as? EmblemError == late)
    }

    @Test("the placeholder of an emblem has exactly the style of the loaded state")
    func placeholder() async throws {
        let stand = try TestPictures.image(80, 80)
        let broken = TestLoader { _ in throw OwnError(word: "closed") }
        for placeholder in [ImageSource.captured(image: stand), .icon(.wallet)] {
            var failing = AsyncEmblem(
                url: try testURL(), placeholder: placeholder, appearance: .category7,
                layout: .large, contentMode: .fill)
            failing.loader = broken
            let shown = try await failing.render(scale: 1.5)
            let loaded = try await AsyncEmblem(
                source: placeholder, appearance: .category7, layout: .large, contentMode: .fill
            ).render(scale: 1.5)
            #expect(shown.isPlaceholder && !loaded.isPlaceholder)
            #expect(shown.image == loaded.image)
        }
    }

    @Test("an emblem falls back to the built-in icon if its placeholder cannot be loaded either")
    func lastResort() async throws {
        var emblem = AsyncEmblem(url: nil, placeholder: .local(name: "/none"), layout: .small)
        emblem.loader = TestLoader(try TestPictures.image())
        let shown = try await emblem.render()
        let icon = try await AsyncEmblem(source: .icon(.accountBalance), layout: .small).render()
        #expect(shown.image == icon.image && shown.error as? EmblemError == .missingURL)
    }

    @Test("an emblem emits no further phase after its task is cancelled")
    func canceled() async throws {
        let gate = Gate()
        let loader = TestLoader { _ in
            // The image is discarded, although the loader ignores the cancellation and succeeds.
            try? await gate.pass()
            return try TestPictures.image()
        }
        let emblem = emblem(.remote(url: try testURL()), loader)
        let walk = Task { await phases(emblem).count }
        let draw = Task { try await emblem.render() }
        await gate.wait(for: 2)
        walk.cancel()
        draw.cancel()
        #expect(await walk.value == 1)
        await #expect(throws: CancellationError.self) { try await draw.value }
    }

    @Test("an emblem as SVG keeps a drawing as vectors and has a description")
    func vector() async throws {
        let drawing = try await Image(
            data: """
                <svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'>\
                <path d='M1 2L3 4Z' fill='#ABCDEF'/></svg>
                """.utf8)
        var emblem = AsyncEmblem(
            source: .captured(image: drawing), appearance: .warning, layout: .large,
            contentMode: .fill)
        emblem.accessibility = Accessibility(label: "Acme", hint: "Opens the account")
        let svg = try await emblem.svg()
        #expect(svg.contains("data:image/svg+xml;base64,"))
        #expect(svg.contains("<title>Acme</title>") && svg.contains("<desc>Opens the account<"))
        #expect(svg.contains(Theme.builtIn.colors.emblem(.warning).background.light.hex))
        #expect(try await Image(data: Array(svg.utf8)).width == 64)
        let dark = try await emblem.svg(scheme: .dark)
        #expect(dark.contains(Theme.builtIn.colors.emblem(.warning).background.dark.hex))
        let picture = AsyncEmblem(source: .captured(image: try TestPictures.image()))
        #expect(try await picture.svg().contains("<image"))
    }

    @Test("an emblem as SVG shows its placeholder if the picture cannot be loaded")
    func vectorPlaceholder() async throws {
        var failing = AsyncEmblem(url: try testURL(), placeholder: .icon(.wallet))
        failing.loader = TestLoader { _ in throw OwnError(word: "closed") }
        let svg = try await failing.svg()
        #expect(try await svg == AsyncEmblem(source: .icon(.wallet)).svg())
        failing.placeholder = .local(name: "/none")
        #expect(
            try await failing.svg() == AsyncEmblem(source: .icon(.accountBalance)).svg()
        )
    }
}
