import Artwork

/// A ready-made state with the texts, the icon and the button of its kind, which may be changed.
///
/// A ``TextBundle`` may replace the built-in texts. In an app, a view would show the state; here a
/// ``StateView`` draws it. The states have names, such as ``NoResultsStateViewConfiguration``, so
/// that a program never names a kind by its number.
public struct ReadyMadeStateViewConfiguration<let kind: Int>: StateViewConfiguration {
    public var iconName: String?
    public var animation: Image?
    public var title: String
    public var subtitle: String?
    public var firstButtonConfiguration: ButtonConfiguration?
    public var secondButtonConfiguration: ButtonConfiguration?
    public var thirdButtonConfiguration: ButtonConfiguration?

    /// Creates the state with its button, if its kind has one.
    ///
    /// - Parameter action: The action of the button.
    public init(action: @escaping @Sendable () -> Void = {}) {
        let state = StateKind.allCases[kind]
        let content = StateContent(state)
        iconName = state.icon.rawValue
        title = content.title
        subtitle = content.subtitle
        firstButtonConfiguration = content.buttons.first.map {
            ButtonConfiguration(title: $0.title, action: action)
        }
    }

    /// Creates the state with an animation instead of the icon.
    ///
    /// - Parameters:
    ///   - animationView: The animation. In an app it would be a view.
    ///   - firstButtonAction: The action of the button.
    public init(
        animationView: Image?, firstButtonAction: @escaping @Sendable () -> Void = {}
    ) {
        self.init(action: firstButtonAction)
        animation = animationView
    }

    /// Creates the state with another button, and with other texts.
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
        self.init(animationView: animationView)
        self.title = title ?? self.title
        self.subtitle = subtitle ?? self.subtitle
        firstButtonConfiguration = buttonConfiguration
    }
}

/// The state of a page that could not be loaded, with a button "Try again".
public typealias LoadingFailureStateViewConfiguration = ReadyMadeStateViewConfiguration<0>
/// The state of a device without an internet connection, with a button "Try again".
public typealias NoInternetConnectionStateViewConfiguration = ReadyMadeStateViewConfiguration<1>
/// The name of ``NoInternetConnectionStateViewConfiguration`` in some catalogues.
public typealias NoConnectionStateViewConfiguration = NoInternetConnectionStateViewConfiguration
/// The state of a search or list without results, without a button.
public typealias NoResultsStateViewConfiguration = ReadyMadeStateViewConfiguration<2>

/// A configuration whose texts have predefined keys.
protocol ReadyMadeConfiguration {
    var stateKind: StateKind { get }
}

extension ReadyMadeStateViewConfiguration: ReadyMadeConfiguration {
    var stateKind: StateKind { StateKind.allCases[kind] }
}

/// Any other state, such as a completed payment or an empty list of tasks.
///
/// In an app, a view would show the state; here a ``StateView`` draws it.
public struct GenericStateViewConfiguration: StateViewConfiguration {
    public var iconName: String?
    public var animation: Image?
    public var title: String
    public var subtitle: String?
    public var firstButtonConfiguration: ButtonConfiguration?
    public var secondButtonConfiguration: ButtonConfiguration?
    public var thirdButtonConfiguration: ButtonConfiguration?

    /// Creates a state.
    ///
    /// - Parameters:
    ///   - iconName: The name of a built-in icon, or the path of an image.
    ///   - title: The title, or its key in a ``TextBundle``.
    ///   - subtitle: The explanation, or its key in a ``TextBundle``.
    ///   - animationView: An animated image, shown instead of the icon. In an app it would be a
    ///     view.
    ///   - firstButtonConfiguration: The most prominent button.
    ///   - secondButtonConfiguration: The second button.
    ///   - thirdButtonConfiguration: The least prominent button.
    public init(
        iconName: String? = Emblem.Icon.check.rawValue, title: String, subtitle: String? = nil,
        animationView: Image? = nil, firstButtonConfiguration: ButtonConfiguration? = nil,
        secondButtonConfiguration: ButtonConfiguration? = nil,
        thirdButtonConfiguration: ButtonConfiguration? = nil
    ) {
        self.iconName = iconName
        animation = animationView
        self.title = title
        self.subtitle = subtitle
        self.firstButtonConfiguration = firstButtonConfiguration
        self.secondButtonConfiguration = secondButtonConfiguration
        self.thirdButtonConfiguration = thirdButtonConfiguration
    }

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
