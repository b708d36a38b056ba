import Notation

/// The unparsed values of a token, one per scheme.
struct TokenDefinition: Sendable {
    var light: Written?
    var dark: Written?

    struct Written: Sendable {
        var value: JSON
        /// The W3C type of the token or of an enclosing group.
        var type: String?
        /// Whether the type is given at the token itself.
        var isTypeOwn = false
        /// Whether the value is inside a `$value`.
        var isW3C = false
        var location: TokenLocation
    }

    init(light: Written? = nil, dark: Written? = nil) {
        self.light = light
        self.dark = dark
    }

    /// Returns the value for a scheme; a missing value is replaced by the value of the other
    /// scheme.
    func written(in scheme: ColorScheme) -> Written? {
        switch scheme {
        case .light: light ?? dark
        case .dark: dark ?? light
        }
    }

    mutating func set(_ written: Written, in scheme: ColorScheme) {
        switch scheme {
        case .light: light = written
        case .dark: dark = written
        }
    }

    /// Returns this definition with the values of a later file. A value that the later file lacks
    /// is kept.
    func layered(with later: TokenDefinition) -> TokenDefinition {
        TokenDefinition(light: later.light ?? light, dark: later.dark ?? dark)
    }

    var location: TokenLocation? { (light ?? dark)?.location }
}
