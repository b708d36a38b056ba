import Artwork
import Raster
import Theming

extension ReportPage {
    /// The theme's colours as variables, then the sheet that uses them.
    var sheet: String {
        func hex(_ path: String, _ scheme: ColorScheme) -> String {
            (theme.color("theme.color." + path, scheme) ?? .black).hex
        }
        func variables(_ scheme: ColorScheme) -> String {
            var text = "--ground: \(hex("background.surface", scheme)); "
            text += "--text: \(hex("foreground.default", scheme)); "
            text += "--subtle: \(hex("foreground.subtle", scheme)); "
            text += "--line: \(hex("background.neutral-subtle", scheme)); "
            text += "--link: \(hex("on-background.brand-subtle", scheme)); "
            text += "--plot: \(hex("background.info", scheme)); "
            for (name, token) in [
                ("good", "success"), ("mark", "warning"), ("bad", "danger"), ("hint", "info"),
                ("note", "neutral"),
            ] {
                text += "--\(name): \(hex("background.\(token)-subtle", scheme)); "
                text += "--on-\(name): \(hex("on-background.\(token)-subtle", scheme)); "
            }
            return text
        }
        // Emblems stand on the ground of their own scheme, whatever the page's is.
        let grounds =
            "--light: \(hex("background.surface", .light)); "
            + "--on-light: \(hex("foreground.subtle", .light)); "
            + "--dark: \(hex("background.surface", .dark)); "
            + "--on-dark: \(hex("foreground.subtle", .dark));"
        return """
            :root { color-scheme: light dark; \(variables(.light))\(grounds) }
            @media (prefers-color-scheme: dark) { :root { \(variables(.dark))} }
            body { font-family: \(Sketch.fontFamilies); }
            \(String(decoding: PackageResources.report_css, as: UTF8.self))

            """
    }
}
