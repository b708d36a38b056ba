import Artwork
import FoundationEssentials
import Render
import Theming

/// A circle that represents a person: a photo, initials, or the profile icon.
///
/// In an app, an avatar would be a view. Here it is a value that is drawn on request.
///
/// ```swift
/// let avatar = Avatar(layout: .large, appearance: .initials("JD"))
/// let finished = try await avatar.render(scale: 2)
/// try finished.image.pngData().write(to: file)
/// ```
///
/// An avatar can be made from a photo and a name. It falls back to the initials of the name:
///
/// ```swift
/// let ada = Avatar(url: portrait, name: "Ada Lovelace", layout: .medium)
/// ```
public struct Avatar: Sendable {
    /// The side of the avatar's square in points. The avatar is the circle in this square.
    public typealias Layout = AvatarLayout

    /// The content of an avatar.
    public enum Appearance: Hashable, Sendable {
        /// An image that fills the circle.
        case image(ImageSource)
        /// The first two characters of a text.
        case initials(String)
        /// The built-in profile icon.
        case icon

        /// Returns content that fills the circle with an image in memory.
        public static func image(_ image: Image) -> Appearance {
            .image(.captured(image: image))
        }

        /// Returns content that fills the circle with an image in memory, like `image(_:)`.
        public static func picture(_ image: Image) -> Appearance {
            .image(.captured(image: image))
        }

        /// Returns the initials of a person's name, from its first and last word.
        public static func name(_ name: String) -> Appearance {
            Initials.from(label: name).map { .initials($0.text) } ?? .icon
        }
    }

    /// The size of the avatar.
    public var layout: Layout
    /// The content of the avatar.
    public var appearance: Appearance
    /// The contents to try, in this order, if ``appearance`` cannot be drawn. The last fallback is
    /// always the icon.
    public var fallbacks: [Appearance] = []
    /// A badge over the edge of the circle. A badge without a visible character is omitted.
    public var badge: Badge?
    /// The corner of the square that the badge covers.
    public var badgeCorner = Badge.Corner.topRight
    /// The texts for screen readers.
    public var accessibility = Accessibility()
    /// The loader of this avatar; `nil` uses the loader of the ``DesignSystem``.
    public var loader: (any AsyncEmblemImageLoader)?
    /// The time limit for one load of a custom loader, like ``AsyncEmblem/timeout``.
    public var timeout = Duration.seconds(30)
    /// The theme of this avatar; `nil` uses ``Theme/current``.
    public var theme: Theme?
    /// The isolation and the limits for decoding the photo; `nil` uses the setting of the
    /// ``DesignSystem``.
    public var decoding: Decoding?
    /// The position and size of the photo in the circle. ``svg(scheme:)`` ignores this property.
    public var fitting = Emblem.Fitting()

    /// Creates an avatar with the given content. It falls back to the icon.
    public init(
        layout: Layout = .default, appearance: Appearance = .icon, theme: Theme? = nil
    ) {
        self.layout = layout
        self.appearance = appearance
        self.theme = theme
    }

    /// Creates an avatar with the photo at `url`. It falls back to the initials of the name, then
    /// to the icon.
    public init(
        url: URL?, name: String? = nil, layout: Layout = .default, theme: Theme? = nil
    ) {
        self.init(layout: layout, appearance: .image(.remote(url: url)), theme: theme)
        fallbacks = name.map { [.name($0)] } ?? []
        accessibility.label = name
    }

    /// Creates an avatar with the initials of a name. Without a letter it shows the icon.
    public init(name: String, layout: Layout = .default, theme: Theme? = nil) {
        self.init(layout: layout, appearance: .name(name), theme: theme)
        accessibility.label = name
    }

