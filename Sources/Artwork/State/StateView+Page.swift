import Codecs
import Notation
import Raster
import Theming

extension StateView {
    /// Returns a complete page with the block in its middle; `dark` is the style for dark screens,
    /// if the page follows the reader's colour scheme.
    package func page(dark: StateStyle? = nil) throws(ArtworkError) -> String {
        let direction = try direction()
        var page = Markup()
        page.raw("<!doctype html>\n")
        page.tag("html", [("dir", direction == .rightToLeft ? "rtl" : "ltr")])
        page.raw("\n<head>\n<meta charset=\"utf-8\">\n")
        page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        page.element("title", words: PlainText(content.title, keepsLines: false).text)
        page.raw("\n<style>\n")
        page.raw(sheet(dark: dark))
        page.raw(
            "body { margin: 0; min-height: 100vh; display: grid; align-items: center;\n"
                + "  background: var(--state-\(style.radius > 0 ? "surface" : "background")); }\n"
                + "</style>\n</head>\n<body>\n<main>\n")
        page.raw(try section())
        page.raw("</main>\n</body>\n</html>\n")
        return page.text
    }

    /// Returns the block as an element for a page that includes its style sheet.
    ///
    /// `id` names the title and must be unique within the page.
    package func section(id: String = "state-title") throws(ArtworkError) -> String {
        let direction = try direction()
        let title = PlainText(content.title).text
        var section = Markup()
        section.tag(
            "section",
            [
                ("class", "state"), ("dir", direction == .rightToLeft ? "rtl" : nil),
                ("aria-label", content.label),
                ("aria-labelledby", title.isEmpty || content.label != nil ? nil : id),
                ("aria-description", content.summary),
            ])
        section.raw("\n")
        try write(content.animation, content.icon, into: &section)
        if !title.isEmpty {
            write(title, as: "h2", [("id", id)], into: &section)
        }
        let subtitle = PlainText(content.subtitle).text
        if !subtitle.isEmpty {
            write(subtitle, as: "p", [], into: &section)
        }
        for (index, (button, _)) in buttons.enumerated() {
            write(button, index: index, into: &section)
        }
        section.raw("</section>\n")
        return section.text
    }

    /// Writes a text with its line breaks.
    private func write(
        _ text: String, as name: String, _ attributes: [(name: String, value: String?)],
        into section: inout Markup
    ) {
        section.tag(name, attributes)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if index > 0 { section.raw("<br>") }
            section.words(String(line))
        }
        section.raw("</\(name)>\n")
    }

    private func write(
        _ button: StateContent.Button, index: Int, into section: inout Markup
    ) {
        let title = PlainText(button.title).text
        let spacers = button.horizontalSpacers.map { max(0, $0) }
        // Centres the button in the block rather than in the area inside the insets.
        let shift = style.insets.shift(.leftToRight)
        let offset =
            shift == 0 ? "" : "; position: relative; inset-inline-start: \(Self.rem(-shift))"
        let attributes: [(name: String, value: String?)] = [
            ("class", "state-button state-button-\(index + 1)"),
            (
                "style",
                spacers.map {
                    "width: calc(100% - \(Self.rem(2 * $0)) + \(Self.rem(style.insets.sides)))"
                        + offset + (button.touchesEdges ? "; border-radius: 0" : "")
                }
            ),
        ]
        if let link = button.safeLink {
            section.element("a", [("href", link)] + attributes, words: title)
        } else {
            section.element("button", [("type", "button")] + attributes, words: title)
        }
        section.raw("\n")
    }

    /// The graphic is hidden from screen readers, because the title already says what it shows.
    private func write(
        _ animation: StateAnimation?, _ icon: StateGraphic?, into section: inout Markup
    ) throws(ArtworkError) {
        guard animation != nil || icon != nil else { return }
        let (width, height) = style.iconOrAnimationSize
        let still = try graphicSVG()
        guard let animation else {
            section.raw(still)
            return
        }
        // Readers who prefer reduced motion see the first frame.
        section.raw("<picture>\n")
        section.tag(
            "source",
            [
                ("media", "(prefers-reduced-motion: reduce)"),
                ("srcset", Self.data("image/svg+xml", Array(still.utf8))),
            ])
        section.raw("\n")
        section.tag(
            "img",
            [
                ("class", "state-graphic"), ("width", Markup.number(width)),
                ("height", Markup.number(height)), ("alt", ""),
                ("src", Self.data(animation.mediaType, animation.bytes)),
            ])
        section.raw("\n</picture>\n")
    }

    private static func data(_ type: String, _ bytes: [UInt8]) -> String {
        "data:\(type);base64,\(Base64.encode(bytes.span))"
    }

    private func graphicSVG() throws(ArtworkError) -> String {
        let (width, height) = style.iconOrAnimationSize
        var sketch = Sketch(width: width, height: height)
        guard let graphic = content.animation?.still ?? content.icon else { return "" }
        for mark in marks(of: graphic, in: Box(x: 0, y: 0, width: width, height: height)) {
            sketch.add(mark)
        }
        let svg = try sketch.svg(idPrefix: "state-")
        guard content.animation == nil, case .icon = graphic else { return svg }
        return svg.replacing(
            "fill=\"\(style.plate.background.hex)\"", with: "style=\"fill: var(--state-plate)\""
        ).replacing(
            "stroke=\"\(style.plate.foreground.hex)\"", with: "style=\"stroke: var(--state-icon)\"")
    }
}
