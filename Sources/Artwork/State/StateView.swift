import Codecs
import Notation
import Raster
import Theming

/// A block for empty, failed or finished states: graphic, title, subtitle and buttons, stacked and
/// centred.
package struct StateView: Sendable {
    private let content: StateContent
    private let style: StateStyle
    private let theme: Theme
    private let scheme: ColorScheme

    package init(
        _ content: StateContent, style: StateStyle, theme: Theme, scheme: ColorScheme = .light
    ) {
        self.content = content
        self.style = style.fitted()
        self.theme = theme
        self.scheme = scheme
    }

    private var plate: EmblemColors { theme.emblemColors(style.appearance, scheme) }

    /// The colour next to the block: that of the surface at rounded corners, otherwise that of the
    /// block.
    package var surroundings: Color {
        style.cornerRadius > 0 ? surface(scheme) : style.background.shade(scheme)
    }

    private func surface(_ scheme: ColorScheme) -> Color {
        theme.color("theme.color.background.surface", scheme) ?? .black
    }

    /// Returns the direction of the first text that is not empty.
    private func direction() throws(ArtworkError) -> TextDirection {
        let texts = [content.title, content.subtitle] + content.buttons.map(\.title)
        let first = texts.first { !PlainText($0).isEmpty } ?? ""
        return try TextBlock(first, style: style.title.textStyle).direction
    }

    /// The buttons with their styles.
    private var buttons: [(StateContent.Button, StateStyle.Button)] {
        Array(zip(content.buttons, style.buttons))
    }

    /// Draws the block. Boxes are on whole points, so that their edges are sharp.
    package func sketch() throws(ArtworkError) -> Sketch {
        let direction = try direction()
        let graphicSize = style.iconOrAnimationSize
        let width = max(style.width, graphicSize.width + style.insets.sides).roundedUpToEven
        let inner = max(1, width - style.insets.sides)
        let shift = style.insets.shift(direction)
        let name = content.label ?? PlainText(content.title, keepsLines: false).text
        // A block without a name is decoration.
        var sketch = Sketch(
            width: width, height: 0, title: name.isEmpty ? nil : name, summary: content.summary)
        var stack = StateStack(y: style.insets.top)

        func words(
            _ text: String, as role: Sketch.Role, _ look: TextSettings, maxWidth: Double,
            gap: Double
        ) throws(ArtworkError) {
            guard !PlainText(text).isEmpty else { return }
            let block = try TextBlock(
                text, style: look.textStyle, maxWidth: min(maxWidth, inner), alignment: .center,
                direction: direction)
            let y = stack.place(height: block.height, gap: gap)
            let mark = Sketch.Mark.text(
                block, x: (width - block.width) / 2 + shift, y: y, look.color.shade(scheme))
            sketch.add(.part(role, [mark]))
        }

        if let graphic = content.animation?.still ?? content.icon {
            let y = stack.place(height: graphicSize.height, gap: 0)
            let x = ((width - graphicSize.width) / 2 + shift).rounded()
            let box = Box(x: x, y: y, width: graphicSize.width, height: graphicSize.height)
            sketch.add(.part(.decoration, marks(of: graphic, in: box)))
        }
        try words(
            content.title, as: .heading, style.title, maxWidth: style.titleMaxWidth,
            gap: style.spaceBelowGraphic)
        try words(
            content.subtitle, as: .paragraph, style.subtitle, maxWidth: style.subtitleMaxWidth,
            gap: style.spaceBelowTitle)
        var gap = style.spaceAboveButtons
        for (button, look) in buttons {
            try draw(
                button, look, gap: gap, direction: direction, stack: &stack, on: &sketch)
            gap = style.spaceBetweenButtons
        }
        sketch.height = (stack.y + style.insets.bottom).rounded(.up)
        let frame = Box(x: 0, y: 0, width: width, height: sketch.height, radius: style.cornerRadius)
        // Inside a clip the background has square corners: two antialiased edges would show a seam.
        let clips = style.clipsToBounds && style.cornerRadius > 0
        let ground = clips ? Box(x: 0, y: 0, width: width, height: sketch.height) : frame
        sketch.putBehind(.fill(ground, style.background.shade(scheme)))
        if clips { sketch.clip(to: frame) }
        return sketch
    }

    private func draw(
        _ button: StateContent.Button, _ look: StateStyle.Button, gap: Double,
        direction: TextDirection, stack: inout StateStack, on sketch: inout Sketch
    ) throws(ArtworkError) {
        let outer =
            button.horizontalSpacers.map { max(1, sketch.width - 2 * max(0, $0)) }
            ?? max(1, sketch.width - style.insets.sides)
        // The spacers of a full-width button are measured from the edges of the block.
        let block = try TextBlock(
            button.title, style: look.text.textStyle, maxWidth: max(1, outer - 2 * look.padding),
            alignment: .center, direction: direction)
        // Long titles wrap; the space above and below is that of a single line.
        let rest = max(StateStyle.leastButtonMargin, (look.height - look.text.lineHeight) / 2)
            .rounded()
        let height = max(look.height, block.height + 2 * rest)
        let width =
            button.horizontalSpacers == nil
            ? min(outer, (block.width + 2 * look.padding).roundedUpToEven) : outer
        let shift = button.horizontalSpacers == nil ? style.insets.shift(direction) : 0
        let x = (sketch.width - width) / 2 + shift
        let y = stack.place(height: height, gap: gap)
        let radius = button.touchesEdges ? 0 : look.cornerRadius
        let top = y + ((height - block.height) / 2).rounded()
        sketch.add(
            .part(
                button.safeLink.map { .link($0) } ?? .button,
                [
                    .fill(
                        Box(x: x, y: y, width: width, height: height, radius: radius),
                        look.background.shade(scheme)),
                    .text(
                        block, x: (sketch.width - block.width) / 2 + shift, y: top,
                        look.text.color.shade(scheme)),
                ]))
    }

    /// Returns the graphic, in the middle of a box.
    private func marks(of graphic: StateGraphic, in box: Box) -> [Sketch.Mark] {
        switch graphic {
        case .icon(let icon):
            let side = min(box.width, box.height)
            let (x, y) = (box.x + box.width / 2, box.y + box.height / 2)
            let half = (side / 4).rounded()
            return [
                .fill(Box(center: x, y, radius: side / 2), plate.background),
                .drawing(
                    SketchDrawing(icon),
                    Box(x: x - half, y: y - half, width: 2 * half, height: 2 * half),
                    tint: plate.foreground),
            ]
        case .drawing(let drawing):
            let tint = drawing.isTemplate ? plate.foreground : nil
            return [.drawing(drawing, box.fitting(drawing.width, drawing.height), tint: tint)]
        case .picture(let picture):
            let upright = picture.uprightSize
            return [
                .picture(picture, box.fitting(Double(upright.width), Double(upright.height)))
            ]
        }
    }
}

