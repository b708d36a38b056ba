import Artwork
import Raster
import Transport

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
/// In an app, this is a view that calls the actions of its buttons. Here it is a value that becomes
/// an image, an SVG or an HTML page, and the program that shows it calls ``press(_:)``.
public struct StateView: Sendable {
    /// A button of a state view, from the most to the least prominent.
    public enum Button: CaseIterable, Hashable, Sendable {
        /// The most prominent button.
        case first
        /// The second button.
        case second
        /// The least prominent button.
        case third
    }

    /// The sizes in points, the colours and the text styles of a state view.
    public typealias Settings = StateStyle
    /// The look of a button.
    public typealias ButtonSettings = StateStyle.Button
    /// A width and a height in points.
    public typealias Size = StateStyle.Size

    /// The content and style of the view.
    public var params: StateViewInitParams
    /// The theme of the view; `nil` uses ``Theme/current``.
    public var theme: Theme?

    /// Creates a state view. Nothing is read or drawn until it is rendered.
    public init(params: StateViewInitParams, theme: Theme? = nil) {
        self.params = params
        self.theme = theme
    }

    /// Creates a state view with the look of the theme.
    public init(_ configuration: any StateViewConfiguration, theme: Theme? = nil) {
        self.init(params: StateViewInitParams(configuration: configuration), theme: theme)
    }

    /// Returns the configuration of a button, if there is one.
    public func button(_ button: Button) -> ButtonConfiguration? {
        let buttons = params.configuration._stateViewParts.buttons
        return switch button {
        case .first: buttons[0]
        case .second: buttons[1]
        case .third: buttons[2]
        }
    }

    /// Calls the action of a button.
    ///
    /// - Returns: Whether the button exists.
    @discardableResult
    public func press(_ button: Button) -> Bool {
        guard let configuration = self.button(button) else { return false }
        configuration.action()
        return true
    }

    /// The settings of the view: those of the theme, changed by ``DesignSystem/Settings/styles`` and then by
    /// the view's own style.
    ///
    /// While the styles are applied, the current theme is the theme of the view. Setting them
    /// replaces all styles of the view.
    public var settings: Settings {
        get { settings(in: Theme.inForce(theme)) }
        set {
            params.style = { $0 = newValue }
            (params.titleLabelMaxWidth, params.subtitleLabelMaxWidth) = (nil, nil)
        }
    }

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

    /// Draws the block as an image; ``Image/data(as:quality:)`` makes a file of it.
    ///
    /// - Parameters:
    ///   - scale: Pixels per point, from 0.5 to 4.
    ///   - scheme: The screen scheme to draw for.
    /// - Throws: ``EmblemError/failedToLoad(_:)`` and ``EmblemError/failedToDecode(_:)`` if the
    ///   icon or animation cannot be read; ``EmblemError/failedToDraw(_:)`` if the block is too
    ///   large; ``EmblemError/texts(_:)`` if a bundle cannot be used;
    ///   ``EmblemError/scaleOutOfRange(_:)``.
    public func render(
        scale: Double = 1, scheme: ColorScheme = .light
    ) throws(EmblemError) -> Image {
        let scale = try ItemDrawing.checked(scale)
        let drawing = try drawing(scheme, scale: scale)
        return try EmblemError.drawing { () throws(ArtworkError) in
            Image(try drawing.sketch().pixels(scale: scale))
        }
    }

    /// Draws the block as an SVG document. Texts remain `<text>` elements, one per line.
    ///
    /// - Throws: The same errors as ``render(scale:scheme:)``.
    public func svg(scheme: ColorScheme = .light) throws(EmblemError) -> String {
        let drawing = try drawing(scheme)
        return try EmblemError.drawing { () throws(ArtworkError) in try drawing.sketch().svg() }
    }

    /// Draws an HTML page with the block at its centre.
    ///
    /// - Parameter scheme: The screen scheme to draw for; `nil` follows the reader's preference.
    /// - Throws: The same errors as ``render(scale:scheme:)``.
    public func html(scheme: ColorScheme? = nil) throws(EmblemError) -> String {
        let drawing = try drawing(scheme ?? .light)
        return try EmblemError.drawing { () throws(ArtworkError) in
            try drawing.page(followsScheme: scheme == nil)
        }
    }

    private func drawing(
        _ scheme: ColorScheme, scale: Double = 1
    ) throws(EmblemError) -> Artwork.StateView {
        let theme = Theme.inForce(theme)
        let style = settings(in: theme).bounded()
        func pixels(_ points: Double) -> Int {
            max(1, Int(min(points * scale, Double(Sketch.longestSide)).rounded()))
        }
        // Content is decoded for the size at which it is drawn.
        let size = style.fitted().iconOrAnimationSize
        let box = PixelSize(width: pixels(size.width), height: pixels(size.height))
        return Artwork.StateView(
            try content(in: box), style: style, theme: theme.tokens, scheme: scheme)
    }
}

extension StateStyle {
    /// Creates the look that a theme gives to state views.
    public init(theme: Theme) { self.init(tokens: theme.tokens) }
}