    /// Loads the content and draws the avatar.
    ///
    /// - Parameters:
    ///   - scale: Pixels per point, from 0.5 to 4.
    ///   - scheme: The screen scheme to draw for.
    /// - Throws: `CancellationError` if the task is cancelled; the loading error if even the icon
    ///   cannot be drawn.
    public func render(
        scale: Double = 1, scheme: ColorScheme = .light
    ) async throws -> RenderedAvatar {
        let contents = contents
        let made = try await ItemWork(drawing(scale, scheme)).make(
            .success(contents[0].content), of: item)
        guard let drawn = made.images.first else { throw made.error ?? CancellationError() }
        // The index of a fallback counts from the second content. If the engine could draw none of
        // them, it drew the icon, which is the last content.
        let shown = made.error == nil ? 0 : made.fallbackIndex.map { $0 + 1 } ?? contents.count - 1
        return RenderedAvatar(
            layout: layout, scale: drawn.variant.scale, scheme: scheme,
            appearance: contents[shown].appearance, image: Image(drawn),
            error: made.error ?? invisibleInitials)
    }

    /// Loads the content and draws the avatar as an SVG document, sharp at every size. Initials
    /// remain `<text>` elements.
    ///
    /// - Throws: `CancellationError` if the task is cancelled; the loading error if even the icon
    ///   cannot be drawn.
    public func svg(scheme: ColorScheme = .light) async throws -> String {
        let style = EmblemStyle(
            .avatar(layout), theme: Theme.inForce(theme).tokens, scheme: scheme)
        return try await drawing(1, scheme).svg(contents.map(\.content), style, accessibility)
    }

    private func drawing(_ scale: Double, _ scheme: ColorScheme) -> ItemDrawing {
        var options = BatchOptions.single(scale, scheme)
        options.fitting = fitting
        (options.badge, options.badgeCorner) = (badge, badgeCorner)
        (options.loader, options.timeout) = (loader, timeout)
        (options.theme, options.decoding) = (theme, decoding)
        return ItemDrawing(
            component: .avatar, layouts: [.avatar(layout)], options: options,
            fallbacks: contents.dropFirst().map(\.content))
    }

    /// The contents to try, in order. Initials without a visible character are left out.
    private var contents: [(appearance: Appearance, content: ComponentContent)] {
        ([appearance] + fallbacks + [.icon]).compactMap { appearance in
            switch appearance {
            case .image(let source): (appearance, .source(source))
            case .initials(let text):
                Initials(text).map { (.initials($0.text), .initials($0)) }
            case .icon: (appearance, .source(.icon(.person)))
            }
        }
    }

    private var item: EmblemItem {
        var item = EmblemItem(
            source: .icon(.person), label: accessibility.label, badge: badge)
        if case .image(let source) = appearance { item.source = source }
        return item
    }

    /// The error if the initials have no visible character; otherwise `nil`.
    private var invisibleInitials: EmblemError? {
        guard case .initials(let text) = appearance, Initials(text) == nil else { return nil }
        return .failedToDraw(
            "\"\(text)\" has no visible character; give one or two letters.")
    }
}

extension AvatarLayout {
    /// The side of the square in points in the current theme, such as for the `width` attribute of
    /// an HTML `<img>`.
    public var points: Double { Theme.current.tokens.side(of: self) }
}

/// A finished avatar.
public struct RenderedAvatar: Sendable {
    /// The size of the avatar.
    public let layout: Avatar.Layout
    /// Pixels per point.
    public let scale: Double
    /// The screen scheme of the avatar.
    public let scheme: ColorScheme
    /// The content that is shown.
    public let appearance: Avatar.Appearance
    /// The avatar as an image; `image.pngData()` is its file.
    public let image: Image
    /// The reason for a fallback; `nil` if the requested content is shown.
    public let error: (any Error)?
}

extension RenderedAvatar {
    init?(_ drawn: RenderedImage, _ appearance: Avatar.Appearance, error: (any Error)?) {
        guard case .avatar = drawn.variant.layout,
            let layout = Avatar.Layout(rawValue: drawn.variant.layout.name)
        else { return nil }
        self.init(
            layout: layout, scale: drawn.variant.scale,
            scheme: drawn.variant.scheme, appearance: appearance,
            image: Image(drawn), error: error)
    }
}
