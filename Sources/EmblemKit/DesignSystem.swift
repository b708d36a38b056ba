import Synchronization

/// What all components of a program share.
///
/// On Apple's systems it also carries fonts and spacing for views; here it decides who loads
/// pictures and who draws emblems, where an emblem or a batch does not say so itself. Everything
/// may be set at any time, from any task; work that has begun keeps what it began with.
public final class DesignSystem: Sendable {
    private struct State {
        var loader: (any AsyncEmblemImageLoader)?
        var renderer = EmblemRenderer()
    }

    /// The one that components look to.
    public static let shared = DesignSystem()

    private let state = Mutex(State())

    private init() {}

    /// Loads pictures for everyone who brings no loader of their own.
    ///
    /// A ``NetworkImageLoader`` with its default settings until another is set.
    public var emblemImageLoader: any AsyncEmblemImageLoader {
        get { state.withLock { $0.loader } ?? NetworkImageLoader.standard }
        set { state.withLock { $0.loader = newValue } }
    }

    /// Draws emblems, and holds the theme in which they are drawn.
    public var renderer: EmblemRenderer {
        get { state.withLock { $0.renderer } }
        set { state.withLock { $0.renderer = newValue } }
    }
}
