import Artwork
import Codecs
import Notation
import Raster
import Theming

/// One output of an item: a layout at a scale in a colour scheme.
package struct Variant: Hashable, Sendable {
    package var layout: ComponentLayout
    /// The pixels per point: 1, 1.5, 2, 3 or 4.
    package var scale: Double
    package var scheme: ColorScheme
    /// The output format; nil for the format of the recipe.
    package var format: OutputFormat?

    package init(
        layout: ComponentLayout, scale: Double, scheme: ColorScheme, format: OutputFormat? = nil
    ) {
        self.layout = layout
        self.scale = scale
        self.scheme = scheme
        self.format = format
    }

    package init(layout: EmblemLayout, scale: Double, scheme: ColorScheme) {
        self.init(layout: .emblem(layout), scale: scale, scheme: scheme)
    }
}

package enum OutputChoice: Hashable, Sendable {
    case fixed(OutputFormat)
    /// The format of the source if it can be written, else PNG.
    case same

    package init?(named name: String) {
        if name == "same" {
            self = .same
        } else if let format = OutputFormat.named(name) {
            self = .fixed(format)
        } else {
            return nil
        }
    }

    package var name: String {
        switch self {
        case .fixed(let format): format.name
        case .same: "same"
        }
    }

    /// Returns the format to write for a source of `format`; nil means an unreadable source.
    package func format(for format: ImageFormat?) -> OutputFormat {
        switch self {
        case .fixed(let chosen): chosen
        case .same: format?.output ?? .png
        }
    }
}

/// The complete description of how an image becomes its emblems.
///
/// Each part except the variants and the codecs is set by one `LookOption`, from which flags,
/// records, keys and messages to workers are derived.
///
/// Equal bytes, recipes and themes always produce equal output bytes.
package struct Recipe: Hashable, Sendable {
    package var variants: [Variant]
    /// The look on which the options are based. With `logos`, marks of different shapes have
    /// outlines of equal area, and small pictures of few colours keep narrow edges.
    package var look = Look.plain
    package var appearance = EmblemAppearance.brand
    package var mode = ContentMode.fit
    package var gravity = Gravity.auto
    /// The point that stays visible when a picture is cropped; nil if `gravity` decides.
    package var focus: FocusPoint?
    package var padding = Padding.none
    package var borderPoints = 0.0
    package var trim = TrimRule.none
    package var background = BackgroundRule.appearance
    package var width = EmblemWidth.square
    package var corner = CornerStyle.circular
    package var tint = TintRule.auto
    package var upscale = true
    package var output = OutputChoice.fixed(.png)
    /// The requested quality; nil for the default of the format.
    package var quality: EncodeQuality?
    package var palette = false
    package var effort = EncodeEffort.standard
    package var limits = DecodeLimits()
    /// The choice between the program's codecs and the libraries, for formats that both support.
    /// Only tests and benchmarks change it.
    package var codecs = CodecChoice.fast
    package var badge: BadgeMark?
    package var placeholder = PlaceholderChoice.usual(for: .emblem)

    package static let variantsLimit = 4096

    package init(variants: [Variant]) {
        self.variants = variants
    }

    package init(_ component: Component, variants: [Variant]) {
        self.init(variants: variants)
        mode = component.mode
        placeholder = .usual(for: component)
    }

    /// Whether an option needs a `LogoStudy`.
    package var studiesLogos: Bool {
        look == .logos || padding == .round || fillsOwnGround
    }

    /// Returns whether rendering with this recipe can lead to the decision.
    package func couldDecide(_ decision: LogoDecision) -> Bool {
        let schemes = decision.grounds.map(\.scheme)
        return studiesLogos && Set(schemes).count == schemes.count
    }

    /// The appearances whose backgrounds the rule `auto` may choose.
    var backgroundList: [EmblemAppearance] {
        appearance == Self.neutral ? [appearance] : [appearance, Self.neutral]
    }

    private static let neutral = EmblemAppearance.category8

    /// The component of the variants; `emblem` without variants.
    package var component: Component { variants.first?.layout.component ?? .emblem }

    /// Returns the format of `variant` for a source of `format`; nil stands for an unreadable
    /// source.
    package func format(of variant: Variant, source format: ImageFormat?) -> OutputFormat {
        variant.format ?? output.format(for: format)
    }

    /// Returns whether an output may have a format of this kind.
    package func canStore(where isOfKind: (OutputFormat) -> Bool) -> Bool {
        let chosen = variants.compactMap(\.format)
        if chosen.contains(where: isOfKind) { return true }
        guard chosen.isEmpty || chosen.count < variants.count else { return false }
        switch output {
        case .fixed(let format): return isOfKind(format)
        case .same: return OutputFormat.allCases.contains(where: isOfKind)
        }
    }

    /// Whether an output may have a format that takes long to encode.
    package var isSlow: Bool { canStore { $0 === OutputFormat.avif } }

    package func style(for variant: Variant, in theme: Theme) -> EmblemStyle {
        var style = EmblemStyle(
            variant.layout, theme: theme, appearance: appearance, scheme: variant.scheme,
            scale: variant.scale)
        let most = style.heightPoints / 4
        style.borderPoints = min(borderPoints, most)
        style.paddingPoints = min(
            padding.points(ofHeight: style.heightPoints), most - style.borderPoints)
        style.mode = mode
        style.gravity = gravity
        style.focus = focus
        style.upscale = upscale
        style.enlargesSharply = look == .logos
        style.tint = tint
        if case .color(let color) = background { style.colors.fill(with: color) }
        // An avatar is always a circle.
        if !variant.layout.component.isCircle {
            style.width = width
            style.corner = corner
        }
        return style
    }

    /// Returns the encoder settings of `variant` for a source of `format`.
    func encoding(for variant: Variant, source format: ImageFormat?, in theme: Theme)
        -> EncodeSettings
    {
        let output = self.format(of: variant, source: format)
        let surface = theme.color("theme.color.background.surface", variant.scheme) ?? .white
        return EncodeSettings(
            format: output,
            quality: quality ?? output.defaultQuality,
            palette: palette,
            effort: effort,
            matte: surface,
            codecs: codecs)
    }
}

