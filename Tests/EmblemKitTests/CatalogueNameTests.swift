import EmblemKit
import FoundationEssentials
import Support
import Testing

@Suite("Names known from component catalogues")
struct CatalogueNameTests {
    @Test("a picture in memory is an avatar, a source and a placeholder under one name")
    func images() async throws {
        let picture = try TestPictures.image()
        #expect(Avatar.Appearance.image(picture) == .image(.captured(image: picture)))
        #expect(ImageSource.image(picture) == .captured(image: picture))
        let emblem = AsyncEmblem(url: nil, placeholder: .image(picture))
        let shown = try await emblem.render()
        #expect(shown.isPlaceholder)
        #expect(try await shown.image == AsyncEmblem(source: .image(picture)).render().image)
    }

    @Test("a full radius makes the ends of a button half circles at any height")
    func fullRadius() throws {
        let full = DesignSystem.shared.cornerRadius.full
        #expect(full.isFinite && full > 1000)
        func corner(_ height: Double) throws -> [UInt8] {
            let view = StateView(
                params: StateViewInitParams(
                    configuration: GenericStateViewConfiguration(
                        iconName: nil, title: "T",
                        firstButtonConfiguration: ButtonConfiguration(
                            title: "OK", horizontalSpacers: .init(value: 10))),
                    style: {
                        $0.firstButton.cornerRadius = full
                        $0.firstButton.height = height
                        $0.insets = EdgeInsets(top: 24)
                    }))
            let image = try view.render()
            // The lower left corner of the button, which ends with the block.
            return try TestPictures.pixel(
                10 + Int(height / 8), image.height - 2, of: image)
        }
        let surface = Theme.builtIn.colors.background.surface.light
        for height in [48.0, 90] {
            #expect(try corner(height) == [surface.red, surface.green, surface.blue, 255])
        }
    }

    @Test("spacers are created from a value or from a number literal")
    func spacers() {
        #expect(HorizontalSpacers(value: 16) == 16 && HorizontalSpacers.zero == 0.0)
        #expect(ButtonConfiguration(title: "A", horizontalSpacers: 12.5).horizontalSpacers == 12.5)
        #expect(ButtonConfiguration(title: "A").horizontalSpacers == nil)
    }

    @Test("insets add space to each side of a state view")
    func insets() throws {
        func size(_ insets: EdgeInsets) throws -> (Int, Int) {
            let image = try StateView(
                params: StateViewInitParams(
                    configuration: NoResultsStateViewConfiguration(),
                    style: { $0.insets = insets })
            ).render()
            return (image.width, image.height)
        }
        let (even, high) = (try size(EdgeInsets(24)), try size(EdgeInsets(top: 64, bottom: 24)))
        #expect(high.1 - even.1 == 40 && high.0 == even.0)
        var settings = StateView.Settings(theme: .builtIn)
        settings.padding = 10
        #expect(settings.insets == EdgeInsets(10) && settings.padding == 10)
        settings.insets.trailing = 30
        #expect(settings.padding == 30)
    }

    @Test("insets on one side move the contents, and mirror for scripts written from right to left")
    func oneSide() throws {
        func drawn(_ title: String, _ insets: EdgeInsets) throws -> (svg: String, html: String) {
            let view = StateView(
                params: StateViewInitParams(
                    configuration: GenericStateViewConfiguration(
                        title: title,
                        firstButtonConfiguration: ButtonConfiguration(
                            title: title, horizontalSpacers: 20)),
                    style: {
                        $0.insets = insets
                        $0.width = 400
                    }))
            return (try view.svg(), try view.html())
        }
        let middle = try drawn("OK", EdgeInsets(40))
        let right = try drawn("OK", EdgeInsets(top: 40, leading: 80, bottom: 40))
        #expect(middle.svg.contains("cx=\"200\"") && right.svg.contains("cx=\"240\""))
        #expect(try drawn("שלום", EdgeInsets(leading: 80)).svg.contains("cx=\"160\""))
        // The button keeps its distance from the edges of the block.
        #expect(middle.svg.contains("<rect x=\"20\"") && right.svg.contains("<rect x=\"20\""))
        #expect(middle.html.contains("padding: 2.5rem; display"))
        #expect(right.html.contains("padding: 2.5rem 0 2.5rem; padding-inline: 5rem 0rem"))
        #expect(right.html.contains("inset-inline-start: -2.5rem"))
        #expect(!middle.html.contains("inset-inline-start"))
    }

