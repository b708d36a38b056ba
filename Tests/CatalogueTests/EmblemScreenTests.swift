import EmblemKit
import Foundation
import Synchronization
import Testing

/// A loader as an app writes it.
private struct BundledLogos: BB.AsyncEmblemImageLoader {
    func loadImage(from url: URL) async throws -> EmblemKit.Image {
        guard url.lastPathComponent == "logo.png" else { throw MissingLogo.notFound(url) }
        return try plainImage()
    }
}

private enum MissingLogo: Error, Equatable {
    case notFound(URL)
}

/// A loader with a cache.
private final class RememberingLoader: AsyncEmblemImageLoader {
    private let base: any AsyncEmblemImageLoader
    private let known = Mutex<[URL: EmblemKit.Image]>([:])
    let loads = Mutex(0)

    init(_ base: any AsyncEmblemImageLoader) { self.base = base }

    func loadImage(from url: URL) async throws -> EmblemKit.Image {
        if let image = known.withLock({ $0[url] }) { return image }
        loads.withLock { $0 += 1 }
        let image = try await base.loadImage(from: url)
        known.withLock { $0[url] = image }
        return image
    }
}

extension Catalogue {
    @Suite("Emblems")
    struct Emblems {
        @Test("an emblem takes URL, placeholder, appearance, layout and content mode in this order")
        func order() async throws {
            var emblem = BB.AsyncEmblem(
                url: try logoURL(), placeholder: Image(systemName: "photo"), appearance: .info,
                layout: .large, contentMode: .fill)
            emblem.loader = BundledLogos()
            let shown = try await emblem.render(scale: 2)
            let pixels = try Pixels(shown.image)
            #expect(pixels.width == 128 && pixels.height == 128 && !shown.isPlaceholder)
            // The picture fills the whole emblem except for its round corners.
            #expect(pixels[64, 1].red == 200 && pixels[0, 0] == .clear)
        }

        @Test("an emblem without arguments is medium, in the colours of the brand, and fits")
        func defaults() async throws {
            let emblem = BB.AsyncEmblem()
            #expect(emblem.layout == .medium && emblem.appearance == .brand)
            #expect(emblem.contentMode == .fit && emblem.source == .remote(url: nil))
            #expect(emblem.placeholder == .icon(.accountBalance))
            let shown = try await emblem.render()
            #expect(shown.isPlaceholder && shown.error as? EmblemError == .missingURL)
        }

        @Test("the loader of the program loads the images of all emblems")
        func loader() async throws {
            let former = DesignSystem.shared.emblemImageLoader
            defer { DesignSystem.shared.emblemImageLoader = former }
            let loader = RememberingLoader(BundledLogos())
            DesignSystem.shared.emblemImageLoader = loader
            for _ in 0..<2 {
                let shown = try await BB.AsyncEmblem(url: logoURL()).render()
                #expect(!shown.isPlaceholder)
            }
            #expect(loader.loads.withLock { $0 } == 1)
            let missing = try logoURL("none.png")
            let failed = try await BB.AsyncEmblem(url: missing).render()
            #expect(failed.isPlaceholder && failed.error as? MissingLogo == .notFound(missing))
        }

        @Test(
            "every appearance colours the placeholder with its own tokens",
            arguments: Emblem.Appearance.allCases)
        func appearances(appearance: Emblem.Appearance) async throws {
            let shown = try await AsyncEmblem(url: nil, appearance: appearance, layout: .large)
                .render()
            let pixels = try Pixels(shown.image)
            let colors = Theme.builtIn.colors.emblem(appearance)
            #expect(pixels[32, 8] == Pixel(colors.background.light))
            #expect(pixels.colorCount > 2)
        }

        @Test("there are five named appearances and ten categories")
        func names() {
            let named: [Emblem.Appearance] = [.brand, .info, .success, .warning, .danger]
            let categories: [Emblem.Appearance] = [
                .category1, .category2, .category3, .category4, .category5, .category6, .category7,
                .category8, .category9, .category10,
            ]
            #expect(Emblem.Appearance.allCases == named + categories)
            let modes: [ContentMode] = [.fit, .fill]
            #expect(ContentMode.allCases == modes)
        }

