import Raster

/// All design tokens, with every reference followed, for both schemes.
///
/// The built-in tokens are the closed list of what we use; a file laid over them changes values
/// and may bring tokens of its own for references to lead to.
package struct Theme: Sendable {
    /// The tokens that we use, in the order of the built-in theme.
    let known: [(path: String, kind: TokenKind)]
    private let definitions: [String: TokenDefinition]
    private let light: [String: TokenValue]
    private let dark: [String: TokenValue]

    /// The theme that holds when nobody chose another.
    package static let builtIn: Theme = {
        do throws(ThemeError) {
            return try Theme(builtIn: Array(DefaultTokens.text.utf8))
        } catch {
            preconditionFailure("The built-in theme is sound: \(error)")
        }
    }()

    private init(builtIn json: [UInt8]) throws(ThemeError) {
        let reader = try TokenReader(json.span, file: "built-in theme", kinds: [:])
        var known: [(path: String, kind: TokenKind)] = []
        var definitions: [String: TokenDefinition] = [:]
        for token in reader.tokens {
            known.append((token.path, Self.kind(of: token.path)))
            definitions[token.path] = token.definition
        }
        (self, _) = try Theme.resolving(known, definitions)
    }

    private init(
        known: [(path: String, kind: TokenKind)], definitions: [String: TokenDefinition],
        light: [String: TokenValue], dark: [String: TokenValue]
    ) {
        self.known = known
        self.definitions = definitions
        self.light = light
        self.dark = dark
    }

    /// A theme whose references were followed elsewhere; nothing can be laid over it.
    package init(resolved tokens: [(path: String, light: TokenValue, dark: TokenValue)]) {
        known = tokens.map { ($0.path, $0.light.kind) }
        definitions = [:]
        light = Dictionary(tokens.map { ($0.path, $0.light) }) { first, _ in first }
        dark = Dictionary(tokens.map { ($0.path, $0.dark) }) { first, _ in first }
    }

    /// This theme with the tokens of a file laid over it; `name` is the file in messages.
    ///
    /// What the file does not say stays. Tokens that we neither use nor reach by a reference are
    /// warnings. Throws on anything else that is wrong, in the order of the built-in theme.
    package func layering(
        _ json: [UInt8], name: String
    ) throws(ThemeError) -> (theme: Theme, warnings: [ThemeWarning]) {
        let kinds = Dictionary(uniqueKeysWithValues: known.map { ($0.path, $0.kind) })
        let reader = try TokenReader(json.span, file: name, kinds: kinds)
        var definitions = definitions
        for (path, definition) in reader.tokens {
            definitions[path] = definitions[path]?.layered(with: definition) ?? definition
        }
        let (theme, used) = try Theme.resolving(known, definitions)
        var warnings = reader.warnings
        for (path, definition) in reader.tokens where kinds[path] == nil && !used.contains(path) {
            guard let place = (definition.light ?? definition.dark)?.place else { continue }
            let hint = kinds["theme." + path] == nil ? "" : ", perhaps theme.\(path) is meant"
            warnings.append(ThemeWarning(place: place, reason: "unknown token" + hint))
        }
        return (theme, warnings)
    }

    private static func resolving(
        _ known: [(path: String, kind: TokenKind)], _ definitions: [String: TokenDefinition]
    ) throws(ThemeError) -> (theme: Theme, used: Set<String>) {
        var resolved: [ColorScheme: [String: TokenValue]] = [:]
        var used: Set<String> = []
        for scheme in ColorScheme.allCases {
            var resolver = TokenResolver(definitions, scheme: scheme)
            var values: [String: TokenValue] = [:]
            for token in known {
                values[token.path] = try resolver.value(of: token.path, as: token.kind)
            }
            used.formUnion(resolver.used)
            resolved[scheme] = values
        }
        let theme = Theme(
            known: known, definitions: definitions, light: resolved[.light] ?? [:],
            dark: resolved[.dark] ?? [:])
        return (theme, used)
    }

    /// The second part of a path says what its tokens are.
    private static func kind(of path: String) -> TokenKind {
        path.hasPrefix("theme.dimension.") ? .dimension : .color
    }

    /// The value of a token that we use.
    package func value(_ path: String, _ scheme: ColorScheme) -> TokenValue? {
        switch scheme {
        case .light: light[path]
        case .dark: dark[path]
        }
    }
}
