import Artwork
import FoundationEssentials
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

extension StateView {
    /// Returns the content to draw, with texts from the bundles and decoded graphics.
    ///
    /// - Parameter box: The size of the graphic in pixels.
    func content(in box: PixelSize) throws(EmblemError) -> StateContent {
        let configuration = params.configuration
        let parts = configuration._stateViewParts
        guard parts.surplusCount == 0 else {
            throw .failedToDraw(
                "A state view shows at most three buttons; its list has \(parts.surplusCount) more. "
                    + "Remove them from buttons.")
        }
        for bundle in params.bundles {
            if let problem = bundle.problem { throw problem }
        }
        var content = StateContent(
            title: text(configuration.title, .title),
            subtitle: parts.subtitle.map { text($0, .subtitle) } ?? "",
            buttons: Button.allCases.compactMap(button).map { button in
                StateContent.Button(
                    title: text(button.title, .button),
                    horizontalSpacers: button.horizontalSpacers.map {
                        StateStyle.bounded($0.value)
                    },
                    link: button.link?.absoluteString)
            })
        if let animation = parts.animation {
            if let bytes = animation.animatableBytes {
                let first = try Blocking.wait {
                    try await Decoding.current.graphic(bytes, in: box)
                }
                content.animation = Artwork.StateAnimation(
                    still: first.graphic, bytes: bytes, format: first.format)
            } else {
                content.icon = try Self.graphic(animation, in: box)
            }
        } else if let name = parts.iconName {
            content.icon = try Self.graphic(try Image.find(name), in: box)
        }
        return content
    }

    /// The prefix of text keys in some design systems.
    private static let keyPrefix = "DesignSystem."

    /// Returns a text from the first bundle that has it. The keys are the text itself and, for a
    /// built-in text, its predefined key, each with and without the prefix. Without a match,
    /// returns the built-in text for one of the keys, or `text` itself.
    func text(_ text: String, _ part: StateTexts.Part) -> String {
        var keys = [text]
        if let kind = (params.configuration as? any ReadyMadeConfiguration)?.stateKind,
            StateTexts()[kind, part] == text, let key = StateTexts.key(kind, part)
        {
            keys.append(key)
        }
        keys += keys.filter { $0.hasPrefix("stateView.") }.map { Self.keyPrefix + $0 }
        keys += keys.filter { $0.hasPrefix(Self.keyPrefix) }.map {
            String($0.dropFirst(Self.keyPrefix.count))
        }
        for bundle in params.bundles {
            for key in keys {
                if let found = bundle[key] { return found }
            }
        }
        return keys.lazy.compactMap { StateTexts()[key: $0] }.first ?? text
    }

    private static func graphic(
        _ image: Image, in box: PixelSize
    ) throws(EmblemError) -> StateGraphic {
        switch try Blocking.wait({ try await image.drawingContent(in: box) }) {
        case .icon(let icon): .icon(icon)
        case .drawing(let drawing): .drawing(drawing)
        case .picture(let picture): .picture(picture)
        case .initials: preconditionFailure("A picture holds no initials.")
        }
    }
}

extension Image {
    /// The bytes of an image file, which may be animated; `nil` for pixels and icons, which never
    /// are.
    fileprivate var animatableBytes: [UInt8]? {
        if case .encoded(let bytes) = content { bytes } else { nil }
    }
}

/// The parts of a state view, as the views of an app that can be read.
extension StateView {
    /// A text of a state view and its style. Corresponds to `UILabel`.
    public struct Label: Hashable, Sendable {
        /// The text, after replacement by a bundle.
        public let text: String
        /// The style of the text.
        public let settings: TextSettings
    }

    /// The title.
    public var titleLabel: Label {
        Label(text: text(params.configuration.title, .title), settings: settings.title)
    }

    /// The subtitle, if there is one.
    public var subtitleLabel: Label? {
        params.configuration._stateViewParts.subtitle.map {
            Label(text: text($0, .subtitle), settings: settings.subtitle)
        }
    }

    /// The first button, with its title after replacement by a bundle.
    public var firstButton: ButtonConfiguration? { translated(.first) }

    /// The second button, with its title after replacement by a bundle.
    public var secondButton: ButtonConfiguration? { translated(.second) }

    /// The third button, with its title after replacement by a bundle.
    public var thirdButton: ButtonConfiguration? { translated(.third) }

    /// The animation, otherwise the icon. A file that cannot be read fails when it is drawn.
    public var imageView: Image? {
        let parts = params.configuration._stateViewParts
        return parts.animation ?? parts.iconName.map { Image($0) }
    }

    private func translated(_ button: Button) -> ButtonConfiguration? {
        guard var configuration = self.button(button) else { return nil }
        configuration.title = text(configuration.title, .button)
        return configuration
    }
}
