import Raster

/// A foreground on its background.
package struct ContrastPair: Hashable, Sendable {
    package var scheme: ColorScheme
    /// The path of the foreground's token.
    package var foreground: String
    /// The path of the background's token.
    package var background: String
    /// 1 (the same) to 21 (black on white).
    package var ratio: Double

    /// What text needs to be read, by WCAG 2 level AA.
    package static let least = 4.5

    package var isEnough: Bool { ratio >= Self.least }
}

extension Theme {
    /// Every pair of a foreground and a background that is drawn on one another.
    package func pairs(_ scheme: ColorScheme) -> [ContrastPair] {
        let color = "theme.color."
        let surface = color + "background.surface"
        var pairs: [ContrastPair] = []
        func add(_ foreground: String, on background: String) {
            guard let front = self.color(foreground, scheme),
                let back = self.color(background, scheme),
                let base = self.color(surface, scheme)
            else { return }
            // Translucent colours are judged on the surface below them.
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

    /// The contrast of each appearance's foreground on its background.
    package func contrastPairs(
        _ scheme: ColorScheme
    ) -> [(appearance: EmblemAppearance, ratio: Double)] {
        EmblemAppearance.allCases.map { appearance in
            let colors = emblemColors(appearance, scheme)
            return (appearance, colors.foreground.contrast(against: colors.background))
        }
    }
}
