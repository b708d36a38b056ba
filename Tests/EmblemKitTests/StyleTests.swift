import EmblemKit
import FoundationEssentials
import Testing

extension SharedStateTests {
    @Suite("The style of a component")
    struct StyleTests {
        @Test("a state view has the settings of the theme and a graphic of 144 points by default")
        func defaults() throws {
            let settings = StateView.Settings(theme: .builtIn)
            #expect(settings.iconOrAnimationSize == .init(width: 144, height: 144))
            #expect(settings.insets == EdgeInsets() && settings.subtitle.weight == .light)
            #expect(settings.title.color == Theme.builtIn.colors.foreground.default)
            #expect(settings.firstButton.background == Theme.builtIn.colors.background.brand)
            let tokens = ##"{"theme":{"dimension":{"state-view":{"graphic":96}}}}"##
            let theme = try Theme(name: "small", json: Array(tokens.utf8))
            #expect(StateView.Settings(theme: theme).iconOrAnimationSize == .init(96))
        }

        @Test("every setting of a state view affects its drawing")
        func effects() throws {
            let red = ThemeColor(try #require(ThemeColor.Shade(hex: "#D00010")))
            let styles: [Style<StateView.Settings>] = [
                { $0.iconOrAnimationSize = .init(96) }, { $0.appearance = .danger },
                { $0.background = red }, { $0.width = 420 }, { $0.padding = 40 },
                { $0.title.size = 30 }, { $0.title.weight = .bold }, { $0.title.lineHeight = 50 },
                { $0.title.color = red }, { $0.subtitle.size = 12 }, { $0.subtitle.color = red },
                { $0.titleMaxWidth = 60 }, { $0.subtitleMaxWidth = 60 },
                { $0.firstButton.background = red }, { $0.firstButton.text.color = red },
                { $0.firstButton.text.size = 24 }, { $0.firstButton.height = 70 },
                { $0.firstButton.cornerRadius = 0 }, { $0.firstButton.padding = 50 },
                { $0.secondButton.background = red }, { $0.thirdButton.background = red },
                { $0.spaceBelowGraphic = 60 }, { $0.spaceBelowTitle = 60 },
                { $0.spaceAboveButtons = 60 }, { $0.spaceBetweenButtons = 60 },
                { $0.textSize = .accessibility5 }, { $0.cornerRadius = 20 },
                {
                    $0.cornerRadius = 20
                    $0.clipsToBounds = true
                }, { $0.subtitle.weight = .medium },
            ]
            let button = ButtonConfiguration(title: "Go on")
            let state = GenericStateViewConfiguration(
                title: "Payment done", subtitle: "All is well", firstButtonConfiguration: button,
                secondButtonConfiguration: button, thirdButtonConfiguration: button)
            func svg(_ style: @escaping Style<StateView.Settings>) throws -> String {
                try StateView(params: StateViewInitParams(configuration: state, style: style)).svg()
            }
            let drawn = try styles.map(svg) + [svg { _ in }]
            #expect(Set(drawn).count == styles.count + 1)
        }
    }
}
