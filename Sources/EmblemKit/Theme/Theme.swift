import Artwork
import FoundationEssentials
import Render
import Synchronization
import System
import Theming
import Transport
import Worker

/// The design tokens of components: colours and dimensions.
///
/// A theme is the built-in theme with a file of tokens that override its values. <doc:ThemeTokens>
/// lists every token, and <doc:Themes> the accepted file formats.
///
/// ```swift
/// Theme.register(try Theme(name: "autumn", json: tokens))
/// Theme.switchTo("autumn")
/// let brand = Theme.colors.background.brand.light.hex
/// ```
///
/// On Apple platforms a theme provides system colours and fonts. Here ``ThemeColor`` replaces them.
/// A drawing uses the theme of its component, or of its task (``withCurrent(_:operation:)``), or of
/// the program (``switchTo(_:)-(Theme)``). A later change does not affect it.
///
/// Creating a theme resolves every reference once. Create one per tenant and keep it. Copies share
/// the resolved values.
public struct Theme: Sendable {
    /// The name of the theme.
    public let name: String
    /// Warnings about harmless problems of the file, such as unused tokens.
    public let warnings: [String]
    let resolved: ResolvedTheme
    var tokens: Theming.Theme { resolved.tokens }

    /// The built-in theme; its name is `default`.
    public static let builtIn = Theme(name: "default", tokens: .builtIn, warnings: [])

    private init(name: String, tokens: Theming.Theme, warnings: [String]) {
        self.name = name
        self.warnings = warnings
        resolved = ResolvedTheme(tokens)
    }

    /// Creates a theme from design tokens as JSON, which override the built-in theme. Missing tokens
    /// keep their built-in values.
    ///
    /// ```swift
    /// let tokens = ##"{"theme": {"color": {"background": {"brand": "#8A3B12"}}}}"##
    /// let autumn = try Theme(name: "autumn", json: tokens.utf8)
    /// ```
    ///
    /// - Throws: ``EmblemError/theme(_:)`` with the line, the token and the reason.
    public init(name: String, json: some Sequence<UInt8>) throws(EmblemError) {
        try self.init(name: name, json: Array(json), file: name)
    }

    /// Creates a theme from the design tokens of a file, which override the built-in theme. Its
    /// name is the file name without extension.
    ///
    /// - Throws: ``EmblemError/theme(_:)`` with the file, the line, the token and the reason.
    public init(contentsOf file: URL) throws(EmblemError) {
        let bytes = try rethrowing(
            FileIntake.read(FilePath(file.path), bytesLimit: Self.bytesLimit).bytes
        ) { (error: ItemFailure) in
            EmblemError.theme("\(file.path): \(error.libraryReason)")
        }
        try self.init(
            name: file.deletingPathExtension().lastPathComponent, json: bytes, file: file.path)
    }

    private init(name: String, json: [UInt8], file: String) throws(EmblemError) {
        let theme = try Theme.builtIn.layered(json, name: file)
        self.init(name: name, tokens: theme.tokens, warnings: theme.warnings)
    }

    /// Returns a theme with the tokens of `json` over those of this theme.
    func layered(_ json: [UInt8], name file: String) throws(EmblemError) -> Theme {
        let layered = try rethrowing(tokens.layering(json, name: file)) { (error: ThemeError) in
            EmblemError.theme("\(error)")
        }
        return Theme(
            name: name, tokens: layered.theme, warnings: layered.warnings.map(\.description))
    }

    private static let bytesLimit = 8 << 20

    /// The colours of this theme.
    public var colors: ThemeColors { ThemeColors(tokens: tokens) }

    /// Returns a dimension in points. The path may omit `theme.dimension.`. The result is `nil` for
    /// a path that the built-in theme does not have.
    public func dimension(_ path: String) -> Double? {
        tokens.dimension(path) ?? tokens.dimension("theme.dimension." + path)
    }
}

extension Theme: Hashable {
    /// Compares the names and the tokens of two themes.
    public static func == (one: Theme, other: Theme) -> Bool {
        one.name == other.name
            && (one.resolved === other.resolved || one.resolved.digest == other.resolved.digest)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(resolved.digest)
    }
}

