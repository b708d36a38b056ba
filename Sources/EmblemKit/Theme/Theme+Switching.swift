import FoundationEssentials
import Synchronization

/// The themes that are known by name.
private let shelf = ThemeCache()

private final class ThemeCache: Sendable {
    struct State {
        var themes: [String: Theme] = [:]
        var folders: [URL] = []
    }

    let state = Mutex(State())
}

extension Theme {
    /// The theme in which components draw that have none of their own: that of the task
    /// (``withCurrent(_:operation:)``), else that of the program (``DesignSystem/renderer``).
    public static var current: Theme { inTask ?? DesignSystem.shared.renderer.theme }

    /// The colours of the current theme.
    public static var colors: ThemeColors { current.colors }

    /// Where ``switchTo(_:)-(String)`` looks for files named after themes, in this order; nowhere
    /// until something is set.
    public static var folders: [URL] {
        get { shelf.state.withLock { $0.folders } }
        set { shelf.state.withLock { $0.folders = newValue } }
    }

    /// Makes a theme known by its name; an earlier one of that name is forgotten.
    public static func register(_ theme: Theme) {
        shelf.state.withLock { $0.themes[theme.name] = theme }
    }

    /// Makes the theme of this name that of the program: a registered one, the built-in one
    /// (`default`), or that of the file `name.json` in one of ``folders``.
    ///
    /// May be called at any time from any task. Everything that begins to draw afterwards draws in
    /// the new theme, unless it or its task has one of its own; work that has begun keeps its theme.
    ///
    /// - Throws: ``EmblemError/theme(_:)`` when no theme has the name, or its file cannot be used;
    ///   the current theme then stays.
    public static func switchTo(_ name: String) throws(EmblemError) {
        switchTo(try named(name))
    }

    /// Makes `theme` that of the program, whether or not it is registered.
    public static func switchTo(_ theme: Theme) {
        DesignSystem.shared.theme = theme
    }

    private static func named(_ name: String) throws(EmblemError) -> Theme {
        let known = shelf.state.withLock { $0 }
        if let theme = known.themes[name] { return theme }
        if name == builtIn.name { return builtIn }
        // A name is not a path: nothing outside of the folders is looked at.
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
            "There is no theme \"\(name)\"; known are \(names)"
                + (places.isEmpty ? "" : ", and no \(name).json is in \(places)") + ".")
    }
}
