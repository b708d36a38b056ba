import Artwork
import Engine
import Raster
import Render
import Theming
import Transport

/// The settings that batches of emblems and of avatars share. They are read and set like properties
/// of the batch: `batch.scales = [1, 2]`.
public struct BatchOptions: Sendable {
    /// The scales in pixels per point, from 0.5 to 4. With another value every outcome is `failed`.
    public var scales: [Double] = [1]
    /// The screen schemes to draw for.
    public var schemes: [ColorScheme] = [.light]
    /// A preset for one kind of image.
    public var look = Emblem.Look.logos
    /// The position and size of images: padding, border, margins, background.
    public var fitting = Emblem.Fitting()
    /// A badge over a corner of every drawing whose item has no badge. A badge without a visible
    /// character is omitted.
    public var badge: Badge?
    /// The corner that badges cover.
    public var badgeCorner = Badge.Corner.topRight
    /// The loader of the batch; `nil` uses the loader of the ``DesignSystem``.
    public var loader: (any AsyncEmblemImageLoader)?
    /// The time limit for one load of a custom loader, like ``AsyncEmblem/timeout``.
    public var timeout = Duration.seconds(30)
    /// The theme of the batch; `nil` uses ``Theme/current`` at the time when the first outcome is
    /// requested.
    public var theme: Theme?
    /// The number of sources in progress at once, including outcomes that are not yet delivered.
    public var concurrency = 64
    /// The limit for loaded images that wait to be drawn, in bytes. No load starts beyond it.
    ///
    /// The memory for decoding is limited separately, for the whole library.
    public var bytesLimit = 128 << 20
    /// The number of images of this batch drawn at once. The default is also the limit for all
    /// decoding of the library together.
    public var renderers = Workers.defaultRenderers
    /// The isolation and the limits for decoding; `nil` uses the setting of the ``DesignSystem``.
    public var decoding: Decoding?

    /// Creates the default settings.
    public init() {}

    /// The default settings of avatars.
    static var avatars: BatchOptions {
        var options = BatchOptions()
        options.look = .plain
        return options
    }

    /// The settings of a single component.
    static func single(_ scale: Double, _ scheme: ColorScheme) -> BatchOptions {
        var options = avatars
        (options.scales, options.schemes) = ([scale], [scheme])
        (options.renderers, options.bytesLimit) = (1, .max)
        return options
    }
}

/// All properties of emblems or avatars except their content.
struct ItemDrawing: Sendable {
    let component: Component
    let layouts: [ComponentLayout]
    let options: BatchOptions
    var appearance = Emblem.Appearance.brand
    var contentMode = ContentMode.fill
    /// The contents to draw instead, in order; the first that can be drawn is used.
    var fallbacks: [ComponentContent] = []

    /// The error if nothing can be drawn with these properties, such as a scale out of range.
    var fault: EmblemError? {
        options.scales.lazy.compactMap(Self.fault).first
            ?? Self.errorIfMissing(layouts.isEmpty, "layout")
            ?? Self.errorIfMissing(options.scales.isEmpty, "scale")
            ?? Self.errorIfMissing(options.schemes.isEmpty, "colour scheme")
    }

    /// Throws ``EmblemError/scaleOutOfRange(_:)`` for a scale outside the valid range.
    static func checked(_ scale: Double) throws(EmblemError) -> Double {
        if let fault = fault(scale) { throw fault }
        return scale
    }

    private static func fault(_ scale: Double) -> EmblemError? {
        (0.5...4).contains(scale) ? nil : .scaleOutOfRange(scale)
    }

    private static func errorIfMissing(_ isEmpty: Bool, _ name: String) -> EmblemError? {
        isEmpty ? .failedToDraw("There is nothing to draw, because no \(name) is given.") : nil
    }

    /// Every layout at every scale in every scheme, in this order.
    var variants: [Variant] {
        layouts.flatMap { layout in
            options.scales.flatMap { scale in
                options.schemes.map { Variant(layout: layout, scale: scale, scheme: $0) }
            }
        }
    }

    /// Returns the height of the largest variant in pixels; `nil` if nothing can be drawn.
    func pixels(in theme: Theming.Theme) -> Int? {
        guard fault == nil else { return nil }
        return variants.map { theme.height(of: $0.layout) * $0.scale }.max().flatMap {
            Int(exactly: $0.rounded(.up))
        }
    }

    var badge: BadgeMark? { options.badge?.mark(options.badgeCorner) }

    var recipe: Recipe {
        var recipe = Recipe(variants: variants)
        recipe.apply(options.look.value)
        recipe.appearance = appearance
        if options.look == .plain || contentMode != .fit { recipe.mode = contentMode }
        recipe.badge = badge
        options.fitting.apply(to: &recipe)
        return recipe
    }

    /// Returns the settings of a run whose backend applies the limits of `decoding` to each image.
    func settings(_ theme: Theme, _ decoding: Decoding) -> RunSettings {
        var settings = RunSettings(
            component, layouts: layouts, schemes: options.schemes,
            scales: options.scales, theme: theme.tokens,
            jobs: min(max(1, options.renderers), 1 << 16), memoryBytes: Workers.memoryBytes)
        settings.recipe = recipe
        settings.waitingBytesLimit = max(1, options.bytesLimit)
        settings.network.itemTimeout = decoding.timeout
        settings.backendLimitsTime = true
        return settings
    }

    /// Draws the first of `contents` that can be drawn as an SVG document. If none can, throws the
    /// error of the first.
    func svg(
        _ contents: [ComponentContent], _ style: EmblemStyle, _ accessibility: Accessibility
    ) async throws -> String {
        let theme = Theme.inForce(options.theme)
        let loading = SourceLoading(options.loader, timeout: options.timeout)
        let decoding = Decoding.inForce(options.decoding)
        let texts = accessibility.with(options.badge)
        var cause: (any Error)?
        for content in contents {
            do {
                let shown: EmblemContent
                switch content {
                case .initials(let initials): shown = .initials(initials)
                case .source(let source):
                    let image = try await source.load(loading).image
                    // Draw the image once at a small size to check that it can be drawn.
                    let size = PixelSize(width: 64, height: 64)
                    shown = try await image.drawingContent(in: size, decoding)
                }
                try Task.checkCancellation()
                return try EmblemError.drawing { () throws(ArtworkError) in
                    var sketch = try style.sketch(
                        of: shown, title: texts.label, summary: texts.summary)
                    if let badge {
                        try sketch.lay(
                            badge, in: theme.tokens, options.schemes[0],
                            radius: style.radiusPoints)
                    }
                    return try sketch.svg()
                }
            } catch {
                guard !Task.isCancelled else { throw CancellationError() }
                cause = cause ?? error
            }
        }
        throw cause ?? CancellationError()
    }
}
