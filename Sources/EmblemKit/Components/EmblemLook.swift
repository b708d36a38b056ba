import Artwork
import Render
import Theming

/// All properties of emblems or avatars except their content.
struct EmblemLook: Sendable, Hashable {
    var variants: [Variant]
    var appearance = Emblem.Appearance.brand
    var contentMode = ContentMode.fit
    var preset = Emblem.Look.plain
    var fitting = Emblem.Fitting()
    var badge: BadgeMark?
    /// The error if nothing can be drawn with these properties, such as a scale out of range.
    private(set) var fault: EmblemError?

    /// Creates variants for every layout at every scale in every scheme, in this order.
    init(layouts: [ComponentLayout], scales: [Double], schemes: [ColorScheme]) {
        fault =
            scales.lazy.compactMap(Self.fault).first
            ?? Self.errorIfMissing(layouts.isEmpty, "layout")
            ?? Self.errorIfMissing(scales.isEmpty, "scale")
            ?? Self.errorIfMissing(schemes.isEmpty, "colour scheme")
        variants = layouts.flatMap { layout in
            scales.flatMap { scale in
                schemes.map {
                    Variant(layout: layout, scale: scale, scheme: $0.value)
                }
            }
        }
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

    /// Returns the height of the largest variant in pixels; `nil` if nothing can be drawn.
    func pixels(in theme: Theming.Theme) -> Int? {
        guard fault == nil else { return nil }
        return variants.map { theme.height(of: $0.layout) * $0.scale }.max().flatMap {
            Int(exactly: $0.rounded(.up))
        }
    }

    var recipe: Recipe {
        var recipe = Recipe(variants: variants)
        recipe.apply(preset.value)
        recipe.appearance = appearance.value
        if preset == .plain || contentMode != .fit { recipe.mode = contentMode.value }
        recipe.badge = badge
        fitting.apply(to: &recipe)
        return recipe
    }
}
