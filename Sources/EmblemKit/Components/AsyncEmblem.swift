import FoundationEssentials

/// An emblem that loads its picture.
///
/// On Apple's systems `AsyncEmblem` is a view. Here it is a value that describes one: ask it for
/// its ``phases()`` while the picture loads, or for the finished emblem with ``render(scale:)``.
///
/// ```swift
/// let emblem = AsyncEmblem(url: logo, layout: .large)
/// let finished = try await emblem.render(scale: 2)
/// try finished.image.pngData().write(to: file)
/// ```
public struct AsyncEmblem: Sendable {
    /// Where the picture comes from.
    public var source: ImageSource
    /// What is shown when it cannot be loaded; the icon `account-balance` when this fails too.
    public var placeholder: ImageSource
    /// The colours that it wears.
    public var appearance: Emblem.Appearance
    /// Its size.
    public var layout: Emblem.Layout
    /// How the picture fills it.
    public var contentMode: ContentMode
    /// The loader of this emblem; `nil` takes that of the ``DesignSystem``.
    public var loader: (any AsyncEmblemImageLoader)?

    /// An emblem whose picture is at `url`; without a URL it shows the placeholder.
    public init(
        url: URL?, placeholder: ImageSource = .icon(.accountBalance),
        appearance: Emblem.Appearance = .brand, layout: Emblem.Layout = .medium,
        contentMode: ContentMode = .fit
    ) {
        self.init(
            source: .remote(url: url), placeholder: placeholder, appearance: appearance,
            layout: layout, contentMode: contentMode)
    }

    /// An emblem whose picture comes from anywhere.
    public init(
        source: ImageSource, placeholder: ImageSource = .icon(.accountBalance),
        appearance: Emblem.Appearance = .brand, layout: Emblem.Layout = .medium,
        contentMode: ContentMode = .fit
    ) {
        self.source = source
        self.placeholder = placeholder
        self.appearance = appearance
        self.layout = layout
        self.contentMode = contentMode
    }

    /// Loads the picture and draws the emblem; where that fails, the placeholder in the same style.
    ///
    /// - Parameter scale: pixels a point, from 0.5 to 4.
    /// - Throws: `CancellationError` when the task is cancelled; what kept the picture from being
    ///   shown only if not even a placeholder can be drawn.
    public func render(scale: Double = 1) async throws -> RenderedEmblem {
        let look = EmblemLook(
            layouts: [layout], scales: [scale], appearance: appearance, contentMode: contentMode)
        let maker = EmblemMaker(loader: loader, look: look, placeholder: placeholder)
        let made = try await maker.make(source)
        guard let emblem = made.emblems.first else { throw made.error ?? CancellationError() }
        return emblem
    }
}
