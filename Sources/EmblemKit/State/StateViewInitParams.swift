/// The content and style of a ``StateView``.
public struct StateViewInitParams: Sendable {
    /// The texts, graphic and buttons.
    public var configuration: any StateViewConfiguration
    /// The changes to the look that the theme and ``DesignSystem/styles`` give.
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