/// The vertical position of the next item while items are stacked.
private struct StateStack {
    var y: Double
    private var isEmpty = true

    init(y: Double) {
        self.y = y
    }

    /// Reserves room and returns where it begins; the first item has no gap above it.
    mutating func place(height: Double, gap: Double) -> Double {
        if !isEmpty { y += gap }
        isEmpty = false
        let top = y
        y += height
        return top
    }
}

extension Double {
    /// The smallest even number that is at least this value.
    fileprivate var roundedUpToEven: Double { (self / 2).rounded(.up) * 2 }
}

extension StateView {
    /// Returns a complete page with the block in its middle, which may follow the reader's colour
    /// scheme.
    package func page(followsScheme: Bool = false) throws(ArtworkError) -> String {
        let direction = try direction()
        var page = Markup()
        page.raw("<!doctype html>\n")
        page.tag("html", [("dir", direction == .rightToLeft ? "rtl" : "ltr")])
        page.raw("\n<head>\n<meta charset=\"utf-8\">\n")
        page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        page.element("title", words: PlainText(content.title, keepsLines: false).text)
        page.raw("\n<style>\n")
        page.raw(sheet(followsScheme: followsScheme))
        page.raw(
            "body { margin: 0; min-height: 100vh; display: grid; align-items: center;\n"
                + "  background: var(--state-\(style.cornerRadius > 0 ? "surface" : "background")); }\n"
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
                ("class", "state-graphic"),
                ("width", Markup.number(style.iconOrAnimationSize.width)),
                ("height", Markup.number(style.iconOrAnimationSize.height)), ("alt", ""),
                ("src", Self.data(animation.mediaType, animation.bytes)),
            ])
        section.raw("\n</picture>\n")
    }

    private static func data(_ type: String, _ bytes: [UInt8]) -> String {
        "data:\(type);base64,\(Base64.encode(bytes.span))"
    }

    private func graphicSVG() throws(ArtworkError) -> String {
        let (width, height) = (style.iconOrAnimationSize.width, style.iconOrAnimationSize.height)
        var sketch = Sketch(width: width, height: height)
        guard let graphic = content.animation?.still ?? content.icon else { return "" }
        for mark in marks(of: graphic, in: Box(x: 0, y: 0, width: width, height: height)) {
            sketch.add(mark)
        }
        let svg = try sketch.svg(idPrefix: "state-")
        guard content.animation == nil, case .icon = graphic else { return svg }
        return svg.replacing(
            "fill=\"\(plate.background.hex)\"", with: "style=\"fill: var(--state-plate)\""
        ).replacing(
            "stroke=\"\(plate.foreground.hex)\"", with: "style=\"stroke: var(--state-icon)\"")
    }
}

