import Artwork
import Render
import System
import Theming
import Worker

/// A small pill of text.
///
/// In an app, a badge would be a view. Here it is a value that is drawn alone or over an
/// ``AsyncEmblem``, an ``EmblemBatch`` or an ``Avatar``.
///
/// ```swift
/// let badge = Badge(text: "New", appearance: .success)
/// try badge.render(scale: 2).pngData().write(to: file)
/// ```
public struct Badge: Hashable, Sendable {
    /// The meaning of a badge, which selects its two colours.
    public typealias Appearance = BadgeAppearance
    /// The corner of a component that a badge covers.
    public typealias Corner = BadgeCorner

    /// The text, on one line. The width of the pill follows it. A dot has no text.
    public var text: String
    /// The meaning of the badge.
    public var appearance: Appearance
    /// The theme of a badge that is drawn alone; `nil` uses ``Theme/current``. Over a component,
    /// the badge uses the component's theme.
    public var theme: Theme?
    /// The texts for screen readers. Without a label, the text of the badge is its label. Over a
    /// component, they are added to the texts of the component.
    public var accessibility = Accessibility()
    /// Whether the badge is a dot without text.
    private var isDot = false

    /// Returns a dot without text, for small components. Its diameter is a quarter of the
    /// component's height.
    public static func dot(_ appearance: Appearance = .neutral) -> Badge {
        var badge = Badge(text: "", appearance: appearance)
        badge.isDot = true
        return badge
    }

    /// Creates a badge. The text needs at least one visible character.
    public init(text: String, appearance: Appearance = .neutral, theme: Theme? = nil) {
        self.text = text
        self.appearance = appearance
        self.theme = theme
    }

    /// Draws the badge alone. The image has the size of the pill.
    ///
    /// - Parameters:
    ///   - scale: Pixels per point, from 0.5 to 4.
    ///   - scheme: The screen scheme to draw for.
    /// - Throws: ``EmblemError/failedToDraw(_:)`` if the text has no visible character;
    ///   ``EmblemError/scaleOutOfRange(_:)``.
    public func render(
        scale: Double = 1, scheme: ColorScheme = .light
    ) throws(EmblemError) -> Image {
        let renderer = Theme.inForce(theme).resolved.renderer.renderer
        let badge = try drawable()
        let scale = try ItemDrawing.checked(scale)
        let drawn = try rethrowing(as: EmblemError.init) { () throws(RenderError) in
            try renderer.badge(
                badge, scale: scale, scheme: scheme, recipe: Recipe(variants: []))
        }
        return Image(drawn.bytes, drawn.size, .ownPNG)
    }

    /// Draws the badge alone as an SVG document. The text remains a `<text>` element.
    ///
    /// - Throws: ``EmblemError/failedToDraw(_:)`` if the text has no visible character.
    public func svg(scheme: ColorScheme = .light) throws(EmblemError) -> String {
        let badge = try drawable()
        let style = BadgeStyle(
            badge.appearance, theme: Theme.inForce(theme).tokens, scheme: scheme)
        return try EmblemError.drawing { () throws(ArtworkError) in
            var sketch = try badge.sketch(style)
            sketch.title = accessibility.label ?? sketch.title
            sketch.summary = accessibility.summary
            return try sketch.svg()
        }
    }

    private func drawable() throws(EmblemError) -> Artwork.Badge {
        guard let badge = value else {
            throw .failedToDraw(
                "A badge needs a visible character; give it a text such as \"3\".")
        }
        return badge
    }

    private var value: Artwork.Badge? {
        isDot ? .dot(appearance) : Artwork.Badge(text, appearance: appearance)
    }

    /// Returns the badge at a corner, or `nil` if nothing would be visible.
    func mark(_ corner: Corner) -> BadgeMark? {
        value.map { BadgeMark($0, corner: corner) }
    }
}
