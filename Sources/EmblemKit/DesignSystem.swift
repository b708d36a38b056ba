import Synchronization

/// What all components of a program share.
///
/// On Apple's systems it hands fonts, spacing and colours to views; here they are the values of the
/// current theme's tokens. It also decides who loads pictures and who draws, where a component does
/// not say so itself. Everything may be set at any time, from any task; work that has begun keeps
/// what it began with.
///
/// ```swift
/// let system = DesignSystem.shared
/// system.styles.stateView = { $0.padding = DesignSystem.shared.spacer.xxl }
/// print(system.spacer.md, system.cornerRadius.lg, system.typography.title.size)
/// ```
public final class DesignSystem: Sendable {
    struct State {
        var loader: (any AsyncEmblemImageLoader)?
        var renderer = EmblemRenderer()
        var decoding = Decoding()
        var styles = Styles()
        var observer: (any EmblemObserver)?
    }

    /// The one that components look to.
    public static let shared = DesignSystem()

    let state = Mutex(State())

    private init() {}

    /// Loads pictures for everyone who brings no loader of their own.
    ///
    /// A ``NetworkImageLoader`` with its default settings until another is set.
    public var emblemImageLoader: any AsyncEmblemImageLoader {
        get { state.withLock { $0.loader } ?? NetworkImageLoader.standard }
        set { state.withLock { $0.loader = newValue } }
    }

    /// Draws emblems, and holds the theme of the program, in which they are drawn unless they or
    /// their task have another.
    public var renderer: EmblemRenderer {
        get { state.withLock { $0.renderer } }
        set { state.withLock { $0.renderer = newValue } }
    }

    /// The theme of the program; setting it is ``Theme/switchTo(_:)-(Theme)``. What holds in a task
    /// is ``Theme/current``.
    public var theme: Theme {
        get { renderer.theme }
        set { state.withLock { $0.renderer = EmblemRenderer($0.renderer, theme: newValue) } }
    }

    /// What components change of the look that the theme gives them, before their own styles.
    public var styles: Styles {
        get { state.withLock { $0.styles } }
        set { state.withLock { $0.styles = newValue } }
    }

    /// Is told of everything that is drawn of a source, where a batch has no observer of its own;
    /// nobody until it is set.
    public var observer: (any EmblemObserver)? {
        get { state.withLock { $0.observer } }
        set { state.withLock { $0.observer = newValue } }
    }

    /// The distances of the current theme.
    public var spacer: Spacer { Spacer(.current) }

    /// The radii of the current theme.
    public var cornerRadius: CornerRadius { CornerRadius(.current) }

    /// The texts of the current theme.
    public var typography: Typography { Typography(.current) }
}
