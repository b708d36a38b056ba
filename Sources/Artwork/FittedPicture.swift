import Raster

/// Content at its final size, with its position on the emblem.
package struct FittedPicture: ~Copyable {
    /// What the content is, which decides whether it is tinted.
    package enum Kind: Hashable, Sendable {
        case raster
        /// A vector with colours of its own.
        case drawing
        /// A built-in icon or an SVG template.
        case template
        /// Text, which has no colour but the foreground.
        case text
        /// Text with emoji, drawn in the foreground colour beside their own.
        case coloredText
    }

    package var pixels: PixelBuffer
    /// The emblem's size.
    package let canvas: PixelSize
    /// The column at which the content begins.
    package let x: Int
    /// The row at which the content begins.
    package let y: Int
    package let kind: Kind

    package init(pixels: consuming PixelBuffer, canvas: PixelSize, x: Int, y: Int, kind: Kind) {
        self.pixels = pixels
        self.canvas = canvas
        self.x = x
        self.y = y
        self.kind = kind
    }
}

extension TintRule {
    /// Whether content of this kind takes the foreground colour.
    package func applies(to kind: FittedPicture.Kind) -> Bool {
        switch (self, kind) {
        case (_, .coloredText): false
        case (_, .text), (.always, _), (.auto, .template): true
        case (.auto, _), (.never, _): false
        }
    }
}
