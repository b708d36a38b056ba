import Artwork
import Raster

/// `emblem.css`: the theme, sizes and radii as custom properties, and a class for each layout.
enum WebSheet {
    static func text(_ tokens: ThemeTokens, _ layouts: [ComponentLayout]) -> String {
        var text = ":root {\n  color-scheme: light dark;\n"
        for color in tokens.colors { text += property(color.name, color.light.hex) }
        for measure in tokens.measures {
            text += property(measure.name, ThemeNumber.text(measure.points) + "px")
        }
        text += "}\n\n@media (prefers-color-scheme: dark) {\n  :root {\n"
        for color in tokens.colors where color.dark != color.light {
            text += "  " + property(color.name, color.dark.hex)
        }
        text += "  }\n}\n\n.emblem {\n  display: inline-block;\n  width: auto;\n}\n"
        for layout in layouts {
            text += "\n.emblem-\(layout.name) {\n"
            text += "  height: var(--emblem-\(layout.name)-height);\n"
            text += "  border-radius: var(--emblem-\(layout.name)-radius);\n}\n"
        }
        return text
    }

    private static func property(_ name: String, _ value: String) -> String {
        "  --emblem-\(name): \(value);\n"
    }
}
