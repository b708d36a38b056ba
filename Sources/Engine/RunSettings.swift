import Artwork
import Codecs
import Raster
import Render
import Theming
import Transport
import Worker

/// Everything a person chose for a run, checked and typed.
package struct RunSettings: Sendable {
    /// The look of the emblems; its variants are `layouts` x `schemes` x `scales`.
    package var recipe: Recipe
    package var layouts: [ComponentLayout]
    /// What is made of each picture.
    package var component: Component
    package var schemes: [ColorScheme]
    package var scales: [Double]
    /// The sets of pictures that are made of each layout and scheme; empty for one at `scales`, in
    /// the recipe's format.
    package var sets: [PictureSet] = []
    package var theme: Theme

    /// How many pictures are rendered at once.
    package var jobs: Int
    /// The bytes that bodies and pixels may take together.
    package var memoryBytes: Int
    /// The most bytes of one source.
    package var bytesLimit: Int
    /// Sources from a list may only be remote or inline.
    package var remoteOnly = false
    /// How sources of the network are loaded; the item's own time holds for files too.
    package var network = NetworkSettings()
    /// How long the processors may work on the drawing of one item.
    package var renderTimeout = usualRenderTimeout
    /// Items that succeeded in the last run are kept without asking for their sources.
    package var onlyFailures = false
    /// How sources are shown in records and messages.
    package var mask = SourceMask()

    // What holds where nobody chooses, for who wants one of them and no theme to be read.
    package static let usualMemoryBytes = 512 << 20
    package static let usualBytesLimit = 20 << 20
    package static let usualRenderTimeout = Duration.nanoseconds(
        RenderOrder.usualProcessorNanoseconds)

    package init(
        layouts: [EmblemLayout] = EmblemLayout.allCases, schemes: [ColorScheme] = [.light],
        scales: [Double] = [1], theme: Theme = .builtIn, jobs: Int = 1,
        memoryBytes: Int = usualMemoryBytes, bytesLimit: Int = usualBytesLimit
    ) {
        self.init(
            .emblem, layouts: layouts.map { .emblem($0) }, schemes: schemes, scales: scales,
            theme: theme, jobs: jobs, memoryBytes: memoryBytes, bytesLimit: bytesLimit)
    }

    /// - Parameter layouts: of this component, and of no other.
    package init(
        _ component: Component, layouts: [ComponentLayout], schemes: [ColorScheme] = [.light],
        scales: [Double] = [1], theme: Theme = .builtIn, jobs: Int = 1,
        memoryBytes: Int = usualMemoryBytes, bytesLimit: Int = usualBytesLimit
    ) {
        self.component = component
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
    package func variants(of layouts: [ComponentLayout]) -> [Variant] {
        layouts.flatMap { layout in
            schemes.flatMap { scheme in
                PictureSet.union(of: sets, or: scales).map { scale, format in
                    Variant(layout: layout, scale: scale, scheme: scheme, format: format)
                }
            }
        }
    }

    /// The names of the formats that `sets` ask for, each once.
    package var formats: [String] {
        var names: [String] = []
        for format in sets.flatMap(\.formats) where !names.contains(format.name) {
            names.append(format.name)
        }
        return names
    }

    /// The share of the memory that holds bodies waiting to be decoded, once for those of files
    /// and once for those of the network: a sixteenth each, so that nearly the whole budget can go
    /// to one picture. What a greater body takes counts as decoding.
    package var bodyBytes: Int { max(memoryBytes / 16, 1) }

    /// The share of the memory that decoding works in.
    package var decodeBytes: Int { max(memoryBytes - 2 * bodyBytes, 1) }

    /// The item's own time.
    var itemNanoseconds: UInt64 {
        UInt64(max(0, network.itemTimeout / .nanoseconds(1)))
    }

    /// The processors' time for its drawing.
    var renderNanoseconds: UInt64 {
        UInt64(max(0, renderTimeout / .nanoseconds(1)))
    }
}

/// The scales at which something is made of a picture, and the formats.
package struct PictureSet: Hashable, Sendable {
    /// In ascending order.
    package let scales: [Double]
    /// In the order in which they were asked for; none stands for the recipe's own.
    package let formats: [OutputFormat]

    package init(scales: [Double], formats: [OutputFormat]) {
        self.scales = scales.sorted()
        self.formats = formats
    }

    /// The variant is one of the set.
    package func holds(_ variant: Variant) -> Bool {
        scales.contains(variant.scale) && (variant.format.map { formats.contains($0) } ?? true)
    }

    /// Every scale of the sets with its formats, each once: what several of them want is drawn and
    /// encoded for all.
    static func union(
        of sets: [PictureSet], or scales: [Double]
    ) -> [(scale: Double, format: OutputFormat?)] {
        guard !sets.isEmpty else { return scales.map { ($0, nil) } }
        return Set(sets.flatMap(\.scales)).sorted().flatMap { scale in
            var formats: [OutputFormat?] = []
            for set in sets where set.scales.contains(scale) {
                let wanted = set.formats.isEmpty ? [nil] : set.formats.map { Optional($0) }
                formats += wanted.filter { !formats.contains($0) }
            }
            return formats.map { (scale, $0) }
        }
    }
}
