import Render
import Theming

/// Everything about emblems but what they show.
struct EmblemLook: Sendable, Hashable {
    var layouts: [Emblem.Layout]
    var scales: [Double]
    var appearance: Emblem.Appearance
    var contentMode: ContentMode

    /// Every layout at every scale, layouts first.
    var variants: [(layout: Emblem.Layout, scale: Double)] {
        layouts.flatMap { layout in
            scales.map { (layout, $0.isNaN ? 1 : min(max($0, 0.5), 4)) }
        }
    }

    var recipe: Recipe {
        var recipe = Recipe(
            variants: variants.map { variant in
                Variant(layout: variant.layout.value, scale: variant.scale, scheme: .light)
            })
        recipe.appearance = appearance.value
        recipe.mode = contentMode.value
        return recipe
    }
}
