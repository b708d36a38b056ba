import Digest
import Raster

extension Theme {
    /// The colour at `path`, with or without the leading `theme.`.
    package func color(_ path: String, _ scheme: ColorScheme) -> Color? {
        guard case .color(let color) = value(path, scheme) ?? value("theme." + path, scheme)
        else { return nil }
        return color
    }

    /// The dimension at `path` in points, with or without the leading `theme.`.
    package func dimension(_ path: String, _ scheme: ColorScheme = .light) -> Double? {
        guard case .dimension(let value) = value(path, scheme) ?? value("theme." + path, scheme)
        else { return nil }
        return value
    }

    /// The three colours of an appearance.
    package func emblemColors(
        _ appearance: EmblemAppearance, _ scheme: ColorScheme
    ) -> EmblemColors {
        let group = "theme.color.emblem.\(appearance.tokenName)."
        return EmblemColors(
            background: required(color(group + "background", scheme)),
            foreground: required(color(group + "foreground", scheme)),
            border: required(color(group + "border", scheme)))
    }

    /// The height of a layout in points.
    package func height(of layout: EmblemLayout) -> Double {
        required(dimension("theme.dimension.height.emblem.\(layout.tokenName)"))
    }

    /// The corner radius of a layout in points.
    package func radius(of layout: EmblemLayout) -> Double {
        required(dimension("theme.dimension.radius.emblem.\(layout.tokenName)"))
    }

    /// Every token that we use with its value, in the order of the built-in theme.
    package func resolved(_ scheme: ColorScheme) -> [(path: String, value: TokenValue)] {
        known.map { ($0.path, required(value($0.path, scheme))) }
    }

    /// The SHA-256 of all resolved tokens of both schemes: equal for themes that draw the same.
    package var digest: String {
        var hash = SHA256()
        for scheme in ColorScheme.allCases {
            for (path, value) in resolved(scheme) {
                hash.update(Array("\(scheme.rawValue) \(path) \(value)\n".utf8).span)
            }
        }
        return hash.finish().hex
    }

    /// The built-in theme names every token that the code asks for, and layers take none away.
    private func required<Value>(_ value: Value?) -> Value {
        guard let value else { preconditionFailure("The theme lacks a token that we use.") }
        return value
    }
}
