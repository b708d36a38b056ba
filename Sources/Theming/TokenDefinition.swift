import Notation

/// A token as files write it: a value for each scheme, not yet read.
struct TokenDefinition: Sendable {
    var light: Written?
    var dark: Written?

    /// One value as it stands in a file.
    struct Written: Sendable {
        var value: JSON
        /// The W3C type of the token or of a group around it.
        var type: String?
        /// The type stands at the token itself.
        var isTypeOwn = false
        /// The value stands in a `$value`.
        var isW3C = false
        var location: TokenLocation
    }

    init(light: Written? = nil, dark: Written? = nil) {
        self.light = light
        self.dark = dark
    }

    /// What counts in a scheme: a token without a value for one has that of the other.
    func written(in scheme: ColorScheme) -> Written? {
        switch scheme {
        case .light: light ?? dark
        case .dark: dark ?? light
        }
    }

    /// Sets the value of one scheme.
    mutating func set(_ written: Written, in scheme: ColorScheme) {
        switch scheme {
        case .light: light = written
        case .dark: dark = written
        }
    }

    /// Lays a later file's definition over this one: a value for one scheme replaces only that.
    func layered(with later: TokenDefinition) -> TokenDefinition {
        TokenDefinition(light: later.light ?? light, dark: later.dark ?? dark)
    }

    /// Where the token was written first.
    var location: TokenLocation? { (light ?? dark)?.location }
}
