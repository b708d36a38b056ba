import Raster

/// The three colours of an appearance.
package struct EmblemColors: Hashable, Sendable {
    package var background: Color
    /// The colour of templates and text.
    package var foreground: Color
    package var border: Color

    package init(background: Color, foreground: Color, border: Color) {
        self.background = background
        self.foreground = foreground
        self.border = border
    }
}
