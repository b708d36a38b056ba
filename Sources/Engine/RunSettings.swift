import Artwork
import Codecs
import Raster
import Render
import Theming
import Transport
import Worker

package struct RunSettings: Sendable {
    /// The look of the emblems; its variants are `layouts` x `schemes` x `scales`.
    package var recipe: Recipe
    package var layouts: [ComponentLayout]
    package var component: Component
    package var schemes: [ColorScheme]
    package var scales: [Double]
    /// The scales and formats for each target. If empty, one image of each scale is drawn, in the
    /// format of the recipe.
    package var sets: [PictureSet] = []
    package var theme: Theme

    package var jobs: Int
    /// The memory limit in bytes for loaded sources and pixels together.
    package var memoryBytes: Int
    /// The size limit of a source, in bytes.
    package var bytesLimit: Int
    /// The limit for bodies that wait to be decoded, in bytes; `nil` for a share of `memoryBytes`.
    package var waitingBytesLimit: Int?
    /// Whether the backend limits the time of each image, so that items have no time limit.
    package var backendLimitsTime = false
    /// Whether lists may name only URLs and `data:` URIs, no local paths.
    package var remoteOnly = false
    /// The network settings; the item timeout also applies to files.
    package var network = NetworkSettings()
    /// The CPU-time limit for drawing one item.
    package var renderTimeout = usualRenderTimeout
    /// Whether items that succeeded in the last run are kept without checking their sources.
    package var onlyFailures = false
    /// The masking of sources in records and messages.
    package var mask = SourceMask()
    /// Returns the reason why a row cannot choose the outputs of this recipe, such as two equal
    /// names; nil if it can.
    package var refusal: (@Sendable (Recipe) -> String?)?

    // The defaults, available without creating settings, which would load a theme.
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

    /// - Parameter layouts: Layouts of this component only.
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

    /// The layouts that a row may name.
    package var rowLayouts: [ComponentLayout] {
        component.layouts + layouts.filter { !component.layouts.contains($0) }
    }

    /// Returns every variant of `layouts`, in the order of the manifest.
    package func variants(of layouts: [ComponentLayout]) -> [Variant] {
        layouts.flatMap { layout in
            schemes.flatMap { scheme in
                PictureSet.union(of: sets, or: scales).map { scale, format in
                    Variant(
                        layout: layout, scale: scale, scheme: scheme, format: format)
                }
            }
        }
    }

    /// The names of all formats of the targets, each once.
    package var formats: [String] {
        var names: [String] = []
        for format in sets.flatMap(\.formats) where !names.contains(format.name) {
            names.append(format.name)
        }
        return names
    }

    /// The memory in bytes for loaded sources that wait to be decoded. Files and the network each
    /// have this limit: with a sixteenth of `memoryBytes` for each, most of the memory remains for
    /// a single large image. The part of a source above the limit counts as memory for decoding.
    package var bodyBytes: Int { waitingBytesLimit ?? max(memoryBytes / 16, 1) }

    /// The memory in bytes for decoding and drawing.
    package var decodeBytes: Int { max(memoryBytes - 2 * bodyBytes, 1) }

    var itemNanoseconds: UInt64 {
        backendLimitsTime ? .max : UInt64(max(0, network.itemTimeout / .nanoseconds(1)))
    }

    var renderNanoseconds: UInt64 {
        backendLimitsTime ? .max : UInt64(max(0, renderTimeout / .nanoseconds(1)))
    }
}

/// The scales and formats of the images that a target needs.
package struct PictureSet: Hashable, Sendable {
    /// The scales in ascending order.
    package let scales: [Double]
    /// The formats in the order of the request; if empty, the format of the recipe is used.
    package let formats: [OutputFormat]

    package init(scales: [Double], formats: [OutputFormat]) {
        self.scales = scales.sorted()
        self.formats = formats
    }

    /// Returns whether the target needs this variant.
    package func holds(_ variant: Variant) -> Bool {
        scales.contains(variant.scale) && (variant.format.map { formats.contains($0) } ?? true)
    }

    /// Returns every scale with its formats, without duplicates, so that each is drawn and encoded
    /// once.
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
