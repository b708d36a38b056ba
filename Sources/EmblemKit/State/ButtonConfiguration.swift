import FoundationEssentials

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
