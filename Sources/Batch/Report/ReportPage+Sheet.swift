import Artwork
import Raster
import Theming

extension ReportPage {
    var sheet: String {
        func variables(_ scheme: ColorScheme) -> String {
            func hex(_ path: String) -> String {
                (theme.color("theme.color." + path, scheme) ?? .black).hex
            }
            return "--ground: \(hex("background.surface")); --text: \(hex("foreground.default")); "
                + "--subtle: \(hex("foreground.subtle")); --line: \(hex("background.neutral")); "
                + "--mark: \(hex("background.warning-subtle")); "
                + "--on-mark: \(hex("on-background.warning-subtle"));"
        }
        return """
            :root { color-scheme: light dark; \(variables(.light)) }
            @media (prefers-color-scheme: dark) { :root { \(variables(.dark)) } }
            body { margin: 0; padding: 2rem; font-family: \(Sketch.fontFamilies);
              background: var(--ground); color: var(--text); }
            main { max-width: 72rem; margin: 0 auto; }
            h1 { font-size: 1.75rem; line-height: 2.25rem; margin: 0 0 1rem; }
            h2 { font-size: 1.125rem; line-height: 1.5rem; margin: 2rem 0 0.5rem; }
            .numbers { display: flex; flex-wrap: wrap; gap: 0.75rem 2rem; margin: 0; }
            .numbers dt { color: var(--subtle); font-size: 0.8125rem; }
            .numbers dd { margin: 0; font-size: 1.375rem; font-weight: 600;
              font-variant-numeric: tabular-nums; }
            .table { overflow-x: auto; }
            table { border-collapse: collapse; font-size: 0.875rem; line-height: 1.25rem; }
            th, td { text-align: start; padding: 0.25rem 1.5rem 0.25rem 0; vertical-align: top;
              border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
            th { color: var(--subtle); font-weight: 500; }
            .pictures { display: grid; gap: 1rem 0.5rem;
              grid-template-columns: repeat(auto-fill, minmax(7rem, 1fr)); }
            figure { margin: 0; display: flex; flex-direction: column; align-items: center;
              gap: 0.375rem; text-align: center; }
            figure img { max-width: 100%; height: auto; }
            figcaption { font-size: 0.75rem; line-height: 1rem; color: var(--subtle);
              overflow-wrap: anywhere; }
            figcaption b { font-weight: 500; padding: 0 0.375rem; border-radius: 0.25rem;
              background: var(--mark); color: var(--on-mark); }

            """
    }
}
