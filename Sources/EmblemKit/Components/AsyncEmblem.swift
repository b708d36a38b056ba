import Artwork
import FoundationEssentials
import Render
import Synchronization
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
    public var source: ImageSource
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
    /// The position and size of the image: padding, border, margins, background.
    public var fitting = Emblem.Fitting()
    /// A badge over one corner. A badge without a visible character is omitted.
    public var badge: Badge?
    /// The corner that the badge covers.
    public var badgeCorner = Badge.Corner.topRight
    /// The texts for screen readers.
    public var accessibility = Accessibility()
    /// The loader of this emblem; `nil` uses the loader of the ``DesignSystem``.
    public var loader: (any AsyncEmblemImageLoader)?
    /// The time limit for one load of a custom loader. A load that takes longer fails with the
    /// class `timeout`. The loader of the library has its own limit,
    /// ``NetworkImageLoader/Settings/imageTimeout``.
    public var timeout = Duration.seconds(30)
    /// The theme of this emblem; `nil` uses ``Theme/current``.
    public var theme: Theme?
    /// The isolation and the limits for decoding the image; `nil` uses the setting of the
    /// ``DesignSystem``.
    public var decoding: Decoding?

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
        url: URL? = nil, placeholder: ImageSource = .icon(.accountBalance),
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
    /// - Parameters:
    ///   - scale: Pixels per point, from 0.5 to 4.
    ///   - scheme: The screen scheme to draw for.
    /// - Throws: `CancellationError` if the task is cancelled; the loading error if even the
    ///   placeholder cannot be drawn; ``EmblemError/scaleOutOfRange(_:)``.
    public func render(
        scale: Double = 1, scheme: ColorScheme = .light
    ) async throws -> RenderedEmblem {
        try await render(.empty, scale: scale, scheme: scheme)
    }

    /// Draws the emblem for a phase of loading, without loading the image again.
    ///
    /// A failure draws the placeholder. ``AsyncImagePhase/empty`` loads the image, like
    /// ``render(scale:scheme:)``.
    public func render(
        _ phase: AsyncImagePhase, scale: Double = 1, scheme: ColorScheme = .light
    ) async throws -> RenderedEmblem {
        let item = EmblemItem(
            source: source, label: accessibility.label, appearance: appearance, badge: badge)
        let made = try await ItemWork(drawing(scale, scheme)).make(content(in: phase), of: item)
        guard let emblem = made.images.first.flatMap({ RenderedEmblem($0, error: made.error) })
        else { throw made.error ?? CancellationError() }
        return emblem
    }

    /// Loads the image and draws the emblem as an SVG document, sharp at every size.
    ///
    /// Icons and SVG images remain vector drawings; other images are embedded. If loading fails,
    /// the placeholder is drawn. The drawing follows the content mode, padding and tint of the
    /// ``look``; operations on the pixels of the image do not apply, such as trimming and the
    /// margins and backgrounds of ``Emblem/Look/logos``.
    ///
    /// - Throws: `CancellationError` if the task is cancelled; the loading error if even the
    ///   placeholder cannot be drawn.
    public func svg(scheme: ColorScheme = .light) async throws -> String {
        try await svg(.empty, scheme: scheme)
    }

    /// Draws the SVG document for a phase of loading, without loading the image again, like
    /// ``render(_:scale:scheme:)``.
    public func svg(
        _ phase: AsyncImagePhase, scheme: ColorScheme = .light
    ) async throws -> String {
        let drawing = drawing(1, scheme)
        let style = drawing.recipe.style(
            for: drawing.variants[0], in: Theme.inForce(theme).tokens)
        let wanted = try? content(in: phase).get()
        return try await drawing.svg(
            [wanted, .source(placeholder), .source(.icon(.accountBalance))].compactMap { $0 },
            style, accessibility)
    }

    /// The content to draw in a phase, or the failure.
    private func content(in phase: AsyncImagePhase) -> Result<ComponentContent, any Error> {
        switch phase {
        case .empty: .success(.source(source))
        case .success(let image): .success(.source(.captured(image: image)))
        case .failure(let error): .failure(error)
        }
    }

    private func drawing(_ scale: Double, _ scheme: ColorScheme) -> ItemDrawing {
        var options = BatchOptions.single(scale, scheme)
        (options.look, options.fitting) = (look, fitting)
        (options.badge, options.badgeCorner) = (badge, badgeCorner)
        (options.loader, options.timeout) = (loader, timeout)
        (options.theme, options.decoding) = (theme, decoding)
        return ItemDrawing(
            component: .emblem, layouts: [.emblem(layout)], options: options,
            appearance: appearance, contentMode: contentMode, fallbacks: [.source(placeholder)])
    }
}

extension AsyncEmblem {
    /// Returns the phases of loading: ``AsyncImagePhase/empty``, then the image or the failure.
    ///
    /// Loading starts when the second phase is requested, in the requesting task, and ends with
    /// that task. After a cancellation the sequence ends without a final phase.
    /// ``render(_:scale:scheme:)`` draws a phase without another load.
    public func phases() -> AsyncStream<AsyncImagePhase> {
        let step = Step()
        return AsyncStream {
            switch step.next() {
            case 0: return .empty
            case 1:
                let result = await load()
                return Task.isCancelled ? nil : AsyncImagePhase(result)
            default: return nil
            }
        }
    }

    /// The number of the next phase.
    private final class Step: Sendable {
        private let count = Atomic(0)

        func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
    }

    private func load() async -> Result<Image, any Error> {
        do {
            let loaded = try await source.load(SourceLoading(loader, timeout: timeout))
            return .success(try await loaded.image.checked(Decoding.inForce(decoding)))
        } catch {
            return .failure(error)
        }
    }
}

/// A phase of loading an image. Corresponds to SwiftUI's `AsyncImagePhase`.
public enum AsyncImagePhase: Sendable {
    /// Nothing has been loaded yet.
    case empty
    /// The image was loaded.
    case success(Image)
    /// Loading failed. Errors of the library are ``EmblemError``; errors of a custom loader are
    /// passed unchanged.
    case failure(any Error)

    init(_ result: Result<Image, any Error>) {
        switch result {
        case .success(let image): self = .success(image)
        case .failure(let error): self = .failure(error)
        }
    }

    /// The image, if it was loaded.
    public var image: Image? {
        if case .success(let image) = self { image } else { nil }
    }

    /// The error, if loading failed.
    public var error: (any Error)? {
        if case .failure(let error) = self { error } else { nil }
    }
}
