import FoundationEssentials
import Synchronization

/// The themes that are registered by name.
private let shelf = ThemeCache()

private final class ThemeCache: Sendable {
    struct State {
        var themes: [String: Theme] = [:]
        var folders: [URL] = []
    }

    let state = Mutex(State())
}

extension Theme {
    /// The theme of components without their own theme: the theme of the task
    /// (``withCurrent(_:operation:)``), otherwise the theme of the program
    /// (``DesignSystem/renderer``).
    public static var current: Theme { inTask ?? DesignSystem.shared.renderer.theme }

    /// The colours of the current theme.
    public static var colors: ThemeColors { current.colors }

    /// The folders that ``switchTo(_:)-(String)`` searches, in order, for files named after themes.
    /// Empty by default.
    public static var folders: [URL] {
        get { shelf.state.withLock { $0.folders } }
        set { shelf.state.withLock { $0.folders = newValue } }
    }

    /// Registers a theme under its name. It replaces an earlier theme with the same name.
    public static func register(_ theme: Theme) {
        shelf.state.withLock { $0.themes[theme.name] = theme }
    }

    /// Makes a named theme the theme of the program: a registered theme, the built-in theme
    /// (`default`), or the file `name.json` in one of ``folders``.
    ///
    /// It may be called at any time from any task. Later drawings use the new theme unless the
    /// component or its task has one. Work in progress keeps its theme.
    ///
    /// - Throws: ``EmblemError/theme(_:)`` if no theme has the name or its file cannot be used. The
    ///   current theme then stays.
    public static func switchTo(_ name: String) throws(EmblemError) {
        switchTo(try named(name))
    }

    /// Makes `theme` the theme of the program. It need not be registered.
    public static func switchTo(_ theme: Theme) {
        DesignSystem.shared.theme = theme
    }

    private static func named(_ name: String) throws(EmblemError) -> Theme {
        let known = shelf.state.withLock { $0 }
        if let theme = known.themes[name] { return theme }
        if name == builtIn.name { return builtIn }
        // A name is not a path: only files directly in the folders are considered.
        let isPlain = !name.isEmpty && !name.hasPrefix(".") && !name.contains { "/\0".contains($0) }
        for folder in known.folders where isPlain {
            let file = folder.appendingPathComponent(name + ".json")
            if FileManager.default.fileExists(atPath: file.path) {
                return try Theme(contentsOf: file)
            }
        }
        let names = (known.themes.keys + [builtIn.name]).sorted().joined(separator: ", ")
        let places = known.folders.map(\.path).joined(separator: ", ")
        throw .theme(
            "Unknown theme \"\(name)\"; use \(names)"
                + (places.isEmpty ? "" : ", and no \(name).json is in \(places)") + ".")
    }
}