    @Test("the keys of a catalogue are accepted with and without the name of its family")
    func keys() throws {
        func svg(_ configuration: any StateViewConfiguration, _ bundle: TextBundle) throws -> String
        {
            try StateView(
                params: StateViewInitParams(configuration: configuration, bundles: [bundle])
            ).svg()
        }
        let family: TextBundle = ["DesignSystem.stateView.noResultsTitle": "Rien"]
        #expect(try svg(NoResultsStateViewConfiguration(), family).contains(">Rien<"))
        for title in ["stateView.noResultsTitle", "DesignSystem.stateView.noResultsTitle"] {
            let state = GenericStateViewConfiguration(title: title)
            #expect(try svg(state, family).contains(">Rien<"))
            #expect(try svg(state, ["stateView.noResultsTitle": "Nada"]).contains(">Nada<"))
            // Without a bundle, a key of the library gives the built-in text.
            #expect(try svg(state, [:]).contains(">No results to show<"))
        }
        #expect(try svg(GenericStateViewConfiguration(title: "own.key"), [:]).contains(">own.key<"))
    }

    @Test("ready-made states accept an animation and an action for their button")
    func animationView() throws {
        let animation = try Image(blockingData: Shimmer().webpData())
        let failure = LoadingFailureStateViewConfiguration(
            animationView: animation, firstButtonAction: {})
        let offline = NoInternetConnectionStateViewConfiguration(firstButtonAction: {})
        #expect(failure.animation == animation && failure.firstButtonConfiguration != nil)
        #expect(offline.animation == nil && offline.firstButtonConfiguration != nil)
        #expect(NoResultsStateViewConfiguration(animationView: animation).animation == animation)
        #expect(try StateView(failure).html().contains("src=\"data:image/webp;base64,"))
    }

    @Test("plain and optional properties of a custom configuration look the same")
    func plainParts() throws {
        struct Plain: StateViewConfiguration {
            let iconName = "wallet"
            let title = "Title"
            let subtitle = "Plainly said"
            let firstButtonConfiguration = ButtonConfiguration(title: "Go on")
        }
        struct Optional: StateViewConfiguration {
            let iconName: String? = "wallet"
            let title = "Title"
            var subtitle: String? { "Plainly said" }
            let firstButtonConfiguration: ButtonConfiguration? = ButtonConfiguration(title: "Go on")
        }
        struct Icon: StateViewConfiguration {
            let iconName = Emblem.Icon.wallet
            let title = "Title"
        }
        let plain = StateView(Plain())
        #expect(try plain.svg().contains(">Plainly said<"))
        #expect(try plain.html() == StateView(Optional()).html())
        #expect(plain.press(.first) && !plain.press(.second))
        #expect(
            try StateView(Icon()).svg()
                == StateView(GenericStateViewConfiguration(iconName: "wallet", title: "Title"))
                .svg())
        let parts: [any StateViewConfiguration] = [Plain(), Optional(), Icon()]
        #expect(parts.map { $0._stateViewParts.subtitle } == ["Plainly said", "Plainly said", nil])
    }

    @Test("every component also has its prefixed name")
    func prefix() throws {
        let avatar: BB.Avatar = Avatar(layout: .small)
        let emblem = BB.AsyncEmblem(url: nil, layout: BB.Emblem.Layout.large)
        #expect(avatar.layout == .small && emblem.layout == .large)
        #expect(BB.Badge(text: "3") == Badge(text: "3"))
        #expect(BB.DesignSystem.shared === DesignSystem.shared)
        let style: BB.Style<BB.StateView.Settings> = { $0.padding = 1 }
        let view = BB.StateView(
            params: BB.StateViewInitParams(
                configuration: BB.NoResultsStateViewConfiguration(), style: style))
        #expect(view.settings.padding == 1)
    }
}
