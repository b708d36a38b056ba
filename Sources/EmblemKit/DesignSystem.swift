import Synchronization

/// The settings that all components of a program share.
///
/// On Apple platforms a design system gives fonts, spacing and colours to views. Here they are the
/// values of the current theme's tokens. The design system also holds the default loader, renderer
/// and observer. All properties can be set at any time from any task; work in progress keeps its
/// settings.
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

    /// The shared instance that all components use.
    public static let shared = DesignSystem()

    let state = Mutex(State())

    private init() {}

    /// The loader for components without their own loader.
    ///
    /// The default is a ``NetworkImageLoader`` with default settings.
    public var emblemImageLoader: any AsyncEmblemImageLoader {
        get { state.withLock { $0.loader } ?? NetworkImageLoader.standard }
        set { state.withLock { $0.loader = newValue } }
    }

    /// The renderer of the program. It holds the theme for components that have no theme and whose
    /// task has none.
    public var renderer: EmblemRenderer {
        get { state.withLock { $0.renderer } }
        set { state.withLock { $0.renderer = newValue } }
    }

    /// The theme of the program. Setting it has the same effect as ``Theme/switchTo(_:)-(Theme)``.
    /// The theme of the current task is ``Theme/current``.
    public var theme: Theme {
        get { renderer.theme }
        set { state.withLock { $0.renderer = EmblemRenderer($0.renderer, theme: newValue) } }
    }

    /// Changes to the look that the theme gives to components, applied before their own styles.
    public var styles: Styles {
        get { state.withLock { $0.styles } }
        set { state.withLock { $0.styles = newValue } }
    }

    /// The observer of everything drawn from a source, unless a batch has its own. The default is
    /// `nil`.
    public var observer: (any EmblemObserver)? {
        get { state.withLock { $0.observer } }
        set { state.withLock { $0.observer = newValue } }
    }

    /// The distances of the current theme.
    public var spacer: Spacer { Spacer(.current) }

    /// The corner radii of the current theme.
    public var cornerRadius: CornerRadius { CornerRadius(.current) }

    /// The text styles of the current theme.
    public var typography: Typography { Typography(.current) }
}