extension StateView {
    /// Returns the style sheet of the block, whose colours may follow the reader's colour scheme.
    package func sheet(followsScheme: Bool = false) -> String {
        var sheet = ":root {\n\(colors(scheme))}\n"
        if followsScheme {
            sheet += "@media (prefers-color-scheme: dark) {\n:root {\n\(colors(.dark))}\n}\n"
        }
        let (width, height) = (style.iconOrAnimationSize.width, style.iconOrAnimationSize.height)
        let scheme = followsScheme ? " color-scheme: light dark;" : ""
        let corners =
            style.cornerRadius > 0
            ? " border-radius: \(Self.rem(style.cornerRadius));"
                + (style.clipsToBounds ? " overflow: hidden;" : "") : ""
        sheet += """
            .state { box-sizing: border-box; width: min(100%, \(Self.rem(style.width)));\(scheme)
              margin-inline: auto; padding: \(Self.padding(style.insets)); display: flex;
              flex-direction: column; align-items: center; text-align: center;
              font-family: \(Sketch.fontFamilies); background: var(--state-background);\(corners) }
            .state > svg, .state-graphic { width: \(Self.rem(width)); height: \(Self.rem(height));
              display: block; object-fit: contain; }
            .state h2 { margin: 0; max-width: \(Self.rem(style.titleMaxWidth));
              overflow-wrap: anywhere; color: var(--state-title); \(Self.font(style.title)) }
            .state p { margin: 0; max-width: \(Self.rem(style.subtitleMaxWidth));
              overflow-wrap: anywhere; color: var(--state-subtitle); \(Self.font(style.subtitle)) }
            .state > * + h2 { margin-top: \(Self.rem(style.spaceBelowGraphic)); }
            .state > * + p { margin-top: \(Self.rem(style.spaceBelowTitle)); }
            .state > * + .state-button { margin-top: \(Self.rem(style.spaceAboveButtons)); }
            .state > .state-button + .state-button { margin-top: \(Self.rem(style.spaceBetweenButtons)); }
            .state-button { box-sizing: border-box; border: 0; max-width: 100%; cursor: pointer;
              font-family: inherit; text-decoration: none; overflow-wrap: anywhere;
              display: inline-flex; align-items: center; justify-content: center; }
            .state-button[style] { max-width: none; }
            .state-button:focus-visible { outline: 2px solid var(--state-title); outline-offset: 2px; }

            """
        for (index, (_, look)) in buttons.enumerated() {
            sheet += """
                .state-button-\(index + 1) { min-height: \(Self.rem(look.height));
                  padding: 0.5rem \(Self.rem(look.padding)); border-radius: \(Self.rem(look.cornerRadius));
                  \(Self.font(look.text)) color: var(--state-button-\(index + 1)-text);
                  background: var(--state-button-\(index + 1)); }

                """
        }
        return sheet
    }

    private static func padding(_ insets: EdgeInsets) -> String {
        if insets == EdgeInsets(insets.top) { return rem(insets.top) }
        return "\(rem(insets.top)) 0 \(rem(insets.bottom)); "
            + "padding-inline: \(rem(insets.leading)) \(rem(insets.trailing))"
    }

    private func colors(_ scheme: ColorScheme) -> String {
        let plate = theme.emblemColors(style.appearance, scheme)
        var colors = [
            ("background", style.background.shade(scheme)), ("surface", surface(scheme)),
            ("title", style.title.color.shade(scheme)),
            ("subtitle", style.subtitle.color.shade(scheme)), ("plate", plate.background),
            ("icon", plate.foreground),
        ]
        for (index, button) in style.buttons.enumerated() {
            colors.append(("button-\(index + 1)", button.background.shade(scheme)))
            colors.append(("button-\(index + 1)-text", button.text.color.shade(scheme)))
        }
        return colors.map { "  --state-\($0): \($1.hex);\n" }.joined()
    }

    /// Converts points to rem at 16 points per rem.
    private static func rem(_ points: Double) -> String {
        points == 0 ? "0rem" : Markup.number(points / 16) + "rem"
    }

    private static func font(_ style: TextSettings) -> String {
        "font-size: \(rem(style.size)); line-height: \(rem(style.lineHeight)); "
            + "font-weight: \(style.weight.rawValue);"
    }
}
