import Artwork
import Render
import Theming

/// A small pill of text.
///
/// On Apple's systems a badge is a view; here it is a value that is drawn alone or laid over an
/// ``AsyncEmblem``, an ``EmblemBatch`` or an ``Avatar``.
///
/// ```swift
/// let badge = Badge(text: "New", appearance: .success)
/// try badge.render(scale: 2).pngData().write(to: file)
/// ```
public struct Badge: Hashable, Sendable {
    /// What it means, which decides its two colours.
    public enum Appearance: String, CaseIterable, Hashable, Sendable {
        /// Grey, with dark text.
        case neutral
        /// Blue.
        case info
        /// Green.
        case success
        /// Yellow, with dark text.
        case warning
        /// Red.
        case danger
    }

    /// The corner of a component over which a badge lies.
    public enum Corner: String, CaseIterable, Hashable, Sendable {
        /// The upper right one.
        case topRight
        /// The upper left one.
        case topLeft
        /// The lower right one.
        case bottomRight
        /// The lower left one.
        case bottomLeft
    }

    /// One line; the width of the pill follows it. A dot has none.
    public var text: String
    /// What it means.
    public var appearance: Appearance
    /// The theme in which it is drawn alone, `nil` takes ``Theme/current``; over a component it is
    /// drawn in the theme of that.
    public var theme: Theme?
    /// It shows no text.
    private var isDot = false

    /// A dot without a text, for small components: over one it takes a quarter of its height.
    public static func dot(_ appearance: Appearance = .neutral) -> Badge {
        var badge = Badge(text: "", appearance: appearance)
        badge.isDot = true
        return badge
    }

    /// A badge with a text of at least one character that can be seen.
    public init(text: String, appearance: Appearance = .neutral, theme: Theme? = nil) {
        self.text = text
        self.appearance = appearance
        self.theme = theme
    }

    /// The badge alone, exactly as large as it is.
    ///
    /// - Parameters:
    ///   - scale: pixels a point, from 0.5 to 4.
    ///   - scheme: the screens that it is for.
    /// - Throws: ``EmblemError/failedToDraw(_:)`` when the text has no character that can be seen,
    ///   ``EmblemError/scaleOutOfRange(_:)``.
    public func render(
        scale: Double = 1, scheme: ColorScheme = .light
    ) throws(EmblemError) -> Image {
        let renderer = EmblemRenderer.inForce(theme).renderer
        let badge = try drawable()
        let scale = try EmblemLook.checked(scale)
        do throws(RenderError) {
            let drawn = try renderer.badge(
                badge, scale: scale, scheme: scheme.value,
                recipe: Recipe(variants: []))
            return Image(drawn.bytes, drawn.size, .ours)
        } catch {
            throw EmblemError(error)
        }
    }

    /// The badge alone as an SVG document with its text as text.
    ///
    /// - Throws: ``EmblemError/failedToDraw(_:)`` when the text has no character that can be seen.
    public func svg(scheme: ColorScheme = .light) throws(EmblemError) -> String {
        let badge = try drawable()
        let style = BadgeStyle(
            badge.appearance, theme: Theme.inForce(theme).tokens, scheme: scheme.value)
        return try EmblemError.drawing { () throws(ArtworkError) in
            try badge.sketch(style).svg()
        }
    }

    private func drawable() throws(EmblemError) -> Artwork.Badge {
        guard let badge = value else {
            throw .failedToDraw(
                "A badge needs a character that can be seen; give it a text such as \"3\".")
        }
        return badge
    }

    private var value: Artwork.Badge? {
        let appearance = BadgeAppearance(rawValue: appearance.rawValue) ?? .neutral
        return isDot ? .dot(appearance) : Artwork.Badge(text, appearance: appearance)
    }

    /// The badge over a corner; nil where nothing of it would be seen.
    func mark(_ corner: Corner) -> BadgeMark? {
        value.map { BadgeMark($0, corner: corner.value) }
    }
}

extension Badge.Corner {
    var value: BadgeCorner {
        switch self {
        case .topRight: .topRight
        case .topLeft: .topLeft
        case .bottomRight: .bottomRight
        case .bottomLeft: .bottomLeft
        }
    }
}
