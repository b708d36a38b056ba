import EmblemKit
import Foundation
import Synchronization
import Testing

/// A state of an app, with two buttons and no third.
private struct NoCards: BB.StateViewConfiguration {
    var iconName: String? = "card"
    var title: String = "No cards yet"
    var subtitle: String? = "Order one, it takes two days."
    var firstButtonConfiguration: ButtonConfiguration?
    var secondButtonConfiguration: ButtonConfiguration?

    init(order: @escaping @Sendable () -> Void, help: @escaping @Sendable () -> Void) {
        firstButtonConfiguration = ButtonConfiguration(
            title: "Order a card", horizontalSpacers: .init(value: 16), action: order)
        secondButtonConfiguration = ButtonConfiguration(title: "Help", action: help)
    }
}

/// A state of an app with an animation.
private struct Syncing: StateViewConfiguration {
    let title = "Synchronising"
    let animationView: EmblemKit.Image?
}

extension Catalogue {
    @Suite("State views")
    struct StateViews {
        private func view(
            _ configuration: any StateViewConfiguration,
            _ style: @escaping Style<StateView.Settings> = { _ in }
        ) -> BB.StateView {
            BB.StateView(params: StateViewInitParams(configuration: configuration, style: style))
        }

        @Test("a ready-made state takes another button")
        func readyMade() throws {
            let presses = Mutex(0)
            let again = ButtonConfiguration(title: "Reload", horizontalSpacers: .zero) {
                presses.withLock { $0 += 1 }
            }
            let states: [any StateViewConfiguration] = [
                LoadingFailureStateViewConfiguration(buttonConfiguration: again),
                NoInternetConnectionStateViewConfiguration(buttonConfiguration: again),
                NoResultsStateViewConfiguration(buttonConfiguration: again),
            ]
            for state in states {
                let view = view(state)
                #expect(try view.svg().contains(">Reload</text>"))
                #expect(view.press(.first))
                #expect(view.firstButton?.title == "Reload" && view.secondButton == nil)
            }
            #expect(presses.withLock { $0 } == 3)
            let action = LoadingFailureStateViewConfiguration(
                animationView: nil, firstButtonAction: { presses.withLock { $0 += 1 } })
            view(action).press(.first)
            #expect(presses.withLock { $0 } == 4)
        }

        @Test("no results can have no button, one button, or two")
        func noResults() throws {
            var state = NoResultsStateViewConfiguration()
            let none = try view(state).render()
            state.firstButtonConfiguration = ButtonConfiguration(
                title: "Clear the search", horizontalSpacers: .zero)
            let one = try view(state).render()
            state.secondButtonConfiguration = ButtonConfiguration(title: "Go back")
            let two = try view(state).render()
            #expect(none.width == one.width && one.width == two.width)
            #expect(none.height < one.height && one.height < two.height)
        }

        @Test("a success is a generic state with the icon of the catalogue")
        func success() throws {
            let state = GenericStateViewConfiguration(
                iconName: DesignSystem.Assets.icStateViewSuccess,
                title: "Payment sent",
                subtitle: "It arrives tomorrow",
                animationView: nil,
                firstButtonConfiguration: ButtonConfiguration(
                    title: "Done", horizontalSpacers: .init(value: 24), action: {}),
                secondButtonConfiguration: ButtonConfiguration(title: "Share"),
                thirdButtonConfiguration: nil)
            let view = view(state) { $0.appearance = .success }
            let pixels = try Pixels(view.render(scale: 2))
            #expect(pixels.colorCount > 10 && pixels.height > pixels.width / 2)
            #expect(view.titleLabel.text == "Payment sent")
            #expect(view.subtitleLabel?.text == "It arrives tomorrow")
            #expect(view.secondButton?.title == "Share" && view.thirdButton == nil)
            #expect(view.imageView == Image(icon: .check))
            #expect(
                try view.svg()
                    == self.view(
                        GenericStateViewConfiguration(
                            iconName: .check, title: "Payment sent",
                            subtitle: "It arrives tomorrow",
                            firstButtonConfiguration: state.firstButtonConfiguration,
                            secondButtonConfiguration: state.secondButtonConfiguration)
                    ) { $0.appearance = .success }.svg())
        }

        @Test("a card has round corners, a background, and a padding of four sides")
        func card() throws {
            let green = UIColor(red: 0.9, green: 1, blue: 0.9, alpha: 1)
            let card = view(NoResultsStateViewConfiguration()) { stateView in
                stateView.backgroundColor = green
                stateView.layer.cornerRadius = 8
                stateView.clipsToBounds = true
                stateView.padding = .init(top: 24, left: 16, bottom: 24, right: 16)
            }
            let pixels = try Pixels(card.render())
            let edge = Pixel(green.light)
            #expect(pixels[0, 0] == .clear && pixels[pixels.width - 1, pixels.height - 1] == .clear)
            #expect(pixels[0, pixels.height / 2] == edge && pixels[pixels.width / 2, 0] == edge)
            #expect(try card.svg().contains("rx=\"8\""))
            #expect(try card.html().contains("border-radius"))
        }

