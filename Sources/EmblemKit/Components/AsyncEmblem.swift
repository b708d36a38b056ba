import Artwork
import FoundationEssentials
import Theming

/// An emblem that loads its image.
///
/// In an app, `AsyncEmblem` would be a view. Here it is a value that describes an emblem: iterate
/// over its ``phases()`` while the image loads, or get the finished emblem from
/// ``render(scale:scheme:)``.
///
/// ```swift
/// let emblem = AsyncEmblem(url: logo, layout: .large)
/// let finished = try await emblem.render(scale: 2)
/// try finished.image.pngData().write(to: file)
/// ```
public struct AsyncEmblem: Sendable {
    /// The source of the image.
    public var source: ImageSource { didSet { lastLoad = LastLoad() } }
    /// The fallback image, shown if the source cannot be loaded. If the fallback fails too, the
    /// icon `account-balance` is shown.
    public var placeholder: ImageSource
    /// The colours of the emblem.
    public var appearance: Emblem.Appearance
    /// The size of the emblem.
    public var layout: Emblem.Layout
    /// The rule for how the image fills the emblem.
    public var contentMode: ContentMode
    /// A preset for one kind of image, such as logos.
    public var look = Emblem.Look.plain
    /// A badge over one corner. A badge without a visible character is omitted.
    public var badge: Badge?
    /// The corner that the badge covers.
    public var badgeCorner = Badge.Corner.topRight
    /// The texts for screen readers.
    public var accessibility = Accessibility()
    /// The loader of this emblem; `nil` uses the loader of the ``DesignSystem``.
    public var loader: (any AsyncEmblemImageLoader)? { didSet { lastLoad = LastLoad() } }
    /// The theme of this emblem; `nil` uses ``Theme/current``.
    public var theme: Theme?
    private(set) var lastLoad = LastLoad()

    /// Creates an emblem whose image is at `url`. Without a URL it shows the placeholder.
    ///
    /// - Parameters:
    ///   - url: The URL of the image.
    ///   - placeholder: The fallback image.
    ///   - appearance: The colours of the emblem.
    ///   - layout: The size of the emblem.
    ///   - contentMode: The rule for how the image fills the emblem.
    ///   - theme: The theme of the emblem; `nil` uses ``Theme/current``.
    public init(
        url: URL?, placeholder: ImageSource = .icon(.accountBalance),
        appearance: Emblem.Appearance = .brand, layout: Emblem.Layout = .medium,
        contentMode: ContentMode = .fit, theme: Theme? = nil
    ) {
        self.init(
            source: .remote(url: url), placeholder: placeholder, appearance: appearance,
            layout: layout, contentMode: contentMode, theme: theme)
    }

    /// Creates an emblem from any kind of source.
    ///
    /// - Parameters:
    ///   - source: The source of the image.
    ///   - placeholder: The fallback image.
    ///   - appearance: The colours of the emblem.
    ///   - layout: The size of the emblem.
    ///   - contentMode: The rule for how the image fills the emblem.
    ///   - theme: The theme of the emblem; `nil` uses ``Theme/current``.
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

    /// The animation to show while the image loads.
    public var shimmer: Shimmer {
        Shimmer(layout: layout, appearance: appearance, theme: theme)
    }

    /// Loads the image and draws the emblem. If loading fails, draws the placeholder in the same
    /// style.
    ///
    /// After an iteration over ``phases()``, nothing is loaded again: the image or failure of the
    /// last iteration is used. To retry, iterate again.
    ///
    /// - Parameters:
    ///   - scale: Pixels per point, from 0.5 to 4.
    ///   - scheme: The screen scheme to draw for.
    /// - Throws: `CancellationError` if the task is cancelled; the loading error if even the
    ///   placeholder cannot be drawn; ``EmblemError/scaleOutOfRange(_:)``.
    public func render(
        scale: Double = 1, scheme: ColorScheme = .light
    ) async throws -> RenderedEmblem {
        let work = ItemWork(
            .emblem, wholeLook(scale, scheme), standIns: [.source(placeholder)], loader: loader,
            theme: theme)
        let source = lastLoad.result.map { $0.map { ImageSource.captured(image: $0) } }
        let item = EmblemItem(
            source: self.source, label: accessibility.label, appearance: appearance, badge: badge)
        let content = (source ?? .success(self.source)).map { ComponentContent.source($0) }
        let made = try await work.make(content, of: item)
        guard let emblem = made.images.first.flatMap({ RenderedEmblem($0, error: made.error) })
        else { throw made.error ?? CancellationError() }
        return emblem
    }

    func wholeLook(_ scale: Double, _ scheme: ColorScheme) -> EmblemLook {
        var look = EmblemLook(
            layouts: [.emblem(layout.value)], scales: [scale], schemes: [scheme])
        look.appearance = appearance
        look.contentMode = contentMode
        look.preset = self.look
        look.badge = badge?.mark(badgeCorner)
        return look
    }
}
