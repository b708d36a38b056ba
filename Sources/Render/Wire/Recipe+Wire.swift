import Artwork
import Codecs
import Raster
import Theming

extension WireWriter {
    /// The variants, then what each option sets.
    package mutating func put(_ recipe: Recipe) {
        put(list: recipe.variants) { wire, variant in
            wire.put(choice: variant.layout)
            wire.put(variant.scale)
            wire.put(choice: variant.scheme)
        }
        for option in LookOption.all { option.put(&self, recipe) }
    }

    package mutating func put(_ color: Color) {
        for channel in [color.red, color.green, color.blue, color.alpha] { put(channel) }
    }

    mutating func put(_ limits: DecodeLimits) {
        put(limits.pixels)
        put(limits.progressivePixels)
        put(limits.edge)
        put(limits.profileBytes)
        put(limits.svgBytes)
        put(limits.jpegScans)
    }
}

extension WireReader {
    package mutating func recipe() throws(WireDamage) -> Recipe {
        var recipe = Recipe(
            variants: try list(limit: Recipe.variantsLimit) { wire throws(WireDamage) in
                let layout: ComponentLayout = try wire.choice()
                return Variant(
                    layout: layout, scale: try wire.real(), scheme: try wire.choice())
            })
        for option in LookOption.all { try option.take(&self, &recipe) }
        return recipe
    }

    package mutating func color() throws(WireDamage) -> Color {
        Color(red: try byte(), green: try byte(), blue: try byte(), alpha: try byte())
    }

    mutating func limits() throws(WireDamage) -> DecodeLimits {
        DecodeLimits(
            pixels: try number(), progressivePixels: try number(), edge: try number(),
            profileBytes: try number(), svgBytes: try number(), jpegScans: try number())
    }
}
