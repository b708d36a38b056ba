import Artwork
import FoundationEssentials
import Theming

/// An emblem that loads its picture.
///
/// On Apple's systems `AsyncEmblem` is a view. Here it is a value that describes one: ask it for
/// its ``phases()`` while the picture loads, or for the finished emblem with
/// ``render(scale:scheme:)``.
///
/// ```swift
/// let emblem = AsyncEmblem(url: logo, layout: .large)
/// let finished = try await emblem.render(scale: 2)
/// try finished.image.pngData().write(to: file)
/// ```
public struct AsyncEmblem: Sendable {
    /// Where the picture comes from.
    public var source: ImageSource { didSet { lastLoad = LastLoad() } }
    /// What is shown when it cannot be loaded; the icon `account-balance` when this fails too.
    public var placeholder: ImageSource
    /// The colours that it wears.
    public var appearance: Emblem.Appearance
    /// Its size.
    public var layout: Emblem.Layout
    /// How the picture fills it.
    public var contentMode: ContentMode
    /// The settings for one kind of picture, such as logos.
    public var look = Emblem.Look.plain
    /// What lies over one of its corners. One without a character that can be seen is left out.
    public var badge: Badge?
    /// The corner over which the badge lies.
    public var badgeCorner = Badge.Corner.topRight
    /// What it says to those who do not see it.
    public var accessibility = Accessibility()
    /// The loader of this emblem; `nil` takes that of the ``DesignSystem``.
    public var loader: (any AsyncEmblemImageLoader)? { didSet { lastLoad = LastLoad() } }
    /// The theme in which it is drawn; `nil` takes ``Theme/current``.
    public var theme: Theme?
    private(set) var lastLoad = LastLoad()

    /// An emblem whose picture is at `url`; without a URL it shows the placeholder.
    ///
    /// - Parameters:
    ///   - url: where the picture is.
    ///   - placeholder: what is shown when it cannot be loaded.
    ///   - appearance: the colours that it wears.
    ///   - layout: its size.
    ///   - contentMode: how the picture fills it.
    ///   - theme: the theme in which it is drawn; `nil` takes ``Theme/current``.
    public init(
        url: URL?, placeholder: ImageSource = .icon(.accountBalance),
        appearance: Emblem.Appearance = .brand, layout: Emblem.Layout = .medium,
        contentMode: ContentMode = .fit, theme: Theme? = nil
    ) {
        self.init(
            source: .remote(url: url), placeholder: placeholder, appearance: appearance,
            layout: layout, contentMode: contentMode, theme: theme)
    }

    /// An emblem whose picture comes from anywhere.
    ///
    /// - Parameters:
    ///   - source: where the picture comes from.
    ///   - placeholder: what is shown when it cannot be loaded.
    ///   - appearance: the colours that it wears.
    ///   - layout: its size.
    ///   - contentMode: how the picture fills it.
    ///   - theme: the theme in which it is drawn; `nil` takes ``Theme/current``.
    public init(
        source: ImageSource, placeholder: ImageSource = .icon(.accountBalance),
        appearance: Emblem.Appearance = .brand, layout: Emblem.Layout = .medium,
        contentMode: ContentMode = .fit, theme: Theme? = nil
    ) {
        self.source = source
        self.placeholder = placeholder
        self.appearance = appearance
        self.layout = layout
        self.contentMode = contentMode
        self.theme = theme
    }

    /// What stands in its place while the picture loads.
    public var shimmer: Shimmer {
        Shimmer(layout: layout, appearance: appearance, theme: theme)
    }

    /// Loads the picture and draws the emblem; where that fails, the placeholder in the same style.
    ///
    /// After a walk along the ``phases()`` nothing is loaded: what the last walk ended with, picture
    /// or failure, is what is shown. To try again, walk again.
    ///
    /// - Parameters:
    ///   - scale: pixels a point, from 0.5 to 4.
    ///   - scheme: the screens that it is for.
    /// - Throws: `CancellationError` when the task is cancelled; what kept the picture from being
    ///   shown only if not even a placeholder can be drawn; ``EmblemError/scaleOutOfRange(_:)``.
    public func render(
        scale: Double = 1, scheme: ColorScheme = .light
    ) async throws -> RenderedEmblem {
        var look = EmblemLook(
            layouts: [.emblem(layout.value)], scales: [scale], schemes: [scheme])
        look.appearance = appearance
        look.contentMode = contentMode
        look.preset = self.look
        look.badge = badge?.mark(badgeCorner)
        let work = ItemWork(
            .emblem, look, standIns: [.source(placeholder)], loader: loader, theme: theme)
        let source = lastLoad.result.map { $0.map { ImageSource.captured(image: $0) } }
        let item = EmblemItem(
            source: self.source, label: accessibility.label, appearance: appearance, badge: badge)
        let content = (source ?? .success(self.source)).map { ComponentContent.source($0) }
        let made = try await work.make(content, of: item)
        guard let emblem = made.images.first.flatMap({ RenderedEmblem($0, error: made.error) })
        else { throw made.error ?? CancellationError() }
        return emblem
    }
}
