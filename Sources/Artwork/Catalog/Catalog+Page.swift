import Notation
import Raster
import Theming

extension Catalog {
    /// Returns all sections as one page, without scripts and external resources, with both schemes
    /// next to each other.
    package func page(title: String) throws(ArtworkError) -> String {
        var page = Markup()
        page.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        page.element("title", words: title)
        page.raw("\n<style>\n\(styleSheet)</style>\n</head>\n<body>\n<header>\n")
        page.element("h1", words: title)
        let light = try sections(.light)
        let dark = try sections(.dark)
        page.raw("\n<nav aria-label=\"Components\">\n")
        for section in light {
            page.element("a", [("href", "#\(section.name)")], words: section.title)
            page.raw("\n")
        }
        page.raw("</nav>\n</header>\n<main>\n")
        for (light, dark) in zip(light, dark) {
            page.tag("section", [("id", light.name), ("aria-labelledby", "\(light.name)-title")])
            page.raw("\n")
            page.element("h2", [("id", "\(light.name)-title")], words: light.title)
            page.raw("\n<div class=\"pair\">\n")
            for (section, scheme) in [(light, ColorScheme.light), (dark, .dark)] {
                try write(section, scheme, into: &page)
            }
            page.raw("</div>\n</section>\n")
        }
        page.raw("</main>\n</body>\n</html>\n")
        return page.text
    }

    private func write(
        _ section: CatalogSection, _ scheme: ColorScheme, into page: inout Markup
    ) throws(ArtworkError) {
        page.tag(
            "div",
            [
                ("class", "panel \(scheme.rawValue)"), ("role", "list"),
                ("style", section.isTable ? "--columns: \(section.columns / 2)" : nil),
            ])
        page.raw("\n")
        for (index, item) in section.items.enumerated() {
            page.raw("<figure role=\"listitem\">\n")
            let svg = try item.sketch.svg(idPrefix: "\(section.name)-\(scheme.rawValue)-\(index)-")
            if let animation = item.animation {
                let data = Base64.encode(animation.span)
                let still = Base64.encode(Array(svg.utf8).span)
                page.raw("<picture><source media=\"(prefers-reduced-motion: reduce)\"")
                page.raw(" srcset=\"data:image/svg+xml;base64,\(still)\">")
                page.tag(
                    "img",
                    [
                        ("src", "data:image/webp;base64,\(data)"), ("alt", item.caption),
                        ("width", Markup.number(item.sketch.width)),
                        ("height", Markup.number(item.sketch.height)),
                    ])
                page.raw("</picture>\n")
            } else {
                page.raw(svg)
            }
            page.element("figcaption", words: item.caption)
            page.raw("\n</figure>\n")
        }
        page.raw("</div>\n")
    }

    private var styleSheet: String {
        func hex(_ path: String, _ scheme: ColorScheme) -> String { color(path, scheme).hex }
        func variables(_ scheme: ColorScheme) -> String {
            "--ground: \(hex("background.surface", scheme)); "
                + "--text: \(hex("foreground.default", scheme)); "
                + "--subtle: \(hex("foreground.subtle", scheme)); "
                + "--line: \(hex("background.neutral", scheme));"
        }
        return """
            :root { color-scheme: light dark; \(variables(.light)) }
            @media (prefers-color-scheme: dark) { :root { \(variables(.dark)) } }
            .light { color-scheme: light; \(variables(.light)) }
            .dark { color-scheme: dark; \(variables(.dark)) }
            body { margin: 0; padding: 2rem; font-family: \(Sketch.fontFamilies);
              background: var(--ground); color: var(--text); }
            header, main { max-width: 100rem; margin: 0 auto; }
            h1 { font-size: 2rem; line-height: 2.5rem; margin: 0 0 0.5rem; }
            h2 { font-size: 1.25rem; line-height: 1.75rem; margin: 2.5rem 0 0.75rem; }
            nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }
            nav a { color: inherit; text-underline-offset: 0.2em; }
            .pair { display: grid; gap: 1rem;
              grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); }
            .panel { display: flex; flex-wrap: wrap; gap: 1rem 0.5rem; align-items: end;
              justify-content: center;
              padding: 1rem; border: 1px solid var(--line); border-radius: 1rem;
              background: var(--ground); color: var(--text); }
            .panel[style] { display: grid;
              grid-template-columns: repeat(var(--columns), minmax(0, 1fr)); }
            figure { margin: 0; min-width: min(100%, 6.5rem); display: flex;
              flex-direction: column; align-items: center; gap: 0.375rem; }
            figure > svg { max-width: 100%; height: auto; }
            figcaption { font-size: 0.6875rem; line-height: 0.875rem; color: var(--subtle);
              max-width: 100%; text-align: center; overflow-wrap: anywhere; }
            /* Four of the largest emblems side by side, each at its own size. */
            @media (max-width: 30rem) {
              body { padding: 1rem; }
              .panel { padding: 0.5rem; gap: 1rem 0.25rem; }
            }
            @media (max-width: 24rem) { .panel[style] { --columns: 2 !important; } }

            """
    }
}
