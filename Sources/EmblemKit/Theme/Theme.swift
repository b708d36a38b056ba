import Artwork
import Cell
import FoundationEssentials
import Render
import Theming
import Transport

/// The design tokens of components: colours and dimensions.
///
/// A theme is the built-in theme with a file of tokens that override its values. <doc:ThemeTokens>
/// lists every token, and <doc:Themes> the accepted file formats.
///
/// ```swift
/// Theme.register(try Theme(name: "autumn", json: tokens))
/// try Theme.switchTo("autumn")
/// let brand = Theme.colors.background.brand.light.hex
/// ```
///
/// On Apple platforms a theme provides system colours and fonts. Here ``ThemeColor`` replaces them.
/// A drawing uses the theme of its component, or of its task (``withCurrent(_:operation:)``), or of
/// the program (``switchTo(_:)-(Theme)``), and keeps it to the end.
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

    /// Creates a theme from the design tokens in `json`, which override the built-in theme.
    ///
    /// - Throws: ``EmblemError/theme(_:)`` with the line, the token and the reason.
    public init(name: String, json: [UInt8]) throws(EmblemError) {
        try self.init(name: name, json: json, file: name)
    }

    /// Creates a theme from the design tokens of a file, which override the built-in theme. Its
    /// name is the file name without extension.
    ///
    /// - Throws: ``EmblemError/theme(_:)`` with the file, the line, the token and the reason.
    public init(contentsOf file: URL) throws(EmblemError) {
        let bytes: [UInt8]
        do throws(IntakeError) {
            bytes = try FileIntake.read(FilePath(file.path), bytesLimit: Self.bytesLimit).bytes
        } catch {
            throw .theme("\(file.path): \(error.libraryReason)")
        }
        try self.init(
            name: file.deletingPathExtension().lastPathComponent, json: bytes, file: file.path)
    }

    /// Creates a theme from the design tokens in a text, such as those of a tenant. They override
    /// the built-in theme.
    ///
    /// ```swift
    /// let tokens = ##"{"theme": {"color": {"background": {"brand": "#8A3B12"}}}}"##
    /// let autumn = try Theme(string: tokens, name: "autumn")
    /// ```
    ///
    /// - Parameters:
    ///   - string: The tokens in any accepted file format. Missing tokens keep their built-in
    ///     values.
    ///   - name: The name of the theme, also used in messages.
    /// - Throws: ``EmblemError/theme(_:)`` with the line, the token and the reason.
    public init(string: String, name: String = "theme") throws(EmblemError) {
        try self.init(name: name, json: Array(string.utf8))
    }

    /// Creates a theme from bytes, such as a response body.
    ///
    /// - Throws: ``EmblemError/theme(_:)`` with the line, the token and the reason.
    public init(data: Data, name: String = "theme") throws(EmblemError) {
        try self.init(name: name, json: Array(data))
    }

    private init(name: String, json: [UInt8], file: String) throws(EmblemError) {
        let layered: (theme: Theming.Theme, warnings: [ThemeWarning])
        do throws(ThemeError) {
            layered = try Theming.Theme.builtIn.layering(json, name: file)
        } catch {
            throw .theme("\(error)")
        }
        self.init(
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
