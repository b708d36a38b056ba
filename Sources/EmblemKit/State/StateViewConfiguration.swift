/// What a state view says and shows.
///
/// Conform a type of your own, of which only the title is needed, or take a ready-made one:
/// ``LoadingFailureStateViewConfiguration``, ``NoInternetConnectionStateViewConfiguration``,
/// ``NoResultsStateViewConfiguration``, ``GenericStateViewConfiguration``.
///
/// Everything but the title may be declared plainly or as an optional, `String` or `String?`,
/// whichever a type has: ``StateViewPart`` is what both are. What is not declared is not there.
///
/// On Apple's systems icons and animations are resources of a bundle; here an icon is a name or a
/// path, and an animation a picture that moves.
public protocol StateViewConfiguration: Sendable {
    /// `String`, `String?` or ``Emblem/Icon``.
    associatedtype IconName: StateViewPart<String> = String?
    /// ``Image`` or `Image?`.
    associatedtype Animation: StateViewPart<Image> = Image?
    /// `String` or `String?`.
    associatedtype Subtitle: StateViewPart<String> = String?
    /// ``ButtonConfiguration`` or an optional one.
    associatedtype FirstButton: StateViewPart<ButtonConfiguration> = ButtonConfiguration?
    /// ``ButtonConfiguration`` or an optional one.
    associatedtype SecondButton: StateViewPart<ButtonConfiguration> = ButtonConfiguration?
    /// ``ButtonConfiguration`` or an optional one.
    associatedtype ThirdButton: StateViewPart<ButtonConfiguration> = ButtonConfiguration?

    /// A built-in icon by its name (``Emblem/Icon``), or the path of a picture; without one there
    /// is no graphic.
    var iconName: IconName { get }
    /// An animated WebP, GIF, PNG or SVG, shown instead of the icon: pages play it, pictures show
    /// its first frame.
    var animation: Animation { get }
    /// What has happened.
    var title: String { get }
    /// What it means, or what to do.
    var subtitle: Subtitle { get }
    /// The most prominent button.
    var firstButtonConfiguration: FirstButton { get }
    /// The button below.
    var secondButtonConfiguration: SecondButton { get }
    /// The least prominent button.
    var thirdButtonConfiguration: ThirdButton { get }
}

extension StateViewConfiguration where IconName == String? {
    /// None.
    public var iconName: String? { nil }
}

extension StateViewConfiguration where Animation == Image? {
    /// None.
    public var animation: Image? { nil }
}

extension StateViewConfiguration where Subtitle == String? {
    /// None.
    public var subtitle: String? { nil }
}

extension StateViewConfiguration where FirstButton == ButtonConfiguration? {
    /// None.
    public var firstButtonConfiguration: ButtonConfiguration? { nil }
}

extension StateViewConfiguration where SecondButton == ButtonConfiguration? {
    /// None.
    public var secondButtonConfiguration: ButtonConfiguration? { nil }
}

extension StateViewConfiguration where ThirdButton == ButtonConfiguration? {
    /// None.
    public var thirdButtonConfiguration: ButtonConfiguration? { nil }
}

/// A part of a state view as a configuration may declare it: plainly, or as an optional.
///
/// A default for an optional would otherwise hide a property of the same name that is none, and
/// what that says would be lost without a word.
public protocol StateViewPart<Part> {
    /// What is shown.
    associatedtype Part
    /// The part, where there is one.
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
    /// Its name.
    public var part: String? { rawValue }
}

extension Optional: StateViewPart where Wrapped: StateViewPart {
    public var part: Wrapped.Part? { flatMap(\.part) }
}
