import Artwork
import Raster

/// A block for empty, failed or finished states: a graphic, a title, a subtitle and up to three
/// buttons, stacked and centred.
///
/// ```swift
/// let view = StateView(
///     params: StateViewInitParams(
///         configuration: LoadingFailureStateViewConfiguration { print("again") }))
/// try view.render(scale: 2).pngData().write(to: file)
/// view.press(.first)
/// ```
///
/// On Apple's systems it is a view that calls the actions of its buttons. Here it is a value that
/// becomes a picture, an SVG or a page; whoever shows it calls ``press(_:)``.
public struct StateView: Sendable {
    /// One of the buttons, from the most to the least prominent.
    public enum Button: CaseIterable, Hashable, Sendable {
        /// The most prominent one.
        case first
        /// The one below.
        case second
        /// The least prominent one.
        case third
    }

    /// What it is made of.
    public var params: StateViewInitParams
    /// The theme in which it is drawn; `nil` takes ``Theme/current``.
    public var theme: Theme?

    /// A state view; nothing is read or drawn until it is asked for.
    public init(params: StateViewInitParams, theme: Theme? = nil) {
        self.params = params
        self.theme = theme
    }

    /// A state view that looks as the theme has it.
    public init(_ configuration: any StateViewConfiguration, theme: Theme? = nil) {
        self.init(params: StateViewInitParams(configuration: configuration), theme: theme)
    }

    /// The button's configuration, where there is one.
    public func button(_ button: Button) -> ButtonConfiguration? {
        switch button {
        case .first: params.configuration.firstButtonConfiguration.part
        case .second: params.configuration.secondButtonConfiguration.part
        case .third: params.configuration.thirdButtonConfiguration.part
        }
    }

    /// Calls the action of a button.
    ///
    /// - Returns: whether there is such a button.
    @discardableResult
    public func press(_ button: Button) -> Bool {
        guard let configuration = self.button(button) else { return false }
        configuration.action()
        return true
    }

    /// The settings with which it is drawn: those of the theme, of ``DesignSystem/styles``, and
    /// its own style, in this order.
    ///
    /// What styles read of the current theme meanwhile is that of the view.
    public var settings: Settings { settings(in: Theme.inForce(theme)) }

    private func settings(in theme: Theme) -> Settings {
        var settings = Settings(theme: theme)
        Theme.withCurrent(theme) {
            DesignSystem.shared.styles.apply(to: &settings)
            params.style(&settings)
        }
        if let width = params.titleLabelMaxWidth { settings.titleMaxWidth = width }
        if let width = params.subtitleLabelMaxWidth { settings.subtitleMaxWidth = width }
        return settings
    }

    /// The block as a picture; `pngData()` and `webpData()` of it are its files.
    ///
    /// - Parameters:
    ///   - scale: pixels a point, from 0.5 to 4.
    ///   - scheme: the screens that it is for.
    /// - Throws: ``EmblemError/failedToLoad(_:)`` and ``EmblemError/failedToDecode(_:)`` when its
    ///   icon or animation is none; ``EmblemError/failedToDraw(_:)`` when it would be too large;
    ///   ``EmblemError/texts(_:)`` when a bundle cannot be used; ``EmblemError/scaleOutOfRange(_:)``.
    public func render(
        scale: Double = 1, scheme: ColorScheme = .light
    ) throws(EmblemError) -> Image {
        let scale = try EmblemLook.checked(scale)
        let drawing = try drawing(scheme, scale: scale)
        return try EmblemError.drawing { () throws(ArtworkError) in
            Image(try drawing.sketch().pixels(scale: scale))
        }
    }

    /// The block as an SVG document: text as text, an element a line.
    ///
    /// - Throws: as ``render(scale:scheme:)``.
    public func svg(scheme: ColorScheme = .light) throws(EmblemError) -> String {
        let drawing = try drawing(scheme)
        return try EmblemError.drawing { () throws(ArtworkError) in try drawing.sketch().svg() }
    }

    /// A whole page with the block in its middle.
    ///
    /// - Parameter scheme: the screens that it is for; `nil` follows the reader's choice.
    /// - Throws: as ``render(scale:scheme:)``.
    public func html(scheme: ColorScheme? = nil) throws(EmblemError) -> String {
        let theme = Theme.inForce(theme)
        let settings = settings(in: theme)
        let drawing = try drawing(settings.value(theme, scheme ?? .light))
        let dark = scheme == nil ? settings.value(theme, .dark) : nil
        return try EmblemError.drawing { () throws(ArtworkError) in try drawing.page(dark: dark) }
    }

    private func drawing(
        _ scheme: ColorScheme, scale: Double = 1
    ) throws(EmblemError) -> Artwork.StateView {
        let theme = Theme.inForce(theme)
        return try drawing(settings(in: theme).value(theme, scheme), scale: scale)
    }

    private func drawing(
        _ style: StateStyle, scale: Double = 1
    ) throws(EmblemError) -> Artwork.StateView {
        let (width, height) = style.iconOrAnimationSize
        func pixels(_ points: Double) -> Int {
            max(1, Int(min(points * scale, Double(Sketch.longestSide)).rounded()))
        }
        let box = PixelSize(width: pixels(width), height: pixels(height))
        return Artwork.StateView(try content(in: box), style: style)
    }
}
