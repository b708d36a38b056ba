import Raster
import Theming

extension StateView {
    /// Returns the style sheet of the block; with `dark`, its colours follow the reader's colour
    /// scheme.
    package func sheet(dark: StateStyle? = nil) -> String {
        var sheet = ":root {\n\(Self.colors(of: style))}\n"
        if let dark {
            sheet +=
                "@media (prefers-color-scheme: dark) {\n:root {\n\(Self.colors(of: dark))}\n}\n"
        }
        let (width, height) = style.iconOrAnimationSize
        let scheme = dark == nil ? "" : " color-scheme: light dark;"
        let corners =
            style.radius > 0
            ? " border-radius: \(Self.rem(style.radius));"
                + (style.clips ? " overflow: hidden;" : "") : ""
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
            .state > * + h2 { margin-top: \(Self.rem(style.gapBelowGraphic)); }
            .state > * + p { margin-top: \(Self.rem(style.gapBelowTitle)); }
            .state > * + .state-button { margin-top: \(Self.rem(style.gapAboveButtons)); }
            .state > .state-button + .state-button { margin-top: \(Self.rem(style.gapBetweenButtons)); }
            .state-button { box-sizing: border-box; border: 0; max-width: 100%; cursor: pointer;
              font-family: inherit; text-decoration: none; overflow-wrap: anywhere;
              display: inline-flex; align-items: center; justify-content: center; }
            .state-button[style] { max-width: none; }
            .state-button:focus-visible { outline: 2px solid var(--state-title); outline-offset: 2px; }

            """
        for (index, (_, look)) in buttons.enumerated() {
            sheet += """
                .state-button-\(index + 1) { min-height: \(Self.rem(look.height));
                  padding: 0.5rem \(Self.rem(look.padding)); border-radius: \(Self.rem(look.radius));
                  \(Self.font(look.text)) color: var(--state-button-\(index + 1)-text);
                  background: var(--state-button-\(index + 1)); }

                """
        }
        return sheet
    }

    private static func padding(_ insets: StateStyle.Insets) -> String {
        if insets == StateStyle.Insets(insets.top) { return rem(insets.top) }
        return "\(rem(insets.top)) 0 \(rem(insets.bottom)); "
            + "padding-inline: \(rem(insets.leading)) \(rem(insets.trailing))"
    }

    private static func colors(of style: StateStyle) -> String {
        var colors = [
            ("background", style.background), ("surface", style.surface),
            ("title", style.titleColor),
            ("subtitle", style.subtitleColor), ("plate", style.plate.background),
            ("icon", style.plate.foreground),
        ]
        for (index, button) in style.buttons.enumerated() {
            colors.append(("button-\(index + 1)", button.background))
            colors.append(("button-\(index + 1)-text", button.foreground))
        }
        return colors.map { "  --state-\($0): \($1.hex);\n" }.joined()
    }

    /// Converts points to rem at 16 points per rem.
    static func rem(_ points: Double) -> String {
        points == 0 ? "0rem" : Markup.number(points / 16) + "rem"
    }

    private static func font(_ style: TextStyle) -> String {
        "font-size: \(rem(style.size)); line-height: \(rem(style.lineHeight)); "
            + "font-weight: \(style.weight.rawValue);"
    }
}
