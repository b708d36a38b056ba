import Artwork

/// The state of a page that could not be loaded.
///
/// A ``TextBundle`` may replace the built-in texts. In an app, a view would show the state; here a
/// ``StateView`` draws it.
public struct LoadingFailureStateViewConfiguration: StateViewConfiguration {
    public var iconName: String?
    public var animation: Image?
    public var title: String
    public var subtitle: String?
    public var firstButtonConfiguration: ButtonConfiguration?
    public var secondButtonConfiguration: ButtonConfiguration?
    public var thirdButtonConfiguration: ButtonConfiguration?

    /// Creates the state with a button "Try again".
    ///
    /// - Parameter action: The action of the button.
    public init(action: @escaping @Sendable () -> Void = {}) {
        let content = StateContent(.loadingFailure)
        iconName = StateKind.loadingFailure.icon.rawValue
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
    ///   - firstButtonAction: The action of the button "Try again".
    public init(
        animationView: Image? = nil, firstButtonAction: @escaping @Sendable () -> Void
    ) {
        self.init(action: firstButtonAction)
        animation = animationView
    }
}

/// The state of a device without an internet connection.
///
/// A ``TextBundle`` may replace the built-in texts. In an app, a view would show the state; here a
/// ``StateView`` draws it.
public struct NoInternetConnectionStateViewConfiguration: StateViewConfiguration {
    public var iconName: String?
    public var animation: Image?
    public var title: String
    public var subtitle: String?
    public var firstButtonConfiguration: ButtonConfiguration?
    public var secondButtonConfiguration: ButtonConfiguration?
    public var thirdButtonConfiguration: ButtonConfiguration?

    /// Creates the state with a button "Try again".
    ///
    /// - Parameter action: The action of the button.
    public init(action: @escaping @Sendable () -> Void = {}) {
        let content = StateContent(.noConnection)
        iconName = StateKind.noConnection.icon.rawValue
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
    ///   - firstButtonAction: The action of the button "Try again".
    public init(
        animationView: Image? = nil, firstButtonAction: @escaping @Sendable () -> Void
    ) {
        self.init(action: firstButtonAction)
        animation = animationView
    }
}

/// The state of a search or list without results.
///
/// A ``TextBundle`` may replace the built-in texts. In an app, a view would show the state; here a
/// ``StateView`` draws it.
public struct NoResultsStateViewConfiguration: StateViewConfiguration {
    public var iconName: String?
    public var animation: Image?
    public var title: String
    public var subtitle: String?
    public var firstButtonConfiguration: ButtonConfiguration?
    public var secondButtonConfiguration: ButtonConfiguration?
    public var thirdButtonConfiguration: ButtonConfiguration?

    /// Creates the state without buttons. Buttons can be set afterwards.
    public init() {
        let content = StateContent(.noResults)
        iconName = StateKind.noResults.icon.rawValue
        title = content.title
        subtitle = content.subtitle
    }

    /// Creates the state with an animation instead of the icon.
    public init(animationView: Image?) {
        self.init()
        animation = animationView
    }
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
}

/// A configuration whose texts have predefined keys.
protocol ReadyMadeConfiguration: StateViewConfiguration {
    var kind: StateKind { get }
}

extension LoadingFailureStateViewConfiguration: ReadyMadeConfiguration {
    var kind: StateKind { .loadingFailure }
}

extension NoInternetConnectionStateViewConfiguration: ReadyMadeConfiguration {
    var kind: StateKind { .noConnection }
}

extension NoResultsStateViewConfiguration: ReadyMadeConfiguration {
    var kind: StateKind { .noResults }
}