extension Recipe {
    /// Returns the memory in bytes for composing and encoding the largest emblem of an image of
    /// this exact size; by default the image is square.
    package func outputBytes(
        of source: (width: Double, height: Double) = (1, 1), format: ImageFormat? = nil,
        in theme: Theme
    ) -> Int {
        variants.map { variant in
            let settings = encoding(for: variant, source: format, in: theme)
            return settings.format.memoryCost(
                of: style(for: variant, in: theme).canvas(for: source), settings)
        }.max() ?? 0
    }

    /// Returns a variant on which border and padding take more than a quarter of the height, with
    /// the most points that they may have together.
    package func variantTooTight(in theme: Theme) -> (variant: Variant, most: Double)? {
        guard padding != .none || borderPoints > 0 else { return nil }
        for variant in variants {
            let style = style(for: variant, in: theme)
            let most = style.heightPoints / 4
            let wanted = padding.points(ofHeight: style.heightPoints) + borderPoints
            if wanted > most { return (variant, most) }
        }
        return nil
    }

    /// Returns a variant that exceeds the size limit of its format, with the length of its longer
    /// side.
    package func variantTooLarge(
        in theme: Theme
    ) -> (variant: Variant, format: OutputFormat, pixels: Int)? {
        for variant in variants {
            let format = encoding(for: variant, source: nil, in: theme).format
            let side = style(for: variant, in: theme).plainCanvas.width
            if side > format.edgeLimit { return (variant, format, side) }
        }
        return nil
    }
}

extension Recipe {
    /// Returns whether two emblems of different look have the same height in pixels.
    func repeatsHeights(in theme: Theme) -> Bool {
        guard variants.count > 1 else { return false }
        var heights: Set<Int> = []
        var last: Variant?
        for variant in variants {
            // Variants that differ only in format are neighbours, and share their pixels.
            if let last, variant.showsSame(as: last) { continue }
            last = variant
            let height = style(for: variant, in: theme).height
            guard heights.insert(height).inserted else { return true }
        }
        return false
    }
}
