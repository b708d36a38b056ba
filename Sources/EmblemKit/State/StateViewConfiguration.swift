/// The texts, graphic and buttons of a state view.
///
/// Conform your own type, of which only the title is required, or use a ready-made one:
/// ``LoadingFailureStateViewConfiguration``, ``NoInternetConnectionStateViewConfiguration``,
/// ``NoResultsStateViewConfiguration``, ``GenericStateViewConfiguration``.
///
/// Every property except the title may be declared as a plain type or as an optional, such as
/// `String` or `String?`; ``StateViewPart`` covers both. A property that is not declared is `nil`.
///
/// On Apple platforms, icons and animations are resources of a bundle. Here an icon is a name or a
/// path, and an animation is an animated image.
public protocol StateViewConfiguration: Sendable {
    /// The type of the icon name: `String`, `String?` or ``Emblem/Icon``.
    associatedtype IconName: StateViewPart<String> = String?
    /// The type of the animation: ``Image`` or `Image?`.
    associatedtype Animation: StateViewPart<Image> = Image?
    /// The type of the subtitle: `String` or `String?`.
    associatedtype Subtitle: StateViewPart<String> = String?
    /// The type of the first button: ``ButtonConfiguration`` or an optional one.
    associatedtype FirstButton: StateViewPart<ButtonConfiguration> = ButtonConfiguration?
    /// The type of the second button: ``ButtonConfiguration`` or an optional one.
    associatedtype SecondButton: StateViewPart<ButtonConfiguration> = ButtonConfiguration?
    /// The type of the third button: ``ButtonConfiguration`` or an optional one.
    associatedtype ThirdButton: StateViewPart<ButtonConfiguration> = ButtonConfiguration?

    /// The name of a built-in icon (``Emblem/Icon``), or the path of an image. With `nil` there is
    /// no graphic.
    var iconName: IconName { get }
    /// An animated WebP, GIF, PNG or SVG, shown instead of the icon. HTML pages play it; images
    /// show its first frame.
    var animation: Animation { get }
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
}

extension StateViewConfiguration where IconName == String? {
    /// No icon.
    public var iconName: String? { nil }
}

extension StateViewConfiguration where Animation == Image? {
    /// No animation.
    public var animation: Image? { nil }
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

/// A part of a state view that a configuration may declare as a plain type or as an optional.
///
/// Without this protocol, a default implementation for the optional would silently hide a
/// non-optional property of the same name.
public protocol StateViewPart<Part> {
    /// The type of the value.
    associatedtype Part
    /// The value, if there is one.
    var part: Part? { get }
}

extension String: StateViewPart {
    public var part: String? { self }
}

extension Image: StateViewPart {
    public var part: Image? { self }
}

extension ButtonConfiguration: StateViewPart {
    public var part: ButtonConfiguration? { self }
}

extension Emblem.Icon: StateViewPart {
    /// The name of the icon.
    public var part: String? { rawValue }
}

extension Optional: StateViewPart where Wrapped: StateViewPart {
    public var part: Wrapped.Part? { flatMap(\.part) }
}
