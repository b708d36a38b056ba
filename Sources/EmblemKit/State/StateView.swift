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

    /// A state view; nothing is read or drawn until it is asked for.
    public init(params: StateViewInitParams) {
        self.params = params
    }

    /// A state view that looks as the theme has it.
    public init(_ configuration: any StateViewConfiguration) {
        self.init(params: StateViewInitParams(configuration: configuration))
    }

    /// The button's configuration, where there is one.
    public func button(_ button: Button) -> ButtonConfiguration? {
        switch button {
        case .first: params.configuration.firstButtonConfiguration
        case .second: params.configuration.secondButtonConfiguration
        case .third: params.configuration.thirdButtonConfiguration
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
    public var settings: Settings {
        var settings = Settings(theme: DesignSystem.shared.theme)
        DesignSystem.shared.styles.apply(to: &settings)
        params.style(&settings)
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
    ///   icon or animation is none; ``EmblemError/failedToDraw(_:)`` when it would be too large.
    public func render(
        scale: Double = 1, scheme: ColorScheme = .light
    ) throws(EmblemError) -> Image {
        let drawing = try drawing(scheme, scale: EmblemLook.bounded(scale))
        return try EmblemError.drawing { () throws(ArtworkError) in
            Image(try drawing.sketch().pixels(scale: EmblemLook.bounded(scale)))
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
        let drawing = try drawing(scheme ?? .light)
        let dark = scheme == nil ? settings.value(DesignSystem.shared.theme, .dark) : nil
        return try EmblemError.drawing { () throws(ArtworkError) in try drawing.page(dark: dark) }
    }

    private func drawing(
        _ scheme: ColorScheme, scale: Double = 1
    ) throws(EmblemError) -> Artwork.StateView {
        let style = settings.value(DesignSystem.shared.theme, scheme)
        let (width, height) = style.iconOrAnimationSize
        func pixels(_ points: Double) -> Int {
            max(1, Int(min(points * scale, Double(Sketch.longestSide)).rounded()))
        }
        let box = PixelSize(width: pixels(width), height: pixels(height))
        return Artwork.StateView(try content(in: box), style: style)
    }
}
