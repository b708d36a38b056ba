/// All that a ``StateView`` is made of.
public struct StateViewInitParams: Sendable {
    /// What it says and shows.
    public var configuration: any StateViewConfiguration
    /// What it changes of the look that the theme and ``DesignSystem/styles`` give it.
    public var style: Style<StateView.Settings>
    /// Texts that take the place of others. The first bundle that has a key is taken. Every text
    /// of a configuration may be a key; what the ready-made ones say has the keys
    /// `stateView.loadingFailureTitle`, `…Subtitle`, `…Button`, `stateView.noConnection…` and
    /// `stateView.noResults…`.
    public var bundles: [TextBundle]
    /// The greatest width of the title in points, beyond which it takes more lines; `nil` is that
    /// of the style.
    public var titleLabelMaxWidth: Double?
    /// The greatest width of the subtitle in points; `nil` is that of the style.
    public var subtitleLabelMaxWidth: Double?

    /// - Parameters:
    ///   - configuration: what it says and shows.
    ///   - style: what it changes of the look that the theme gives it.
    ///   - bundles: texts that take the place of others.
    ///   - titleLabelMaxWidth: the greatest width of the title in points.
    ///   - subtitleLabelMaxWidth: the greatest width of the subtitle in points.
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