        @Test("an animation is shown instead of the icon under both of its names")
        func animation() throws {
            let animation = try Image(blockingData: Shimmer().webpData())
            let states: [any StateViewConfiguration] = [
                Syncing(animationView: animation),
                GenericStateViewConfiguration(title: "Synchronising", animationView: animation),
                GenericStateViewConfiguration(animation: animation, title: "Synchronising"),
            ]
            for state in states {
                #expect(view(state).imageView == animation)
                #expect(try view(state).html().contains("src=\"data:image/webp;base64,"))
            }
            #expect(
                LoadingFailureStateViewConfiguration(
                    animationView: animation, buttonConfiguration: nil
                ).animationView == animation)
        }

        @Test("a state of the app has two buttons and calls their actions")
        func custom() throws {
            let presses = Mutex<[String]>([])
            let state = NoCards(
                order: { presses.withLock { $0.append("order") } },
                help: { presses.withLock { $0.append("help") } })
            let view = view(state)
            #expect(view.press(.first) && view.press(.second) && !view.press(.third))
            #expect(presses.withLock { $0 } == ["order", "help"])
            let html = try view.html()
            #expect(html.contains("Order a card") && html.contains("Help"))
        }

        @Test("texts of the main bundle and of several bundles replace the built-in ones")
        func bundles() throws {
            let german: TextBundle = [
                "DesignSystem.stateView.noConnectionTitle": "Keine Verbindung",
                "DesignSystem.stateView.noConnectionButton": "Nochmal",
            ]
            let plain = BB.StateView(
                params: StateViewInitParams(
                    configuration: NoInternetConnectionStateViewConfiguration(), bundles: .main))
            #expect(plain.titleLabel.text == "No internet connection")
            let both = BB.StateView(
                params: StateViewInitParams(
                    configuration: NoInternetConnectionStateViewConfiguration(),
                    bundles: [german] + .main))
            #expect(both.titleLabel.text == "Keine Verbindung")
            #expect(both.firstButton?.title == "Nochmal")
        }

        @Test(
            "each key of a ready-made state has an English text",
            arguments: [
                ("loadingFailureTitle", "Couldn't load page"),
                ("loadingFailureSubtitle", "Something went wrong"),
                ("loadingFailureButton", "Try again"),
                ("noConnectionTitle", "No internet connection"),
                ("noConnectionSubtitle", "It seems that you're not online"),
                ("noConnectionButton", "Try again"),
                ("noResultsTitle", "No results to show"),
                ("noResultsSubtitle", "We couldn't find anything to show here"),
            ])
        func keys(key: String, text: String) {
            let state = GenericStateViewConfiguration(title: "DesignSystem.stateView.\(key)")
            #expect(view(state).titleLabel.text == text)
        }

        @Test("maximum widths wrap the title and the subtitle")
        func widths() throws {
            func height(_ title: Double?, _ subtitle: Double?) throws -> Int {
                try BB.StateView(
                    params: StateViewInitParams(
                        configuration: NoResultsStateViewConfiguration(),
                        titleLabelMaxWidth: title, subtitleLabelMaxWidth: subtitle)
                ).render().height
            }
            let wide = try height(nil, nil)
            #expect(try height(120, nil) > wide && height(nil, 120) > wide)
        }

        @Test("a style sets colours, padding and the styles of labels and buttons")
        func style() throws {
            let green = UIColor(red: 0.1, green: 0.5, blue: 0.2, alpha: 1)
            let card: Style<StateView.Settings> = { stateView in
                stateView.backgroundColor = green
                stateView.padding = .init(top: 8, left: 16, bottom: 24, right: 16)
                stateView.iconOrAnimationSize = .init(width: 100, height: 80)
                stateView.titleLabelStyle = { label in
                    label.font = DesignSystem.shared.fonts.preferredFont(.title1, .bold)
                    label.textColor = .white
                }
                stateView.subtitleLabelStyle = { label in
                    label.font = DesignSystem.shared.fonts.preferredFont(.subheadline, .light)
                    label.textColor = DesignSystem.shared.colors.foreground.subtle
                }
                stateView.firstButtonStyle = { button in
                    button.backgroundColor = .black
                    button.cornerRadius = DesignSystem.shared.cornerRadius.full
                }
                stateView.secondButtonStyle = { $0.text.textColor = .white }
                stateView.thirdButtonStyle = { $0.height = 60 }
            }
            let settings = view(NoResultsStateViewConfiguration(), card).settings
            #expect(settings.insets == EdgeInsets(top: 8, leading: 16, bottom: 24, trailing: 16))
            #expect(settings.iconOrAnimationSize == StateView.Size(width: 100, height: 80))
            #expect(settings.title.size == 28 && settings.title.weight == .bold)
            #expect(settings.title.color == .white && settings.title.lineHeight == 34)
            #expect(settings.subtitle.size == 15 && settings.subtitle.weight == .light)
            #expect(settings.firstButton.background == .black)
            #expect(settings.firstButton.cornerRadius > 1000)
            #expect(settings.secondButton.text.color == .white)
            #expect(settings.thirdButton.height == 60)
            let image = try view(NoResultsStateViewConfiguration(), card).render()
            let pixels = try Pixels(image)
            #expect(pixels[pixels.width / 2, 2] == Pixel(green.light))
        }

        @Test("the style of a label can be combined with a later one")
        func combined() throws {
            let bold: Style<TextSettings> = { $0.weight = .bold }
            let red: Style<UILabel> = { $0.textColor = UIColor(red: 1, green: 0, blue: 0) }
            let style: Style<StateView.Settings> = { stateView in
                stateView.titleLabelStyle = bold
                let both = stateView.titleLabelStyle.map { $0 <> red }
                stateView.titleLabelStyle = both
                stateView.subtitleLabelStyle = nil
            }
            let settings = view(NoResultsStateViewConfiguration(), style).settings
            let plain = view(NoResultsStateViewConfiguration()).settings
            #expect(settings.title.weight == .bold)
            #expect(
                settings.title.color == ThemeColor(ThemeColor.Shade(red: 255, green: 0, blue: 0)))
            #expect(settings.subtitle == plain.subtitle)
        }

        @Test("a style is the global style joined with changes by an operator")
        func operators() throws {
            defer { DesignSystem.shared.styles.stateView = { _ in } }
            DesignSystem.shared.styles.stateView = { $0.padding = DesignSystem.shared.spacer.lg }
            let style: BB.Style<BB.StateView.Settings> =
                DesignSystem.shared.styles.stateView <> { stateView in
                    stateView.backgroundColor = .clear
                }
            let settings = view(NoResultsStateViewConfiguration(), style).settings
            #expect(settings.insets == EdgeInsets(DesignSystem.shared.spacer.lg))
            #expect(settings.background == .clear)
            let pixels = try Pixels(view(NoResultsStateViewConfiguration(), style).render())
            #expect(pixels[0, 0] == .clear && pixels.colorCount > 2)
        }

        @Test("padding accepts a number for all sides, or insets")
        func padding() {
            var settings = StateView.Settings(theme: .builtIn)
            settings.padding = 12
            #expect(settings.insets == EdgeInsets(12))
            settings.padding = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
            #expect(settings.insets.leading == 2 && settings.insets.trailing == 4)
            settings.padding = .zero
            #expect(settings.insets == .zero)
            let number = settings.padding
            #expect(number + 1 == 1)
        }

        @Test("named text styles have the sizes of Apple platforms and grow with the text size")
        func fonts() throws {
            let fonts = DesignSystem.shared.fonts
            let sizes = DesignSystem.Fonts.TextStyle.allCases.map { fonts.preferredFont($0).size }
            #expect(sizes == [34, 28, 22, 20, 17, 17, 16, 15, 13, 12, 11])
            #expect(fonts.preferredFont(.headline).weight == .semibold)
            #expect(fonts.preferredFont(.body, .regular) == UIFont(size: 17, lineHeight: 22))
            func height(_ size: TextSize) throws -> Int {
                try view(NoResultsStateViewConfiguration()) { $0.textSize = size }.render().height
            }
            #expect(try height(.accessibility5) > height(.large))
        }

        @Test("light text is drawn with thinner strokes than regular text")
        func light() throws {
            func ink(_ weight: TextSettings.Weight) throws -> Int {
                let state = GenericStateViewConfiguration(iconName: nil, title: "Handgloves")
                let pixels = try Pixels(
                    view(state) { stateView in
                        stateView.title.weight = weight
                        stateView.title.color = .black
                        stateView.background = .white
                    }.render(scale: 4))
                var ink = 0
                for y in 0..<pixels.height {
                    for x in 0..<pixels.width { ink += 255 - Int(pixels[x, y].green) }
                }
                return ink
            }
            #expect(try ink(.light) < ink(.regular) && ink(.regular) < ink(.bold))
        }
    }
}
