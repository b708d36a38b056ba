import Artwork
import Codecs
import Raster
import Render
import Theming

/// Everything a person chose for a run, checked and typed.
package struct RunSettings: Sendable {
    /// The look of the emblems; its variants are `layouts` x `schemes` x `scales`.
    package var recipe: Recipe
    package var layouts: [EmblemLayout]
    package var schemes: [ColorScheme]
    package var scales: [Double]
    package var theme: Theme

    /// How many pictures are rendered at once.
    package var jobs: Int
    /// The bytes that bodies and pixels may take together.
    package var memoryBytes: Int
    /// The most bytes of one source.
    package var bytesLimit: Int
    /// Sources from a list may only be remote or inline.
    package var remoteOnly = false
    package init(
        layouts: [EmblemLayout] = EmblemLayout.allCases, schemes: [ColorScheme] = [.light],
        scales: [Double] = [1], theme: Theme = .builtIn, jobs: Int = 1,
        memoryBytes: Int = 512 << 20, bytesLimit: Int = 20 << 20
    ) {
        self.layouts = layouts
        self.schemes = schemes
        self.scales = scales
        self.theme = theme
        self.jobs = jobs
        self.memoryBytes = memoryBytes
        self.bytesLimit = bytesLimit
        recipe = Recipe(variants: [])
        recipe.variants = variants(of: layouts)
    }

    /// Every variant of `layouts`, in the order in which a manifest lists them.
    package func variants(of layouts: [EmblemLayout]) -> [Variant] {
        layouts.flatMap { layout in
            schemes.flatMap { scheme in
                scales.map { Variant(layout: layout, scale: $0, scheme: scheme) }
            }
        }
    }

    /// The share of the memory that holds bodies waiting to be decoded: an eighth, so that nearly
    /// the whole budget can go to one picture. What a greater body takes counts as decoding.
    package var bodyBytes: Int { max(memoryBytes / 8, 1) }

    /// The share of the memory that decoding works in.
    package var decodeBytes: Int { max(memoryBytes - bodyBytes, 1) }

    /// What is left of it beside the pixels themselves: a decoder that would like more takes the
    /// path that holds less.
    func workingBytes(beside pixels: PixelSize) -> Int { max(decodeBytes - pixels.byteCount, 0) }
}
