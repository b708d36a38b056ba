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
        var place: TokenPlace
    }

    /// What counts in a scheme: a token without a value for one has that of the other.
    func written(in scheme: ColorScheme) -> Written? {
        switch scheme {
        case .light: light ?? dark
        case .dark: dark ?? light
        }
    }

    /// Lays a later file's definition over this one: a value for one scheme replaces only that.
    func layered(with later: TokenDefinition) -> TokenDefinition {
        TokenDefinition(light: later.light ?? light, dark: later.dark ?? dark)
    }
}
