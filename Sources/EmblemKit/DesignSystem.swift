import Artwork
import Synchronization
import Theming

/// The settings that all components of a program share.
///
/// On Apple platforms a design system gives fonts, spacing and colours to views. Here these values
/// come from the tokens of the current theme. The ``Settings`` are properties of the design system:
/// `DesignSystem.shared.emblemImageLoader`. They can be set at any time from any task; work in
/// progress keeps its settings. ``update(_:)`` changes a part of a property without losing changes
/// of other tasks.
///
/// ```swift
/// let system = DesignSystem.shared
/// system.styles.stateView = { $0.padding = DesignSystem.shared.spacer.xxl }
/// print(system.spacer.md, system.cornerRadius.lg, system.typography.title.size)
/// ```
@dynamicMemberLookup
public final class DesignSystem: Sendable {
    /// The properties of a ``DesignSystem`` that can be set.
    public struct Settings: Sendable {
        fileprivate(set) var ownLoader: (any AsyncEmblemImageLoader)?
        /// The loader for components without their own loader. The default is a
        /// ``NetworkImageLoader`` with default settings.
        public var emblemImageLoader: any AsyncEmblemImageLoader {
            get { ownLoader ?? NetworkImageLoader.standard }
            set { ownLoader = newValue }
        }
        /// The theme of components that have no theme and whose task has none. Setting it has the
        /// same effect as ``Theme/switchTo(_:)-(Theme)``.
        public var theme = Theme.builtIn
        /// Changes to the look that the theme gives to components, applied before their own styles.
        public var styles = Styles()
        /// The isolation and the limits for decoding in components without their own settings. Set
        /// it before the first image is decoded.
        public var decoding = Decoding()

        fileprivate init() {}
    }

    /// The shared instance that all components use.
    public static let shared = DesignSystem()

    private let state = Mutex((settings: Settings(), version: 0))

    private init() {}

    private var settings: Settings { state.withLock { $0.settings } }

    /// Changes settings as one step, so that no change of another task is lost.
    ///
    /// ```swift
    /// DesignSystem.shared.update { $0.decoding.timeout = .seconds(10) }
    /// ```
    ///
    /// If another task changes the settings meanwhile, `change` runs again on the new settings. It
    /// may read the design system, but must have no other effect.
    public func update(_ change: (inout Settings) throws -> Void) rethrows {
        while true {
            // The lock is not held while `change` runs.
            var (settings, version) = state.withLock { $0 }
            try change(&settings)
            let isSet = state.withLock { state in
                guard state.version == version else { return false }
                state = (settings, version &+ 1)
                return true
            }
            if isSet { return }
        }
    }

    /// One of the ``Settings``.
    public subscript<Value>(dynamicMember path: WritableKeyPath<Settings, Value>) -> Value {
        get { settings[keyPath: path] }
        set { update { $0[keyPath: path] = newValue } }
    }

    /// The loader that the program has set, if any.
    var ownLoader: (any AsyncEmblemImageLoader)? { settings.ownLoader }

    /// The distances of the current theme.
    public var spacer: Spacer { Spacer(theme: .current) }

    /// The corner radii of the current theme.
    public var cornerRadius: CornerRadius { CornerRadius(theme: .current) }

    /// The text styles of the current theme.
    public var typography: Typography { Typography(theme: .current) }
}

extension DesignSystem {
    /// Distances in points, from the tokens `theme.dimension.spacing.*`.
    public struct Spacer: Hashable, Sendable {
        let theme: Theme

        /// The smallest distance; 4 by default.
        public var xs: Double { theme.points("spacing.xs") }
        /// A small distance; 8 by default.
        public var sm: Double { theme.points("spacing.sm") }
        /// A medium distance; 12 by default.
        public var md: Double { theme.points("spacing.md") }
        /// A large distance; 16 by default.
        public var lg: Double { theme.points("spacing.lg") }
        /// A very large distance; 24 by default.
        public var xl: Double { theme.points("spacing.xl") }
        /// The largest distance; 32 by default.
        public var xxl: Double { theme.points("spacing.xxl") }
    }

    /// Corner radii in points, from the tokens `theme.dimension.radius.*`.
    public struct CornerRadius: Hashable, Sendable {
        let theme: Theme

        /// A small radius; 4 by default.
        public var sm: Double { theme.points("radius.sm") }
        /// A medium radius; 8 by default.
        public var md: Double { theme.points("radius.md") }
        /// A large radius; 12 by default.
        public var lg: Double { theme.points("radius.lg") }
        /// The largest radius; 16 by default.
        public var xl: Double { theme.points("radius.xl") }
        /// A radius for semicircular ends at every height. A radius is limited by the available
        /// space.
        public var full: Double { 2048 }

        /// Returns the corner radius of an emblem in a layout.
        public func emblem(_ layout: Emblem.Layout) -> Double { theme.tokens.radius(of: layout) }
    }

    /// The styles of texts. Corresponds to fonts on Apple platforms.
    public struct Typography: Hashable, Sendable {
        let theme: Theme

        private var settings: StateView.Settings { StateView.Settings(theme: theme) }

        /// The style of titles.
        public var title: TextSettings { settings.title }
        /// The style of subtitles.
        public var subtitle: TextSettings { settings.subtitle }
        /// The style of the most prominent button.
        public var button: TextSettings { settings.firstButton.text }
        /// The style of the text of a neutral badge. The other badges differ in their colours,
        /// which ``ThemeColors/badge(_:)`` returns.
        public var badge: TextSettings {
            TextSettings(
                size: theme.points("badge.text"), weight: .semibold,
                color: theme.colors.badge(.neutral).foreground)
        }

        /// Returns the style of the initials in an avatar, whose size follows the layout.
        public func initials(_ layout: Avatar.Layout) -> TextSettings {
            TextSettings(
                size: theme.tokens.side(of: layout) * EmblemStyle.initialsShare,
                weight: .semibold, color: theme.colors.onBackground.brand)
        }
    }

    /// Changes to the look that the theme gives to components. By default they change nothing.
    public struct Styles: Sendable {
        /// The change to all titles.
        public var title: Style<TextSettings> = { _ in }
        /// The change to all subtitles.
        public var subtitle: Style<TextSettings> = { _ in }
        /// The change to the most prominent button.
        public var primaryButton: Style<StateView.ButtonSettings> = { _ in }
        /// The change to the second button.
        public var secondaryButton: Style<StateView.ButtonSettings> = { _ in }
        /// The change to the least prominent button.
        public var tertiaryButton: Style<StateView.ButtonSettings> = { _ in }
        /// The change to the colours of badges, also over components; `nil` changes nothing. It is
        /// called once for each appearance.
        public var badge: Style<Badge.Settings>?
        /// The change to state views as a whole. It is applied after the changes to their parts.
        public var stateView: Style<StateView.Settings> = { _ in }

        func apply(to settings: inout StateView.Settings) {
            title(&settings.title)
            subtitle(&settings.subtitle)
            primaryButton(&settings.firstButton)
            secondaryButton(&settings.secondButton)
            tertiaryButton(&settings.thirdButton)
            stateView(&settings)
        }
    }
}

extension Theme {
    /// Returns a dimension that every theme has.
    fileprivate func points(_ path: String) -> Double {
        guard let points = dimension(path) else {
            preconditionFailure("The built-in theme has every measure that has a name here.")
        }
        return points
    }
}
