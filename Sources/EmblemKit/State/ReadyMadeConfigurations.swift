import Artwork

/// A page could not be loaded.
///
/// A ``TextBundle`` may bring other texts for those that are ours. On Apple's systems a view shows
/// it; here a ``StateView`` draws it.
public struct LoadingFailureStateViewConfiguration: StateViewConfiguration {
    public var iconName: String?
    public var animation: Image?
    public var title: String
    public var subtitle: String?
    public var firstButtonConfiguration: ButtonConfiguration?
    public var secondButtonConfiguration: ButtonConfiguration?
    public var thirdButtonConfiguration: ButtonConfiguration?

    /// - Parameter action: what the button "Try again" does.
    public init(action: @escaping @Sendable () -> Void = {}) {
        let content = StateContent(.loadingFailure)
        iconName = StateKind.loadingFailure.icon.rawValue
        title = content.title
        subtitle = content.subtitle
        firstButtonConfiguration = content.buttons.first.map {
            ButtonConfiguration(title: $0.title, action: action)
        }
    }

    /// The same with a picture that moves in place of the icon.
    ///
    /// - Parameters:
    ///   - animationView: the animation; on Apple's systems a view that plays one.
    ///   - firstButtonAction: what the button "Try again" does.
    public init(
        animationView: Image? = nil, firstButtonAction: @escaping @Sendable () -> Void
    ) {
        self.init(action: firstButtonAction)
        animation = animationView
    }
}

/// There is no connection to the internet.
///
/// A ``TextBundle`` may bring other texts for those that are ours. On Apple's systems a view shows
/// it; here a ``StateView`` draws it.
public struct NoInternetConnectionStateViewConfiguration: StateViewConfiguration {
    public var iconName: String?
    public var animation: Image?
    public var title: String
    public var subtitle: String?
    public var firstButtonConfiguration: ButtonConfiguration?
    public var secondButtonConfiguration: ButtonConfiguration?
    public var thirdButtonConfiguration: ButtonConfiguration?

    /// - Parameter action: what the button "Try again" does.
    public init(action: @escaping @Sendable () -> Void = {}) {
        let content = StateContent(.noConnection)
        iconName = StateKind.noConnection.icon.rawValue
        title = content.title
        subtitle = content.subtitle
        firstButtonConfiguration = content.buttons.first.map {
            ButtonConfiguration(title: $0.title, action: action)
        }
    }

    /// The same with a picture that moves in place of the icon.
    ///
    /// - Parameters:
    ///   - animationView: the animation; on Apple's systems a view that plays one.
    ///   - firstButtonAction: what the button "Try again" does.
    public init(
        animationView: Image? = nil, firstButtonAction: @escaping @Sendable () -> Void
    ) {
        self.init(action: firstButtonAction)
        animation = animationView
    }
}

/// There is nothing to show.
///
/// A ``TextBundle`` may bring other texts for those that are ours. On Apple's systems a view shows
/// it; here a ``StateView`` draws it.
public struct NoResultsStateViewConfiguration: StateViewConfiguration {
    public var iconName: String?
    public var animation: Image?
    public var title: String
    public var subtitle: String?
    public var firstButtonConfiguration: ButtonConfiguration?
    public var secondButtonConfiguration: ButtonConfiguration?
    public var thirdButtonConfiguration: ButtonConfiguration?

    /// Without buttons, until some are set.
    public init() {
        let content = StateContent(.noResults)
        iconName = StateKind.noResults.icon.rawValue
        title = content.title
        subtitle = content.subtitle
    }

    /// The same with a picture that moves in place of the icon.
    public init(animationView: Image?) {
        self.init()
        animation = animationView
    }
}

/// Anything else: something went well, something has ended, something is to be done.
///
/// On Apple's systems a view shows it; here a ``StateView`` draws it.
public struct GenericStateViewConfiguration: StateViewConfiguration {
    public var iconName: String?
    public var animation: Image?
    public var title: String
    public var subtitle: String?
    public var firstButtonConfiguration: ButtonConfiguration?
    public var secondButtonConfiguration: ButtonConfiguration?
    public var thirdButtonConfiguration: ButtonConfiguration?

    /// - Parameters:
    ///   - iconName: a built-in icon by its name, or the path of a picture.
    ///   - animation: a picture that moves, shown instead of the icon.
    ///   - title: what has happened, or the key under which a ``TextBundle`` says it.
    ///   - subtitle: what it means, or the key under which a ``TextBundle`` says it.
    ///   - firstButtonConfiguration: the most prominent button.
    ///   - secondButtonConfiguration: the button below.
    ///   - thirdButtonConfiguration: the least prominent button.
    public init(
        iconName: String? = Emblem.Icon.check.rawValue, animation: Image? = nil, title: String,
        subtitle: String? = nil, firstButtonConfiguration: ButtonConfiguration? = nil,
        secondButtonConfiguration: ButtonConfiguration? = nil,
        thirdButtonConfiguration: ButtonConfiguration? = nil
    ) {
        self.iconName = iconName
        self.animation = animation
        self.title = title
        self.subtitle = subtitle
        self.firstButtonConfiguration = firstButtonConfiguration
        self.secondButtonConfiguration = secondButtonConfiguration
        self.thirdButtonConfiguration = thirdButtonConfiguration
    }
}

/// A configuration whose texts have keys of their own.
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
