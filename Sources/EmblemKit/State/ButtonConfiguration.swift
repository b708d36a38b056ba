import FoundationEssentials

/// One button of a state view.
///
/// On Apple's systems a view calls the action; here whoever shows the button does, with
/// ``StateView/press(_:)`` or ``action``.
public struct ButtonConfiguration: Sendable {
    /// What stands on it.
    public var title: String
    /// The room at either side of a button of full width, `.zero` from edge to edge; `nil` makes
    /// it as wide as its title.
    public var horizontalSpacers: HorizontalSpacers?
    /// Where a page leads; `nil` makes a button without a link.
    public var link: URL?
    /// What it does.
    public var action: @Sendable () -> Void

    /// - Parameters:
    ///   - title: what stands on it.
    ///   - horizontalSpacers: the room at either side of a button of full width; `nil` makes it as
    ///     wide as its title.
    ///   - link: where a page leads.
    ///   - action: what it does.
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
