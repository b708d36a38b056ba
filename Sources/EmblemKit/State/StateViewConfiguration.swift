import FoundationEssentials

/// The texts, graphic and buttons of a state view.
///
/// Conform your own type, of which only the title is required, or use a ready-made one:
/// ``LoadingFailureStateViewConfiguration``, ``NoInternetConnectionStateViewConfiguration``,
/// ``NoResultsStateViewConfiguration``, ``GenericStateViewConfiguration``.
///
/// Every property except the title may be declared as a non-optional type or as an optional, such
/// as `String` or `String?`; ``StateViewPart`` accepts both. A property that is not declared is
/// `nil`. A property of another type, such as a subtitle that is a number, does not compile.
///
/// On Apple platforms, icons and animations are resources of a bundle. Here an icon is a name or a
/// path, and an animation is an animated image.
public protocol StateViewConfiguration: Sendable {
    /// The type of the icon name: `String`, `String?` or ``Emblem/Icon``.
    associatedtype IconName = String?
    /// The type of the animation: ``Image`` or `Image?`.
    associatedtype Animation = Image?
    /// The type of the animation under its other name: ``Image`` or `Image?`.
    associatedtype AnimationView = Image?
    /// The type of the subtitle: `String` or `String?`.
    associatedtype Subtitle = String?
    /// The type of the first button: ``ButtonConfiguration`` or an optional one.
    associatedtype FirstButton = ButtonConfiguration?
    /// The type of the second button: ``ButtonConfiguration`` or an optional one.
    associatedtype SecondButton = ButtonConfiguration?
    /// The type of the third button: ``ButtonConfiguration`` or an optional one.
    associatedtype ThirdButton = ButtonConfiguration?
    /// The type of the list of buttons: an array of ``ButtonConfiguration`` or an optional one.
    associatedtype Buttons = [ButtonConfiguration]?

    /// The name of a built-in icon (``Emblem/Icon``), or the path of an image. With `nil` there is
    /// no graphic.
    var iconName: IconName { get }
    /// An animated WebP, GIF, PNG or SVG, shown instead of the icon. HTML pages play it; images
    /// show its first frame.
    var animation: Animation { get }
    /// The animation under the name that some catalogues use. It takes precedence over
    /// `animation`.
    var animationView: AnimationView { get }
    /// The title.
    var title: String { get }
    /// The explanation, or the recommended action.
    var subtitle: Subtitle { get }
    /// The most prominent button.
    var firstButtonConfiguration: FirstButton { get }
    /// The second button.
    var secondButtonConfiguration: SecondButton { get }
    /// The least prominent button.
    var thirdButtonConfiguration: ThirdButton { get }
    /// At most three buttons, from the most to the least prominent, in place of the three
    /// properties. A property that is declared as well replaces the button at its position.
    var buttons: Buttons { get }

    /// All parts except the title. Do not implement it: the default exists only if every property
    /// has an accepted type, so that a property of another type is an error of the compiler.
    var _stateViewParts: StateViewParts { get }
}

extension StateViewConfiguration where IconName == String? {
    /// No icon.
    public var iconName: String? { nil }
}

extension StateViewConfiguration where Animation == Image? {
    /// No animation.
    public var animation: Image? { nil }
}

extension StateViewConfiguration
where Animation: StateViewPart<Image>, AnimationView == Image? {
    /// The animation.
    public var animationView: Image? { animation._stateViewPart }
}

extension StateViewConfiguration where Subtitle == String? {
    /// No subtitle.
    public var subtitle: String? { nil }
}

extension StateViewConfiguration where FirstButton == ButtonConfiguration? {
    /// No first button.
    public var firstButtonConfiguration: ButtonConfiguration? { nil }
}

extension StateViewConfiguration where SecondButton == ButtonConfiguration? {
    /// No second button.
    public var secondButtonConfiguration: ButtonConfiguration? { nil }
}

extension StateViewConfiguration where ThirdButton == ButtonConfiguration? {
    /// No third button.
    public var thirdButtonConfiguration: ButtonConfiguration? { nil }
}

extension StateViewConfiguration where Buttons == [ButtonConfiguration]? {
    /// No list of buttons.
    public var buttons: [ButtonConfiguration]? { nil }
}

extension StateViewConfiguration
where
    IconName: StateViewPart<String>, Animation: StateViewPart<Image>,
    AnimationView: StateViewPart<Image>, Subtitle: StateViewPart<String>,
    FirstButton: StateViewPart<ButtonConfiguration>,
    SecondButton: StateViewPart<ButtonConfiguration>,
    ThirdButton: StateViewPart<ButtonConfiguration>,
    Buttons: StateViewPart<[ButtonConfiguration]>
{
    public var _stateViewParts: StateViewParts {
        StateViewParts(
            iconName: iconName._stateViewPart,
            animation: animationView._stateViewPart ?? animation._stateViewPart,
            subtitle: subtitle._stateViewPart,
            buttons: [
                firstButtonConfiguration._stateViewPart,
                secondButtonConfiguration._stateViewPart,
                thirdButtonConfiguration._stateViewPart,
            ],
            list: buttons._stateViewPart ?? [])
    }
}

/// The values of a configuration, each as an optional.
public struct StateViewParts: Sendable {
    /// The name or path of the icon.
    public let iconName: String?
    /// The animation.
    public let animation: Image?
    /// The subtitle.
    public let subtitle: String?
    /// The three buttons, from the most to the least prominent.
    public let buttons: [ButtonConfiguration?]
    /// The number of buttons beyond the third, which a state view cannot show.
    let surplusCount: Int

