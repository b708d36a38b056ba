/// What a state view says and shows.
package struct StateContent: Sendable {
    /// One button; what it does is up to whoever shows it.
    package struct Button: Hashable, Sendable {
        package var title: String
        /// Full width with this much room at either side; nil is as wide as its title.
        package var horizontalSpacers: Double?
        /// Where a page leads; nil makes a button without a link.
        package var link: String?

        package init(title: String, horizontalSpacers: Double? = nil, link: String? = nil) {
            self.title = title
            self.horizontalSpacers = horizontalSpacers
            self.link = link
        }
    }

    package static let buttonsLimit = 3

    package var icon: StateGraphic?
    /// Shown instead of the icon.
    package var animation: StateAnimation?
    package var title: String
    package var subtitle: String
    /// At most three; more are left out.
    package var buttons: [Button]

    package init(
        icon: StateGraphic? = nil, animation: StateAnimation? = nil, title: String = "",
        subtitle: String = "", buttons: [Button] = []
    ) {
        self.icon = icon
        self.animation = animation
        self.title = title
        self.subtitle = subtitle
        self.buttons = buttons
    }

    /// A ready-made state in the words of `texts`.
    package init(_ kind: StateKind, texts: StateTexts = StateTexts()) {
        self.init(
            icon: .icon(kind.icon), title: texts[kind, .title] ?? "",
            subtitle: texts[kind, .subtitle] ?? "",
            buttons: texts[kind, .button].map { [Button(title: $0)] } ?? [])
    }
}

/// The ready-made states.
package enum StateKind: String, CaseIterable, Hashable, Sendable {
    case loadingFailure = "loading-failure"
    case noConnection = "no-connection"
    case noResults = "no-results"
    /// Anything else, for example success.
    case generic

    /// The icon that comes with it.
    package var icon: BuiltInIcon {
        switch self {
        case .loadingFailure: .warning
        case .noConnection: .wifiOff
        case .noResults: .searchOff
        case .generic: .check
        }
    }
}
