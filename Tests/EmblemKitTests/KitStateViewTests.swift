import EmblemKit
import FoundationEssentials
import Support
import Synchronization
import Testing

extension SharedStateTests {
    @Suite("A state view")
    struct KitStateViewTests {
        private static let readyMade: [(any StateViewConfiguration, [String?])] = [
            (
                LoadingFailureStateViewConfiguration(),
                ["Couldn't load page", "Something went wrong", "Try again"]
            ),
            (
                NoInternetConnectionStateViewConfiguration(),
                ["No internet connection", "It seems that you're not online", "Try again"]
            ),
            (
                NoResultsStateViewConfiguration(),
                ["No results to show", "We couldn't find anything to show here", nil]
            ),
        ]

        @Test(
            "a state view is rendered as a picture, a WebP, an SVG and a page",
            arguments: ColorScheme.allCases)
        func forms(scheme: ColorScheme) async throws {
            let view = StateView(NoResultsStateViewConfiguration())
            let image = try view.render(scale: 2, scheme: scheme)
            let surface = Theme.builtIn.colors.background.surface
            let ground = scheme == .light ? surface.light : surface.dark
            #expect(
                try TestPictures.pixel(4, 4, of: image) == [
                    ground.red, ground.green, ground.blue, 255,
                ])
            let webp = try await Image(data: image.data(as: .webp, quality: .lossless))
            #expect(webp.width == image.width && webp.height == image.height)
            let drawing = try Image(blockingData: view.svg(scheme: scheme).utf8)
            #expect(drawing.width * 2 == image.width && drawing.height * 2 == image.height)
            let page = try view.html(scheme: scheme)
            #expect(page.hasPrefix("<!doctype html>") && page.contains(ground.hex))
            #expect(!page.contains("prefers-color-scheme"))
            #expect(try view.html().contains("prefers-color-scheme: dark"))
        }

        @Test(
            "a state view has buttons as wide as their title, or as the block without the spacers")
        func spacers() throws {
            func page(_ spacers: HorizontalSpacers?) throws -> String {
                let button = ButtonConfiguration(title: "OK", horizontalSpacers: spacers)
                return try StateView(
                    GenericStateViewConfiguration(title: "T", firstButtonConfiguration: button)
                ).svg()
            }
            // The background of the block also begins at the left edge.
            #expect(try page(.zero).split(separator: "<rect x=\"0\"").count == 3)
            #expect(try page(nil).split(separator: "<rect x=\"0\"").count == 2)
            #expect(try page(24).contains("<rect x=\"24\""))
            #expect(try page(nil) != page(.zero) && page(.init(value: .nan)) == page(.zero))
        }

        @Test("a state view takes texts from the first bundle that has them")
        func bundles() throws {
            let first: TextBundle = ["stateView.noConnectionTitle": "Offline"]
            let second = TextBundle([
                "stateView.noConnectionTitle": "Getrennt",
                "stateView.noConnectionButton": "Nochmal",
                "Something went wrong": "Schade", "done.title": "Fertig",
            ])
            func svg(_ configuration: any StateViewConfiguration) throws -> String {
                try StateView(
                    params: StateViewInitParams(
                        configuration: configuration, bundles: [first, second])
                ).svg()
            }
            let offline = try svg(NoInternetConnectionStateViewConfiguration())
            #expect(offline.contains(">Offline<") && offline.contains(">Nochmal<"))
            #expect(offline.contains(">It seems that you're not online<"))
            #expect(try svg(LoadingFailureStateViewConfiguration()).contains(">Schade<"))
            #expect(
                try svg(GenericStateViewConfiguration(title: "done.title")).contains(">Fertig<"))
            // A text that the program sets is not replaced by the text of a built-in key.
            var own = NoInternetConnectionStateViewConfiguration()
            own.title = "No signal"
            #expect(try svg(own).contains(">No signal<"))
        }

        @Test(
            "a state view reads texts from a file, and names the error in a broken one"
        )
        func files() throws {
            let folder = try ScratchFolder()
            let json = try folder.write(
                Array(#"{"stateView": {"noResultsTitle": "Rien"}}"#.utf8), to: "fr.json")
            #expect(
                try TextBundle(contentsOf: URL(filePath: json))["stateView.noResultsTitle"]
                    == "Rien")
            let bad = try folder.write(Array("{\n\"a\" \"b\"}".utf8), to: "bad.json")
            for (path, words) in [(bad, "line 2"), (folder.path("none.json"), "none.json")] {
                let error = #expect(throws: EmblemError.self) {
                    try TextBundle(contentsOf: URL(filePath: path))
                }
                guard case .texts(let reason) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(reason.contains(words) && reason.contains(path))
            }
        }

        @Test("a state view shows an icon by name, a picture by path, or an animation before both")
        func graphics() throws {
            let folder = try ScratchFolder()
            let file = try folder.write(TestPictures.png(90, 90), to: "own.png")
            var state = GenericStateViewConfiguration(iconName: nil, title: "T")
            func svg() throws -> String { try StateView(state).svg() }
            #expect(try !svg().contains("<image"))
            let bare = try StateView(state).render().height
            for name in [file, "wallet"] {
                state.iconName = name
                #expect(try svg().contains("<image") == (name == file))
                #expect(try StateView(state).render().height > bare + 144)
            }
            state.animation = try Image(blockingData: Shimmer().webpData())
            #expect(try StateView(state).html().contains("src=\"data:image/webp;base64,"))
            let still = try StateView(state).render()
            state.iconName = "no such icon"
            #expect(try StateView(state).render() == still)
            state.animation = nil
            #expect(throws: EmblemError.self) { try StateView(state).render() }
            #expect(throws: EmblemError.self) { try StateView(state).html() }
        }

        @Test("a state view accepts a custom type that has only a title")
        func ownType() throws {
            struct Maintenance: StateViewConfiguration {
                let title = "Back soon"
            }
            let view = StateView(params: StateViewInitParams(configuration: Maintenance()))
            let html = try view.html()
            #expect(html.contains(">Back soon</h2>") && !html.contains("<p>"))
            #expect(StateView.Button.allCases.allSatisfy { !view.press($0) })
        }

        @Test("a state view clamps invalid measures to what can be drawn")
        func hostile() throws {
            for value in [-1.0, .nan, .infinity, 1e300] {
                let view = StateView(
                    params: StateViewInitParams(
                        configuration: LoadingFailureStateViewConfiguration(),
                        style: {
                            $0.insets = EdgeInsets(leading: value, bottom: value)
                            $0.width = value
                            $0.iconOrAnimationSize = .init(value)
                            $0.title.size = value
                            $0.title.lineHeight = value
                            $0.firstButton.height = value
                            $0.firstButton.cornerRadius = value
                        }, titleLabelMaxWidth: value))
                // The view is either drawn or fails with a message.
                do {
                    let image = try view.render()
                    #expect(image.width > 0)
                } catch {
                    #expect("\(error)".contains("too many"))
                }
            }
        }
    }
}
