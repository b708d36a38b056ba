import Artwork
import FoundationEssentials
import Render
import Theming

/// A circle that stands for somebody: a picture, initials, or the profile icon.
///
/// On Apple's systems an avatar is a view; here it is a value that is drawn when it is asked to be.
///
/// ```swift
/// let avatar = Avatar(layout: .large, appearance: .initials("JD"))
/// let finished = try await avatar.render(scale: 2)
/// try finished.image.pngData().write(to: file)
/// ```
///
/// Who has a name and perhaps a picture is shown by one, or else by the other:
///
/// ```swift
/// let ada = Avatar(url: portrait, name: "Ada Lovelace", layout: .medium)
/// ```
public struct Avatar: Sendable {
    /// The side of its square in points; the avatar is the circle in it.
    public enum Layout: String, CaseIterable, Hashable, Sendable {
        /// 24 points.
        case small
        /// 40 points.
        case `default`
        /// 56 points.
        case medium
        /// 80 points.
        case large
    }

    /// What it shows.
    public enum Appearance: Hashable, Sendable {
        /// A picture that fills the circle.
        case image(ImageSource)
        /// The first two characters of a text.
        case initials(String)
        /// The built-in profile icon.
        case icon

        /// A picture in memory that fills the circle.
        public static func image(_ image: Image) -> Appearance {
            .image(.captured(image: image))
        }

        /// The same under another name.
        public static func picture(_ image: Image) -> Appearance {
            .image(.captured(image: image))
        }

        /// The initials of somebody's name: of its first and of its last word.
        public static func name(_ name: String) -> Appearance {
            Initials.from(label: name).map { .initials($0.text) } ?? .icon
        }
    }

    /// Its size.
    public var layout: Layout
    /// What it shows.
    public var appearance: Appearance
    /// What is tried in this order when that cannot be shown; after these the icon.
    public var fallbacks: [Appearance] = []
    /// What lies over its edge. One without a character that can be seen is left out.
    public var badge: Badge?
    /// The corner of its square over which the badge lies.
    public var badgeCorner = Badge.Corner.topRight
    /// What it says to those who do not see it.
    public var accessibility = Accessibility()
    /// The loader of this avatar; `nil` takes that of the ``DesignSystem``.
    public var loader: (any AsyncEmblemImageLoader)?
    /// The theme in which it is drawn; `nil` takes ``Theme/current``.
    public var theme: Theme?

    /// An avatar that shows what is said, else the icon.
    public init(
        layout: Layout = .default, appearance: Appearance = .icon, theme: Theme? = nil
    ) {
        self.layout = layout
        self.appearance = appearance
        self.theme = theme
    }

    /// An avatar that shows the picture at `url`, else the initials of the name, else the icon.
    public init(
        url: URL?, name: String? = nil, layout: Layout = .default, theme: Theme? = nil
    ) {
        self.init(layout: layout, appearance: .image(.remote(url: url)), theme: theme)
        fallbacks = name.map { [.name($0)] } ?? []
        accessibility.label = name
    }

    /// Loads and draws it.
    ///
    /// - Parameters:
    ///   - scale: pixels a point, from 0.5 to 4.
    ///   - scheme: the screens that it is for.
    /// - Throws: `CancellationError` when the task is cancelled; what kept the avatar from being
    ///   drawn only if not even the icon can be.
    public func render(
        scale: Double = 1, scheme: ColorScheme = .light
    ) async throws -> RenderedAvatar {
        var look = EmblemLook(
            layouts: [.avatar(layout.value)], scales: [scale], schemes: [scheme])
        look.contentMode = .fill
        look.badge = badge?.mark(badgeCorner)
        let contents = contents
        let standIns = contents.dropFirst().map(\.content)
        let work = ItemWork(.avatar, look, standIns: standIns, loader: loader, theme: theme)
        let made = try await work.make(.success(contents[0].content), of: item)
        guard let drawn = made.images.first else { throw made.error ?? CancellationError() }
        // Where not even the last of them could be had, the icon is shown all the same.
        let place = made.error == nil ? 0 : made.standIn.map { $0 + 1 } ?? contents.count - 1
        return RenderedAvatar(
            layout: layout, scale: drawn.variant.scale, scheme: scheme,
            appearance: contents[place].appearance, image: Image(drawn),
            error: made.error ?? unseen)
    }

    /// Loads and draws it as an SVG document, sharp at every size; initials are text.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; what kept the avatar from being
    ///   drawn only if not even the icon can be.
    public func svg(scheme: ColorScheme = .light) async throws -> String {
        let theme = Theme.inForce(theme)
        let drawing = ComponentDrawing(
            style: EmblemStyle(avatar: layout.value, theme: theme.tokens, scheme: scheme.value),
            theme: theme, scheme: scheme, badge: badge?.mark(badgeCorner),
            accessibility: accessibility,
            loader: loader ?? DesignSystem.shared.emblemImageLoader)
        return try await drawing.svg(contents.map(\.content))
    }

    /// What can be drawn of all that is asked for, in its order.
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

    /// What an observer is told of it.
    private var item: EmblemItem {
        var item = EmblemItem(
            source: .icon(.person), label: accessibility.label, badge: badge)
        if case .image(let source) = appearance { item.source = source }
        return item
    }

    /// Initials that hold no character to be drawn.
    private var unseen: EmblemError? {
        guard case .initials(let text) = appearance, Initials(text) == nil else { return nil }
        return .failedToDraw(
            "There is no character in \"\(text)\" that can be drawn; give one or two letters.")
    }
}

extension Avatar.Layout {
    var value: AvatarLayout {
        switch self {
        case .small: .small
        case .default: .default
        case .medium: .medium
        case .large: .large
        }
    }
}

/// A finished avatar.
///
/// On Apple's systems this is what a view shows; here it is a picture with words about it.
public struct RenderedAvatar: Sendable {
    /// Its size in points.
    public let layout: Avatar.Layout
    /// Pixels a point.
    public let scale: Double
    /// The screens that it is for.
    public let scheme: ColorScheme
    /// What it shows in the end.
    public let appearance: Avatar.Appearance
    /// The avatar itself; `image.pngData()` is its file.
    public let image: Image
    /// Why it shows something else than was asked for; `nil` where it does not.
    public let error: (any Error)?
}

extension RenderedAvatar {
    init?(_ drawn: RenderedImage, _ appearance: Avatar.Appearance, error: (any Error)?) {
        guard case .avatar = drawn.variant.layout,
            let layout = Avatar.Layout(rawValue: drawn.variant.layout.name)
        else { return nil }
        self.init(
            layout: layout, scale: drawn.variant.scale,
            scheme: drawn.variant.scheme == .dark ? .dark : .light, appearance: appearance,
            image: Image(drawn), error: error)
    }
}