/// The values that are computed once for a theme and shared by its copies.
final class ResolvedTheme: Sendable {
    let tokens: Theming.Theme
    /// A digest that is equal for themes with equal tokens.
    let digest: String
    /// The renderer for this theme, in this program or in a worker.
    let renderer: ThemedRenderer

    init(_ tokens: Theming.Theme) {
        self.tokens = tokens
        digest = tokens.digest
        renderer = ThemedRenderer(Renderer(theme: tokens, artwork: EmblemArtwork()))
    }
}

extension Theme {
    /// The theme of the current task; `nil` means the theme of the program.
    @TaskLocal static var inTask: Theme?

    /// Returns the theme of a component. It is read once per rendering, so that a switch during
    /// rendering has no effect.
    static func inForce(_ own: Theme?) -> Theme { (own ?? current).styled() }

    /// Runs `operation` with `theme` as the current theme of its task and of the child tasks. Other
    /// tasks are not affected.
    ///
    /// A server with many tenants renders each request this way:
    ///
    /// ```swift
    /// let emblem = try await Theme.withCurrent(tenant.theme) {
    ///     try await AsyncEmblem(url: logo, layout: .large).render(scale: 2)
    /// }
    /// ```
    ///
    /// A component with its own theme keeps it. A detached task does not inherit the theme. A batch
    /// uses the theme of the task that requests its first outcome.
    @discardableResult
    public static func withCurrent<Result, Failure>(
        _ theme: Theme, operation: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try $inTask.withValue(theme) { Swift.Result(catching: operation) }.get()
    }

    /// Runs an asynchronous `operation` with `theme` as the current theme of its task and of the
    /// child tasks.
    @discardableResult
    public static func withCurrent<Result, Failure>(
        _ theme: Theme, isolation: isolated (any Actor)? = #isolation,
        operation: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await $inTask.with(theme, isolation, operation)
    }
}

/// The registered themes by name, and the folders of theme files.
private let registry = Mutex((themes: [String: Theme](), folders: [URL]()))

extension Theme {
    /// The theme of components without their own theme: the theme of the task
    /// (``withCurrent(_:operation:)``), otherwise the theme of the program
    /// (``DesignSystem/Settings/theme``).
    public static var current: Theme { inTask ?? DesignSystem.shared.theme }

    /// The colours of the current theme.
    public static var colors: ThemeColors { current.colors }

    /// The folders that ``switchTo(_:)-(String)`` searches, in order, for files named after themes.
    /// Empty by default.
    public static var folders: [URL] {
        get { registry.withLock { $0.folders } }
        set { registry.withLock { $0.folders = newValue } }
    }

    /// Registers a theme under its name. It replaces an earlier theme with the same name.
    public static func register(_ theme: Theme) {
        registry.withLock { $0.themes[theme.name] = theme }
    }

    /// Makes a named theme the theme of the program: a registered theme, the built-in theme
    /// (`default`), or the file `name.json` in one of ``folders``, in the folder of the program or in
    /// a resource bundle there.
    ///
    /// It may be called at any time from any task. Later drawings use the new theme unless the
    /// component or its task has one. Work in progress keeps its theme.
    ///
    /// - Returns: ``EmblemError/theme(_:)`` if no theme has the name or its file cannot be used. The
    ///   current theme then stays.
    @discardableResult
    public static func switchTo(_ name: String) -> EmblemError? {
        do throws(EmblemError) {
            switchTo(try named(name))
            return nil
        } catch {
            return error
        }
    }

    /// Makes `theme` the theme of the program. It need not be registered.
    public static func switchTo(_ theme: Theme) {
        DesignSystem.shared.theme = theme
    }

    private static func named(_ name: String) throws(EmblemError) -> Theme {
        let known = registry.withLock { $0 }
        if let theme = known.themes[name] { return theme }
        if name == builtIn.name { return builtIn }
        let folders = known.folders + ProgramFolder.folders
        if ProgramFolder.isPlain(name),
            let file = ProgramFolder.file(named: [name + ".json"], in: folders)
        {
            return try Theme(contentsOf: file)
        }
        let names = (known.themes.keys + [builtIn.name]).sorted().joined(separator: ", ")
        let places = folders.map(\.path).joined(separator: ", ")
        throw .theme(
            "Unknown theme \"\(name)\"; use \(names)"
                + (places.isEmpty ? "" : ", and no \(name).json is in \(places)") + ".")
    }
}
