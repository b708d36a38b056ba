import Digest
import Notation
import Raster

/// All design tokens of both colour schemes, with references resolved.
///
/// The built-in theme defines the complete list of tokens that the program uses. A file changes
/// values and may define further tokens as targets of references.
package struct Theme: Sendable {
    /// The tokens that the program uses, in the order of the built-in theme.
    let known: [(path: String, kind: TokenKind)]
    private let definitions: [String: TokenDefinition]
    private let values: [ColorScheme: [String: TokenValue]]

    package static let builtIn: Theme = {
        do throws(ThemeError) {
            return try Theme(builtIn: Array(DefaultTokens.text.utf8))
        } catch {
            preconditionFailure("The built-in theme is sound: \(error)")
        }
    }()

    private init(builtIn json: [UInt8]) throws(ThemeError) {
        let reader = try TokenReader(json.span, file: "built-in theme", kinds: [:])
        let known = reader.paths.map { (path: $0, kind: Self.kind(of: $0)) }
        self = try Theme.resolving(known, reader.tokens).theme
    }

    private init(
        _ known: [(path: String, kind: TokenKind)], _ definitions: [String: TokenDefinition],
        _ values: [ColorScheme: [String: TokenValue]]
    ) {
        (self.known, self.definitions, self.values) = (known, definitions, values)
    }

    /// Creates a theme from resolved tokens. No file can be layered over it.
    package init(resolved tokens: [(path: String, light: TokenValue, dark: TokenValue)]) {
        self.init(
            tokens.map { ($0.path, $0.light.kind) }, [:],
            [
                .light: Dictionary(tokens.map { ($0.path, $0.light) }) { first, _ in first },
                .dark: Dictionary(tokens.map { ($0.path, $0.dark) }) { first, _ in first },
            ])
    }

    /// Returns this theme with the tokens of a file layered over it; `name` is the file's name in
    /// messages.
    ///
    /// Tokens that the file does not define are unchanged. Tokens that are neither used nor
    /// referenced give warnings. Any other problem is an error; the first
    /// error in the order of the built-in theme is thrown.
    package func layering(
        _ json: [UInt8], name: String
    ) throws(ThemeError) -> (theme: Theme, warnings: [ThemeWarning]) {
        let kinds = Dictionary(known.map { ($0.path, $0.kind) }) { first, _ in first }
        let reader = try TokenReader(json.span, file: name, kinds: kinds)
        var definitions = definitions
        for (path, definition) in reader.tokens {
            definitions[path] = definitions[path]?.layered(with: definition) ?? definition
        }
        let resolved = try Theme.resolving(known, definitions)
        var warnings = reader.warnings + resolved.theme.schemeWarnings
        let unknown = reader.paths.filter { kinds[$0] == nil && !resolved.used.contains($0) }
        for (index, path) in unknown.enumerated() {
            guard let location = reader.tokens[path]?.location else { continue }
            let near = index < Self.hintsLimit ? nearest(to: path) : nil
            let hint = near.map { "; use \($0)" } ?? ""
            warnings.append(ThemeWarning(location: location, reason: "unknown token" + hint))
        }
        // Warnings about files that were layered earlier were reported before.
        warnings.removeAll { $0.location.file != name }
        warnings.sort { $0.location.line < $1.location.line }
        return (resolved.theme, warnings)
    }

    /// The limit for unknown tokens in a theme for which a similar known token is searched.
    private static let hintsLimit = 100

    /// Returns the known token that `path` probably means: the only token that ends with `path`, or
    /// else a token whose names differ only by typing errors.
    private func nearest(to path: String) -> String? {
        let end = "." + (path.hasPrefix("theme.") ? String(path.dropFirst("theme.".count)) : path)
        let ends = end.dropFirst().contains(".") ? known.filter { $0.path.hasSuffix(end) } : []
        if ends.count == 1 { return ends[0].path }
        let names = path.split(separator: ".").map(String.init)
        var groups = known.map { $0.path.split(separator: ".").map(String.init) }
            .filter { $0.count == names.count }
        for (place, name) in names.enumerated() {
            let choices = Set(groups.map { $0[place] })
            guard let near = Spelling.nearest(to: name, among: choices.sorted()) else { return nil }
            groups.removeAll { $0[place] != near }
        }
        return groups.first?.joined(separator: ".")
    }

    private var schemeWarnings: [ThemeWarning] {
        known.compactMap { token in
            guard token.kind == .dimension,
                value(token.path, .light) != value(token.path, .dark),
                let location = definitions[token.path]?.dark?.location
            else { return nil }
            return ThemeWarning(
                location: location,
                reason: "a dimension has one value for both schemes; using the light one")
        }
    }

    private static func resolving(
        _ known: [(path: String, kind: TokenKind)], _ definitions: [String: TokenDefinition]
    ) throws(ThemeError) -> (theme: Theme, used: Set<String>) {
        var values: [ColorScheme: [String: TokenValue]] = [:]
        var used: Set<String> = []
        for scheme in ColorScheme.allCases {
            var resolver = TokenResolver(definitions, scheme: scheme)
            for token in known {
                let value = try resolver.value(of: token.path, as: token.kind)
                values[scheme, default: [:]][token.path] = value
            }
            used.formUnion(resolver.used)
        }
        return (Theme(known, definitions, values), used)
    }

    private static func kind(of path: String) -> TokenKind {
        path.hasPrefix("theme.dimension.") ? .dimension : .color
    }

    package func value(_ path: String, _ scheme: ColorScheme) -> TokenValue? {
        values[scheme]?[path]
    }
}