    init(
        iconName: String?, animation: Image?, subtitle: String?, buttons: [ButtonConfiguration?],
        list: [ButtonConfiguration]
    ) {
        self.iconName = iconName
        self.animation = animation
        self.subtitle = subtitle
        self.buttons = buttons.enumerated().map { index, button in
            button ?? (index < list.count ? list[index] : nil)
        }
        surplusCount = max(0, list.count - buttons.count)
    }
}

/// A part of a state view that a configuration may declare as a non-optional type or an optional.
///
/// Without this protocol, a default implementation for the optional would silently hide a
/// non-optional property of the same name.
public protocol StateViewPart<StateViewValue> {
    /// The type of the value. The long names of this protocol avoid collisions with members of
    /// `String` and other conforming types.
    associatedtype StateViewValue
    /// The value, if there is one.
    var _stateViewPart: StateViewValue? { get }
}

extension String: StateViewPart {
    public var _stateViewPart: String? { self }
}

extension Image: StateViewPart {
    public var _stateViewPart: Image? { self }
}

extension ButtonConfiguration: StateViewPart {
    public var _stateViewPart: ButtonConfiguration? { self }
}

extension Array: StateViewPart where Element == ButtonConfiguration {
    public var _stateViewPart: [ButtonConfiguration]? { self }
}

extension Emblem.Icon: StateViewPart {
    /// The name of the icon.
    public var _stateViewPart: String? { rawValue }
}

extension Optional: StateViewPart where Wrapped: StateViewPart {
    public var _stateViewPart: Wrapped.StateViewValue? { flatMap(\._stateViewPart) }
}

/// A button of a state view.
///
/// In an app, the view would call the action. Here the program that shows the button calls it, with
/// ``StateView/press(_:)`` or ``action``.
public struct ButtonConfiguration: Sendable {
    /// The title of the button.
    public var title: String
    /// The space at each side of a button of full width; `.zero` means edge to edge. With `nil`,
    /// the button is as wide as its title.
    public var horizontalSpacers: HorizontalSpacers?
    /// The link target on a page; `nil` makes a button without a link.
    public var link: URL?
    /// The action of the button.
    public var action: @Sendable () -> Void

    /// Creates a button.
    ///
    /// - Parameters:
    ///   - title: The title of the button.
    ///   - horizontalSpacers: The space at each side of a button of full width. With `nil`, the
    ///     button is as wide as its title.
    ///   - link: The link target on a page.
    ///   - action: The action of the button.
    public init(
        title: String, horizontalSpacers: HorizontalSpacers? = nil, link: URL? = nil,
        action: @escaping @Sendable () -> Void = {}
    ) {
        self.title = title
        self.horizontalSpacers = horizontalSpacers
        self.link = link
        self.action = action
    }
}

/// The space at each side of a button of full width, in points.
///
/// A number literal is accepted: `horizontalSpacers: 24`.
public struct HorizontalSpacers: Hashable, Sendable {
    /// The space at the left and at the right, in points.
    public var value: Double

    /// No space: the button extends from edge to edge.
    public static let zero = HorizontalSpacers(value: 0)

    /// Creates spacers.
    ///
    /// - Parameter value: The space at the left and at the right, in points.
    public init(value: Double) {
        self.value = value
    }
}

extension HorizontalSpacers: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    public init(integerLiteral value: Int) {
        self.init(value: Double(value))
    }

    public init(floatLiteral value: Double) {
        self.init(value: value)
    }
}

/// The content and style of a ``StateView``.
public struct StateViewInitParams: Sendable {
    /// The texts, graphic and buttons.
    public var configuration: any StateViewConfiguration
    /// The changes to the look that the theme and ``DesignSystem/Settings/styles`` give.
    public var style: Style<StateView.Settings>
    /// Replacement texts. The first bundle that has a key is used. Every text of a configuration
    /// may be a key. The texts of ready-made states have the keys `stateView.loadingFailureTitle`,
    /// `…Subtitle`, `…Button`, `stateView.noConnection…` and `stateView.noResults…`.
    public var bundles: [TextBundle]
    /// The maximum width of the title in points, beyond which it wraps; `nil` uses the width of the
    /// style.
    public var titleLabelMaxWidth: Double?
    /// The maximum width of the subtitle in points; `nil` uses the width of the style.
    public var subtitleLabelMaxWidth: Double?

    /// Creates parameters.
    ///
    /// - Parameters:
    ///   - configuration: The texts, graphic and buttons.
    ///   - style: The changes to the look that the theme gives.
    ///   - bundles: Replacement texts.
    ///   - titleLabelMaxWidth: The maximum width of the title in points.
    ///   - subtitleLabelMaxWidth: The maximum width of the subtitle in points.
    public init(
        configuration: any StateViewConfiguration,
        style: @escaping Style<StateView.Settings> = { _ in }, bundles: [TextBundle] = [],
        titleLabelMaxWidth: Double? = nil, subtitleLabelMaxWidth: Double? = nil
    ) {
        self.configuration = configuration
        self.style = style
        self.bundles = bundles
        self.titleLabelMaxWidth = titleLabelMaxWidth
        self.subtitleLabelMaxWidth = subtitleLabelMaxWidth
    }
}
