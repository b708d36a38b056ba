/// What a state view says and shows.
///
/// Conform a type of your own, of which only the title is needed, or take a ready-made one:
/// ``LoadingFailureStateViewConfiguration``, ``NoInternetConnectionStateViewConfiguration``,
/// ``NoResultsStateViewConfiguration``, ``GenericStateViewConfiguration``.
///
/// On Apple's systems icons and animations are resources of a bundle; here an icon is a name or a
/// path, and an animation a picture that moves.
public protocol StateViewConfiguration: Sendable {
    /// A built-in icon by its name (``Emblem/Icon``), or the path of a picture; without one there
    /// is no graphic.
    var iconName: String? { get }
    /// An animated WebP, GIF, PNG or SVG, shown instead of the icon: pages play it, pictures show
    /// its first frame.
    var animation: Image? { get }
    /// What has happened.
    var title: String { get }
    /// What it means, or what to do.
    var subtitle: String? { get }
    /// The most prominent button.
    var firstButtonConfiguration: ButtonConfiguration? { get }
    /// The button below.
    var secondButtonConfiguration: ButtonConfiguration? { get }
    /// The least prominent button.
    var thirdButtonConfiguration: ButtonConfiguration? { get }
}

extension StateViewConfiguration {
    /// None.
    public var iconName: String? { nil }
    /// None.
    public var animation: Image? { nil }
    /// None.
    public var subtitle: String? { nil }
    /// None.
    public var firstButtonConfiguration: ButtonConfiguration? { nil }
    /// None.
    public var secondButtonConfiguration: ButtonConfiguration? { nil }
    /// None.
    public var thirdButtonConfiguration: ButtonConfiguration? { nil }
}