        @Test("layouts have the documented sizes and radii")
        func layouts() async throws {
            let expected: [(Emblem.Layout, Int, Double)] = [
                (.small, 40, 8), (.medium, 48, 12), (.large, 64, 16), (.xLarge, 80, 20),
            ]
            for (layout, side, radius) in expected {
                #expect(DesignSystem.shared.cornerRadius.emblem(layout) == radius)
                let pixels = try Pixels(try await AsyncEmblem(layout: layout).render().image)
                #expect(pixels.width == side && pixels.height == side)
                #expect(pixels[0, 0] == .clear)
                // The straight edge begins where the corner ends.
                #expect(pixels[Int(radius), 0].alpha == 255)
            }
        }

        @Test("a shimmer has the size and the colour of the emblem that loads")
        func shimmer() async throws {
            let emblem = AsyncEmblem(url: nil, appearance: .success, layout: .xLarge)
            let still = try Pixels(emblem.shimmer.frame(0))
            #expect(still.width == 80 && still.height == 80 && still[0, 0] == .clear)
            let ground = Theme.builtIn.colors.emblem(.success).background.light
            #expect(still[40, 40] == Pixel(ground))
            let middle = try Pixels(emblem.shimmer.frame(Shimmer.frameCount / 2))
            #expect(middle.colorCount > 2)
        }

        @Test("phases begin with empty and end with the image or the failure")
        func phases() async throws {
            var emblem = AsyncEmblem(url: try logoURL())
            emblem.loader = BundledLogos()
            var names: [String] = []
            for await phase in emblem.phases() {
                switch phase {
                case .empty: names.append("empty")
                case .success(let image): names.append("success \(image.width)")
                case .failure: names.append("failure")
                }
            }
            #expect(names == ["empty", "success 60"])
        }

        @Test("modifiers set the texts for screen readers")
        func accessibility() async throws {
            let emblem = BB.AsyncEmblem()
                .accessibilityLabel("Acme Bank")
                .accessibilityHint("Opens the account")
                .accessibilityValue("5 new messages")
            #expect(
                emblem.accessibility
                    == Accessibility(
                        label: "Acme Bank", hint: "Opens the account", value: "5 new messages"))
            let svg = try await emblem.svg()
            #expect(svg.contains("<title>Acme Bank</title>"))
            #expect(svg.contains("<desc>5 new messages, Opens the account</desc>"))
        }

        @Test(
            "names of symbols become built-in icons",
            arguments: [
                ("photo", Emblem.Icon.photo), ("photo.fill", .photo), ("star", .star),
                ("star.fill", .star), ("creditcard", .card), ("person.crop.circle.fill", .person),
                ("building.columns", .accountBalance), ("wifi.slash", .wifiOff),
            ])
        func symbols(name: String, icon: Emblem.Icon) async throws {
            #expect(Image(systemName: name) == Image(icon: icon))
            let placeholder = AsyncEmblem(url: nil, placeholder: Image(systemName: name))
            let shown = try await placeholder.render().image
            let expected = try await AsyncEmblem(source: .icon(icon)).render().image
            #expect(shown == expected)
        }

        @Test("a symbol or file that does not exist fails when it is drawn, with its name")
        func missing() async throws {
            for image in [Image(systemName: "hare.fill"), Image("no-such-logo")] {
                let shown = try await AsyncEmblem(source: .image(image)).render()
                #expect(shown.isPlaceholder)
                let error = try #require(shown.error as? EmblemError)
                #expect(error.errorClass == "not_found")
                #expect("\(error)".contains("hare.fill") || "\(error)".contains("no-such-logo"))
            }
            #expect(UIImage(named: "no-such-logo") == nil)
            // A broken placeholder leaves the icon of a bank.
            let bank = try await AsyncEmblem().render().image
            let other = try await AsyncEmblem(url: nil, placeholder: Image("no-such-logo")).render()
            #expect(other.image == bank)
        }

        @Test("the icons of the catalogue are assets of the design system")
        func assets() async throws {
            let emblem = BB.AsyncEmblem(
                url: nil, placeholder: DesignSystem.Assets.icAccountBalance)
            let expected = try await AsyncEmblem().render().image
            #expect(try await emblem.render().image == expected)
        }
    }
}
