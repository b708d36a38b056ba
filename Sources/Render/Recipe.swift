import Artwork
import Codecs
import Raster
import Theming

/// One picture that an item is turned into: a layout at a scale in a colour scheme.
package struct Variant: Hashable, Sendable {
    package var layout: ComponentLayout
    /// Pixels a point: 1, 1.5, 2, 3 or 4.
    package var scale: Double
    package var scheme: ColorScheme
    /// What it is encoded as; nil is what the recipe says.
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

/// The format of the outputs.
package enum OutputChoice: Hashable, Sendable {
    case fixed(OutputFormat)
    /// The format of the source where it can be written, else PNG.
    case same

    /// Of a format's name or extension, or `same`.
    package init?(named name: String) {
        if name == "same" {
            self = .same
        } else if let format = OutputFormat.named(name) {
            self = .fixed(format)
        } else {
            return nil
        }
    }

    /// As it is typed.
    package var name: String {
        switch self {
        case .fixed(let format): format.name
        case .same: "same"
        }
    }

    /// The format to write for a source of `format`; `nil` stands for a source nobody could read.
    package func format(for format: ImageFormat?) -> OutputFormat {
        switch self {
        case .fixed(let chosen): chosen
        case .same: format?.output ?? .png
        }
    }
}

/// Everything that decides how the bytes of a picture become the bytes of its emblems.
///
/// Each part of it besides the variants is set by one `LookOption`, from which flags, records, keys
/// and the wire are made.
///
/// Two renderings of the same bytes with equal recipes and themes are equal byte for byte.
package struct Recipe: Hashable, Sendable {
    package var variants: [Variant]
    /// The name of the look that the options started from.
    package var look = Look.plain.name
    package var appearance = EmblemAppearance.brand
    package var mode = ContentMode.fit
    package var padding = Padding.none
    package var borderPoints = 0.0
    /// What is cut off pictures before they are fitted.
    package var trim = TrimRule.none
    package var balance = BalanceRule.none
    package var background = BackgroundRule.appearance
    /// What `background` chooses from; of no entries it is the appearance and a neutral one.
    package var backgroundFrom: [EmblemAppearance] = []
    package var width = EmblemWidth.square
    package var corner = CornerStyle.circular
    package var tint = TintRule.auto
    package var upscale = true
    package var enlarge = EnlargeRule.smooth
    package var linear = false
    package var output = OutputChoice.fixed(.png)
    /// The quality asked for; `nil` is the format's own default.
    package var quality: EncodeQuality?
    package var palette = false
    /// What shows behind rounded corners in formats without transparency; `nil` is the theme's surface.
    package var matte: Color?
    package var limits = DecodeLimits()
    package var allowTruncated = false
    /// Whose code reads and writes the formats that both sides know.
    package var codecs = CodecChoice.fast
    /// What the badge of everything that is made says; nil where there is none.
    package var pill: Badge?
    /// Where it lies, or one of a row.
    package var badgeCorner = BadgeCorner.topRight
    package var placeholder = PlaceholderChoice.usual(for: .emblem)

    /// The most variants of one recipe.
    package static let variantsLimit = 4096

    package init(variants: [Variant]) {
        self.variants = variants
    }

    /// With what the component has by default.
    package init(_ component: Component, variants: [Variant]) {
        self.init(variants: variants)
        mode = component.mode
        placeholder = .usual(for: component)
    }

    /// What lies over a corner of everything that is made.
    package var badge: BadgeMark? {
        get { pill.map { BadgeMark($0, corner: badgeCorner) } }
        set {
            pill = newValue?.badge
            badgeCorner = newValue?.corner ?? badgeCorner
        }
    }

    /// An option of the recipe needs a study of the picture.
    package var studiesLogos: Bool {
        padding == .round || background == .own || background == .shown
    }

    /// Returns whether an order with this recipe can lead to the decision.
    package func couldDecide(_ decision: LogoDecision) -> Bool {
        let schemes = decision.grounds.map(\.scheme)
        return studiesLogos && Set(schemes).count == schemes.count
    }

    /// The appearances on whose backgrounds a picture is tried, in this order.
    package var backgroundList: [EmblemAppearance] {
        guard backgroundFrom.isEmpty else { return backgroundFrom }
        return appearance == Self.neutral ? [appearance] : [appearance, Self.neutral]
    }

    /// The appearance that is nearest to grey.
    private static let neutral = EmblemAppearance.category8

    /// What is made; an emblem where nothing is.
    package var component: Component { variants.first?.layout.component ?? .emblem }

    /// What `variant` is encoded as for a source of `format`; `nil` stands for a source nobody could
    /// read.
    package func format(of variant: Variant, source format: ImageFormat?) -> OutputFormat {
        variant.format ?? output.format(for: format)
    }

    /// Some output may be stored in a format of this kind.
    package func canStore(where isOfKind: (OutputFormat) -> Bool) -> Bool {
        let chosen = variants.compactMap(\.format)
        if chosen.contains(where: isOfKind) { return true }
        guard chosen.isEmpty || chosen.count < variants.count else { return false }
        switch output {
        case .fixed(let format): return isOfKind(format)
        case .same: return OutputFormat.allCases.contains(where: isOfKind)
        }
    }

    /// How `variant` looks in `theme`.
    package func style(for variant: Variant, in theme: Theme) -> EmblemStyle {
        var style = EmblemStyle(
            variant.layout, theme: theme, appearance: appearance, scheme: variant.scheme,
            scale: variant.scale)
        let most = style.heightPoints / 4
        style.borderPoints = min(borderPoints, most)
        style.paddingPoints = min(
            padding.points(ofHeight: style.heightPoints), most - style.borderPoints)
        style.mode = mode
        style.upscale = upscale
        style.enlargesSharply = enlarge == .sharp
        style.linear = linear
        style.tint = tint
        // An avatar is a circle, whatever else is asked for.
        if !variant.layout.component.isCircle {
            style.width = width
            style.corner = corner
        }
        return style
    }

    /// How the finished pixels of `variant` are encoded for a source of `format`.
    func encoding(for variant: Variant, source format: ImageFormat?, in theme: Theme)
        -> EncodeSettings
    {
        let output = self.format(of: variant, source: format)
        let surface = theme.color("theme.color.background.surface", variant.scheme) ?? .white
        return EncodeSettings(
            format: output,
            quality: quality ?? output.defaultQuality,
            palette: palette,
            matte: matte ?? surface,
            codecs: codecs)
    }
}

extension Recipe {
    /// What composing and writing the largest emblem of a picture of this exact size takes; of a
    /// square one where nothing is known of the picture.
    package func outputBytes(
        of source: (width: Double, height: Double) = (1, 1), format: ImageFormat? = nil,
        in theme: Theme
    ) -> Int {
        variants.map { variant in
            let settings = encoding(for: variant, source: format, in: theme)
            return settings.format.memoryCost(
                of: style(for: variant, in: theme).canvas(for: source), settings.quality)
        }.max() ?? 0
    }

    /// A variant of which border and padding leave less than a quarter, with the most points that
    /// they may have together.
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

    /// A variant that its format cannot hold, with the length of its longer side.
    package func variantTooLarge(
        in theme: Theme
    ) -> (variant: Variant, format: OutputFormat, pixels: Int)? {
        for variant in variants {
            let format = encoding(for: variant, source: nil, in: theme).format
            let height = style(for: variant, in: theme).height
            if height > format.edgeLimit { return (variant, format, height) }
        }
        return nil
    }
}

extension Recipe {
    /// Whether two emblems of different look have the same height in pixels.
    func repeatsHeights(in theme: Theme) -> Bool {
        guard variants.count > 1 else { return false }
        var heights: Set<Int> = []
        var last: Variant?
        for variant in variants {
            // Formats of one look follow each other, and share its pixels.
            if let last, variant.showsSame(as: last) { continue }
            last = variant
            let height = style(for: variant, in: theme).height
            guard heights.insert(height).inserted else { return true }
        }
        return false
    }
}