package struct ContrastPair: Hashable, Sendable {
    package var scheme: ColorScheme
    package var foreground: String
    package var background: String
    /// The contrast ratio, 1 (equal) to 21 (black on white).
    package var ratio: Double

    /// The minimum for text by WCAG 2, level AA.
    package static let least = 4.5

    package var isEnough: Bool { ratio >= Self.least }
}

extension Theme {
    /// Returns every pair of foreground and background that is drawn together.
    package func pairs(_ scheme: ColorScheme) -> [ContrastPair] {
        let color = "theme.color."
        let surface = color + "background.surface"
        var pairs: [ContrastPair] = []
        func add(_ foreground: String, on background: String) {
            guard let front = self.color(foreground, scheme),
                let back = self.color(background, scheme),
                let base = self.color(surface, scheme)
            else { return }
            // Translucent colours are composited over the surface first.
            let ground = back.over(base)
            pairs.append(
                ContrastPair(
                    scheme: scheme, foreground: foreground, background: background,
                    ratio: front.over(ground).contrast(against: ground)))
        }
        for (path, _) in known {
            if path.hasPrefix(color + "on-background.") {
                add(
                    path,
                    on: color + "background." + path.dropFirst((color + "on-background.").count))
            } else if path.hasPrefix(color + "foreground.") {
                add(path, on: surface)
            } else if path.hasSuffix(".foreground") {
                add(path, on: path.dropLast("foreground".count) + "background")
            }
        }
        return pairs
    }
}

extension Theme {
    /// Returns the colour at `path`, with or without the leading `theme.`.
    package func color(_ path: String, _ scheme: ColorScheme) -> Color? {
        guard case .color(let color) = value(path, scheme) ?? value("theme." + path, scheme)
        else { return nil }
        return color
    }

    /// Returns the dimension at `path` in points, with or without the leading `theme.`.
    package func dimension(_ path: String, _ scheme: ColorScheme = .light) -> Double? {
        guard case .dimension(let value) = value(path, scheme) ?? value("theme." + path, scheme)
        else { return nil }
        return value
    }

    package func emblemColors(
        _ appearance: EmblemAppearance, _ scheme: ColorScheme
    ) -> EmblemColors {
        let group = "theme.color.emblem.\(appearance.tokenName)."
        return EmblemColors(
            background: required(color(group + "background", scheme)),
            foreground: required(color(group + "foreground", scheme)),
            border: required(color(group + "border", scheme)))
    }

    /// Returns the height in points.
    package func height(of layout: EmblemLayout) -> Double {
        required(dimension("theme.dimension.height.emblem.\(layout.tokenName)"))
    }

    /// Returns the corner radius in points.
    package func radius(of layout: EmblemLayout) -> Double {
        required(dimension("theme.dimension.radius.emblem.\(layout.tokenName)"))
    }

    /// Returns every used token with its value, in the order of the built-in theme.
    package func resolved(_ scheme: ColorScheme) -> [(path: String, value: TokenValue)] {
        known.map { ($0.path, required(value($0.path, scheme))) }
    }

    /// The SHA-256 of the resolved tokens of both schemes; equal for themes that draw the same.
    package var digest: String {
        var hash = SHA256()
        for scheme in ColorScheme.allCases {
            for (path, value) in resolved(scheme) {
                hash.update(Array("\(scheme.rawValue) \(path) \(value)\n".utf8).span)
            }
        }
        return hash.finish().hex
    }

    /// Unwraps a value that always exists: the built-in theme has every used token, and layers
    /// remove none.
    private func required<Value>(_ value: Value?) -> Value {
        guard let value else { preconditionFailure("The theme lacks a token that we use.") }
        return value
    }
}
