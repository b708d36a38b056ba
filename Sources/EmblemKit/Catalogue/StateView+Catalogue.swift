import Artwork

/// The name of ``NoInternetConnectionStateViewConfiguration`` in some catalogues.
public typealias NoConnectionStateViewConfiguration = NoInternetConnectionStateViewConfiguration

extension LoadingFailureStateViewConfiguration {
    /// Creates the state with another button than "Try again", and with other texts.
    ///
    /// - Parameters:
    ///   - title: The title; `nil` keeps the built-in one.
    ///   - subtitle: The subtitle; `nil` keeps the built-in one.
    ///   - animationView: The animation, shown instead of the icon.
    ///   - buttonConfiguration: The first button; `nil` removes it.
    public init(
        title: String? = nil, subtitle: String? = nil, animationView: Image? = nil,
        buttonConfiguration: ButtonConfiguration?
    ) {
        self.init(animationView: animationView, firstButtonAction: {})
        self.title = title ?? self.title
        self.subtitle = subtitle ?? self.subtitle
        firstButtonConfiguration = buttonConfiguration
    }
}

extension NoInternetConnectionStateViewConfiguration {
    /// Creates the state with another button than "Try again", and with other texts.
    ///
    /// - Parameters:
    ///   - title: The title; `nil` keeps the built-in one.
    ///   - subtitle: The subtitle; `nil` keeps the built-in one.
    ///   - animationView: The animation, shown instead of the icon.
    ///   - buttonConfiguration: The first button; `nil` removes it.
    public init(
        title: String? = nil, subtitle: String? = nil, animationView: Image? = nil,
        buttonConfiguration: ButtonConfiguration?
    ) {
        self.init(animationView: animationView, firstButtonAction: {})
        self.title = title ?? self.title
        self.subtitle = subtitle ?? self.subtitle
        firstButtonConfiguration = buttonConfiguration
    }
}

extension NoResultsStateViewConfiguration {
    /// Creates the state with a button, and with other texts.
    ///
    /// - Parameters:
    ///   - title: The title; `nil` keeps the built-in one.
    ///   - subtitle: The subtitle; `nil` keeps the built-in one.
    ///   - animationView: The animation, shown instead of the icon.
    ///   - buttonConfiguration: The first button.
    public init(
        title: String? = nil, subtitle: String? = nil, animationView: Image? = nil,
        buttonConfiguration: ButtonConfiguration?
    ) {
        self.init(animationView: animationView)
        self.title = title ?? self.title
        self.subtitle = subtitle ?? self.subtitle
        firstButtonConfiguration = buttonConfiguration
    }
}

extension GenericStateViewConfiguration {
    /// Creates a state with one button.
    public init(
        iconName: String? = Emblem.Icon.check.rawValue, title: String, subtitle: String? = nil,
        buttonConfiguration: ButtonConfiguration?
    ) {
        self.init(
            iconName: iconName, title: title, subtitle: subtitle,
            firstButtonConfiguration: buttonConfiguration)
    }

    /// Creates a state with a built-in icon.
    public init(
        iconName: Emblem.Icon, title: String, subtitle: String? = nil, animationView: Image? = nil,
        firstButtonConfiguration: ButtonConfiguration? = nil,
        secondButtonConfiguration: ButtonConfiguration? = nil,
        thirdButtonConfiguration: ButtonConfiguration? = nil
    ) {
        self.init(
            iconName: iconName.rawValue, title: title, subtitle: subtitle,
            animationView: animationView, firstButtonConfiguration: firstButtonConfiguration,
            secondButtonConfiguration: secondButtonConfiguration,
            thirdButtonConfiguration: thirdButtonConfiguration)
    }

    /// Creates a state whose animation is named before the title.
    public init(
        iconName: String? = Emblem.Icon.check.rawValue, animation: Image?, title: String,
        subtitle: String? = nil, firstButtonConfiguration: ButtonConfiguration? = nil,
        secondButtonConfiguration: ButtonConfiguration? = nil,
        thirdButtonConfiguration: ButtonConfiguration? = nil
    ) {
        self.init(
            iconName: iconName, title: title, subtitle: subtitle, animationView: animation,
            firstButtonConfiguration: firstButtonConfiguration,
            secondButtonConfiguration: secondButtonConfiguration,
            thirdButtonConfiguration: thirdButtonConfiguration)
    }
}

extension [TextBundle] {
    /// The texts next to the program: ``TextBundle/main`` alone, for `bundles: .main`.
    public static var main: [TextBundle] { [.main] }
}

/// The parts of a state view, as the views of an app that can be read.
extension StateView {
    /// A text of a state view and its style. Corresponds to `UILabel`.
    public struct Label: Hashable, Sendable {
        /// The text, after replacement by a bundle.
        public let text: String
        /// The style of the text.
        public let settings: TextSettings
    }

    /// The title.
    public var titleLabel: Label {
        Label(text: text(params.configuration.title, .title), settings: settings.title)
    }

    /// The subtitle, if there is one.
    public var subtitleLabel: Label? {
        params.configuration._stateViewParts.subtitle.map {
            Label(text: text($0, .subtitle), settings: settings.subtitle)
        }
    }

    /// The first button, with its title after replacement by a bundle.
    public var firstButton: ButtonConfiguration? { translated(.first) }

    /// The second button, with its title after replacement by a bundle.
    public var secondButton: ButtonConfiguration? { translated(.second) }

    /// The third button, with its title after replacement by a bundle.
    public var thirdButton: ButtonConfiguration? { translated(.third) }

    /// The animation, otherwise the icon. A file that cannot be read fails when it is drawn.
    public var imageView: Image? {
        let parts = params.configuration._stateViewParts
        return parts.animation ?? parts.iconName.map { Image($0) }
    }

    private func translated(_ button: Button) -> ButtonConfiguration? {
        guard var configuration = self.button(button) else { return nil }
        configuration.title = text(configuration.title, .button)
        return configuration
    }
}
