import FoundationEssentials

/// Makes the avatars of many people, some at once: the picture of each, else the initials of the
/// label, else the profile icon.
///
/// ```swift
/// var batch = AvatarBatch(people.map { EmblemItem(url: $0.portrait, label: $0.name) })
/// batch.layouts = [.small, .large]
/// for await outcome in batch {
///     print(outcome.progress, outcome.status, outcome.avatars.map(\.image.width))
/// }
/// ```
///
/// In everything else it is as ``EmblemBatch``. Appearances of items mean nothing to avatars.
public struct AvatarBatch<Sources: AsyncSequence & Sendable>: Sendable
where Sources.Element: EmblemItemConvertible {
    var base: EmblemBatch<Sources>

    /// The sizes in which each avatar is made.
    public var layouts = Avatar.Layout.allCases

    /// A batch over items that may themselves take time to come.
    public init(_ sources: Sources) {
        base = EmblemBatch(sources)
    }

    /// A batch over items that are known already.
    public init<Known: Sequence & Sendable>(_ items: Known)
    where Sources == KnownSources<Known> {
        base = EmblemBatch(items)
    }

    /// Where pictures and labels come from.
    public var sources: Sources { base.sources }

    /// How many outcomes there will be, where the sources know.
    public var total: Int? { base.total }

    /// Pixels a point, from 0.5 to 4; with another one every outcome is `failed`.
    public var scales: [Double] {
        get { base.scales }
        set { base.scales = newValue }
    }

    /// The screens that they are for.
    public var schemes: [ColorScheme] {
        get { base.schemes }
        set { base.schemes = newValue }
    }

    /// The settings for one kind of picture, like ``EmblemBatch/look``.
    public var look: Emblem.Look {
        get { base.look }
        set { base.look = newValue }
    }

    /// How pictures stand in their circles.
    public var fitting: Emblem.Fitting {
        get { base.fitting }
        set { base.fitting = newValue }
    }

    /// What lies over the edge of every avatar whose item has nothing of its own.
    public var badge: Badge? {
        get { base.badge }
        set { base.badge = newValue }
    }

    /// The corner of the square over which badges lie.
    public var badgeCorner: Badge.Corner {
        get { base.badgeCorner }
        set { base.badgeCorner = newValue }
    }

    /// The theme of this batch, as ``EmblemBatch/theme``.
    public var theme: Theme? {
        get { base.theme }
        set { base.theme = newValue }
    }

    /// The loader of this batch; `nil` takes that of the ``DesignSystem``.
    public var loader: (any AsyncEmblemImageLoader)? {
        get { base.loader }
        set { base.loader = newValue }
    }

    /// Is told of every item; `nil` takes that of the ``DesignSystem``.
    public var observer: (any EmblemObserver)? {
        get { base.observer }
        set { base.observer = newValue }
    }

    /// Items under way at once, as ``EmblemBatch/concurrency``.
    public var concurrency: Int {
        get { base.concurrency }
        set { base.concurrency = newValue }
    }

    /// Bytes of pictures that are loaded and wait to be drawn, as ``EmblemBatch/bytesLimit``.
    public var bytesLimit: Int {
        get { base.bytesLimit }
        set { base.bytesLimit = newValue }
    }

    /// Pictures of this batch that are drawn at once, as ``EmblemBatch/renderers``.
    public var renderers: Int {
        get { base.renderers }
        set { base.renderers = newValue }
    }

    /// Where the pictures of this batch are decoded; `nil` takes what the ``DesignSystem`` says.
    public var decoding: Decoding? {
        get { base.decoding }
        set { base.decoding = newValue }
    }
}
