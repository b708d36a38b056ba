import Artwork
import Cell
import FoundationEssentials
import Render
import Theming
import Transport

/// Design tokens: the colours and measures in which everything is drawn.
///
/// A theme is the built-in one with a file of tokens laid over it; <doc:Themes> names every token
/// and the forms a file may have.
///
/// ```swift
/// Theme.register(try Theme(name: "autumn", json: tokens))
/// try Theme.switchTo("autumn")
/// let brand = Theme.colors.background.brand.light.hex
/// ```
///
/// On Apple's systems a theme hands out colours and fonts of the system; here ``ThemeColor`` stands
/// in for them. What is drawn takes its component's own theme, else that of its task
/// (``withCurrent(_:operation:)``), else that of the program (``switchTo(_:)-(Theme)``), and keeps
/// the one that it began with.
///
/// Making a theme follows every reference once; make one for each tenant and keep it. Copies share
/// what was made.
public struct Theme: Sendable {
    /// What the theme is called.
    public let name: String
    /// What is odd about its file but does no harm, such as tokens that nothing uses.
    public let warnings: [String]
    let resolved: ResolvedTheme
    var tokens: Theming.Theme { resolved.tokens }

    /// The theme that the library carries; its name is `default`.
    public static let builtIn = Theme(name: "default", tokens: .builtIn, warnings: [])

    private init(name: String, tokens: Theming.Theme, warnings: [String]) {
        self.name = name
        self.warnings = warnings
        resolved = ResolvedTheme(tokens)
    }

    /// The built-in theme with the design tokens in `json` laid over it.
    ///
    /// - Throws: ``EmblemError/theme(_:)`` with the line, the token and the reason.
    public init(name: String, json: [UInt8]) throws(EmblemError) {
        try self.init(name: name, json: json, file: name)
    }

    /// The built-in theme with the design tokens of a file laid over it, named after the file
    /// without its extension.
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

    /// The built-in theme with the design tokens in a text laid over it, such as one that a tenant
    /// gave.
    ///
    /// ```swift
    /// let tokens = ##"{"theme": {"color": {"background": {"brand": "#8A3B12"}}}}"##
    /// let autumn = try Theme(string: tokens, name: "autumn")
    /// ```
    ///
    /// - Parameters:
    ///   - string: the tokens in any form that a file may have; what they leave out stays.
    ///   - name: what the theme is called, in messages too.
    /// - Throws: ``EmblemError/theme(_:)`` with the line, the token and the reason.
    public init(string: String, name: String = "theme") throws(EmblemError) {
        try self.init(name: name, json: Array(string.utf8))
    }

    /// The same from bytes, such as the body of an answer.
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

    /// A measure in points, by its path with or without `theme.dimension.`; nil for a path that the
    /// built-in theme does not have.
    public func dimension(_ path: String) -> Double? {
        tokens.dimension(path) ?? tokens.dimension("theme.dimension." + path)
    }
}

extension Theme: Hashable {
    /// Equal themes are called the same and draw the same.
    public static func == (one: Theme, other: Theme) -> Bool {
        one.name == other.name
            && (one.resolved === other.resolved || one.resolved.digest == other.resolved.digest)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(resolved.digest)
    }
}

/// What is made of a theme once, for all of its copies.
final class ResolvedTheme: Sendable {
    let tokens: Theming.Theme
    /// Equal for themes that draw the same.
    let digest: String
    /// Draws in the theme, in this program or in a worker.
    let renderer: ThemedRenderer

    init(_ tokens: Theming.Theme) {
        self.tokens = tokens
        digest = tokens.digest
        renderer = ThemedRenderer(Renderer(theme: tokens, artwork: EmblemArtwork()))
    }
}
