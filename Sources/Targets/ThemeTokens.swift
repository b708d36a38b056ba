import Artwork
import Raster
import Theming

/// The tokens of a theme with the names that all targets use for them.
///
/// `theme.color.emblem.brand.background` becomes `brand-background`, and
/// `theme.color.badge.info.foreground` becomes `badge-info-foreground`. The name of a dimension
/// begins with that word: `dimension-radius-md`.
package struct ThemeTokens: Sendable {
    /// A colour in both schemes.
    struct Shade {
        let name: String
        let light: Color
        let dark: Color
    }

    /// A length.
    struct Measure {
        let name: String
        let points: Double
    }

    let colors: [Shade]
    /// The heights of the layouts, then the theme's sizes, radii and distances.
    let measures: [Measure]
    let hasDark: Bool
    let hasLight: Bool

    package init(_ theme: Theme, layouts: [ComponentLayout], schemes: [ColorScheme]) {
        hasLight = schemes.contains(.light)
        hasDark = schemes.contains(.dark)
        colors = theme.resolved(.light).compactMap { path, value in
            guard case .color(let light) = value, let dark = theme.color(path, .dark) else {
                return nil
            }
            return Shade(name: Self.colorName(path), light: light, dark: dark)
        }
        let own = layouts.flatMap { layout in
            let style = EmblemStyle(layout, theme: theme)
            let radius = min(style.radiusPoints, style.heightPoints / 2)
            return [
                Measure(name: "\(layout.name)-height", points: style.heightPoints),
                Measure(name: "\(layout.name)-radius", points: radius),
            ]
        }
        let others = theme.resolved(.light).compactMap { path, value -> Measure? in
            guard case .dimension(let points) = value, let name = Self.measureName(path) else {
                return nil
            }
            return Measure(name: name, points: points)
        }
        measures = own + others
    }

    /// Returns the light colour, or the dark colour if only the dark scheme is produced.
    func main(_ shade: Shade) -> Color { hasLight ? shade.light : shade.dark }

    private static func colorName(_ path: String) -> String {
        var parts = path.split(separator: ".").dropFirst(2)
        if parts.first == "emblem" { parts.removeFirst() }
        return parts.joined(separator: "-")
    }

    private static func measureName(_ path: String) -> String? {
        let parts = path.split(separator: ".").dropFirst(2)
        guard ["height", "radius", "spacing"].contains(parts.first) else { return nil }
        return "dimension-" + parts.joined(separator: "-")
    }
}

enum ThemeNumber {
    static func text(_ points: Double) -> String {
        Int(exactly: points).map(String.init) ?? "\((points * 1000).rounded() / 1000)"
    }
}
