import EmblemKit
import Foundation

/// The state of a blocked card.
struct CardBlocked: StateViewConfiguration {
    let iconName: String? = "card"
    let title = "Your card is blocked"
    let subtitle: String? = "Payments fail until you unblock it."
    let firstButtonConfiguration: ButtonConfiguration?

    init(unblock: @escaping @Sendable () -> Void) {
        firstButtonConfiguration = ButtonConfiguration(
            title: "Unblock", horizontalSpacers: 24, action: unblock)
    }
}

/// The state views in the documentation.
enum StateViews {
    static func failure(to file: URL) throws {
        let view = StateView(
            params: StateViewInitParams(
                configuration: LoadingFailureStateViewConfiguration { print("again") }))
        try view.render(scale: 2).pngData().write(to: file)
        view.press(.first)
    }

    static func styles() -> StateView {
        let roomy: Style<StateView.Settings> = { $0.padding = 40 }
        let small: Style<StateView.Settings> = { $0.iconOrAnimationSize = .init(96) }
        let view = StateView(
            params: StateViewInitParams(
                configuration: NoResultsStateViewConfiguration(), style: roomy <> small))
        return view
    }

    static func card() -> StateView {
        let card: Style<StateView.Settings> = {
            $0.background = ThemeColor(.init(red: 20, green: 125, blue: 60))
            $0.cornerRadius = 8
            $0.clipsToBounds = true
            $0.padding = DesignSystem.shared.spacer.md
        }
        return StateView(
            params: StateViewInitParams(
                configuration: NoResultsStateViewConfiguration(), style: card))
    }

    static func texts() throws -> String {
        let german: TextBundle = [
            "stateView.noResultsTitle": "Nichts gefunden",
            "stateView.noResultsSubtitle": "Versuche es mit anderen Worten",
        ]
        let view = StateView(
            params: StateViewInitParams(
                configuration: NoResultsStateViewConfiguration(), bundles: [german]))
        return try view.svg()
    }

    static func page(to file: URL) throws {
        let done = GenericStateViewConfiguration(
            title: "Payment complete",
            subtitle: "Your receipt is on its way",
            firstButtonConfiguration: ButtonConfiguration(
                title: "Done", horizontalSpacers: .zero,
                link: URL(string: "https://shop.example/")),
            secondButtonConfiguration: ButtonConfiguration(title: "View receipt"))
        let view = StateView(
            params: StateViewInitParams(
                configuration: done, style: { $0.appearance = .success },
                subtitleLabelMaxWidth: 200))
        try view.html().write(to: file, atomically: true, encoding: .utf8)
    }

    static func blocked() -> Bool {
        let view = StateView(CardBlocked { print("unblocked") })
        return view.press(.first)
    }
}
