import Artwork
import Codecs
import Engine
import Raster

/// `snippets.html`: a page that shows every picture and its `<picture>` element to copy.
enum WebPage {
    static let head = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Emblems</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="\(WebSite.sheet)">
        <style>
        body { margin: 2rem; font: 1rem/1.5 system-ui, sans-serif; }
        section { margin-block: 1.5rem; }
        h2 { font-size: 1rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
        </style>
        </head>
        <body>
        <main>
        <h1>Emblems</h1>

        """
    static let tail = "</main>\n</body>\n</html>\n"

    static func entry(_ item: TargetItem, _ number: Int) -> [UInt8] {
        guard !item.pictures.isEmpty else { return [] }
        var page = Markup()
        page.raw("<section>\n")
        page.element("h2", words: item.record.id)
        page.raw("\n")
        for layout in item.layouts { write(layout, of: item, into: &page) }
        page.raw("</section>\n")
        return Array(page.text.utf8)
    }

    private static func write(
        _ layout: (name: String, pictures: [OutputRecord]), of item: TargetItem,
        into page: inout Markup
    ) {
        let formats = WebFormat.ordered(layout.pictures)
        let dark = layout.pictures.filter(\.isDark)
        let light = layout.pictures.filter { !$0.isDark }
        // Pictures for one scheme alone are used for both.
        let main = light.isEmpty ? dark : light
        guard let last = formats.last, let plain = main.first(where: { $0.isStored(as: last) })
        else { return }
        page.raw("<picture>\n")
        if !light.isEmpty, !dark.isEmpty {
            for format in formats {
                source(format, dark, media: "(prefers-color-scheme: dark)", into: &page)
            }
        }
        for format in formats.dropLast() { source(format, main, into: &page) }
        page.raw("  ")
        page.tag(
            "img",
            [
                ("class", "emblem emblem-\(layout.name)"), ("src", plain.path),
                ("srcset", sourceSet(last, main)), ("width", "\(plain.points.width)"),
                ("height", "\(plain.points.height)"), ("alt", item.alternativeText),
                ("aria-description", item.record.accessibility.hint), ("loading", "lazy"),
                ("decoding", "async"),
            ])
        page.raw("\n</picture>\n")
    }

    private static func source(
        _ format: OutputFormat, _ pictures: [OutputRecord], media: String? = nil,
        into page: inout Markup
    ) {
        page.raw("  ")
        page.tag(
            "source",
            [
                ("media", media), ("type", WebFormat.mediaType(of: format)),
                ("srcset", sourceSet(format, pictures)),
            ])
        page.raw("\n")
    }

    private static func sourceSet(_ format: OutputFormat, _ pictures: [OutputRecord]) -> String {
        pictures.filter { $0.isStored(as: format) }.map { "\($0.path) \($0.scaleWord)" }
            .joined(separator: ", ")
    }
}

extension OutputRecord {
    fileprivate func isStored(as format: OutputFormat) -> Bool {
        fileExtension == format.fileExtension
    }
}

/// `emblem.css`: colours, sizes and radii as custom properties, and a class per layout.
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
