import Artwork
import Codecs
import Raster
import Synchronization
import Theming

extension WireWriter {
    package mutating func put(_ recipe: Recipe) {
        put(RecipeWire.bytes(of: recipe))
    }

    /// Writes the variants, the codecs, and the value of each option.
    fileprivate mutating func putParts(of recipe: Recipe) {
        put(list: recipe.variants) { wire, variant in
            wire.put(variant.layout)
            wire.put(variant.scale)
            wire.put(choice: variant.scheme)
            wire.put(variant.format) { $0.put(choice: $1) }
        }
        put(choice: recipe.codecs)
        for option in LookOption.all { option.put(&self, recipe) }
    }

    /// Writes the index of a layout with a name, or `squareMark` with the component and the height.
    private mutating func put(_ layout: ComponentLayout) {
        guard case .square(let component, let points) = layout else { return put(choice: layout) }
        put(squareMark)
        put(choice: component)
        put(points)
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
        try RecipeWire.recipe(of: try block(limit: .max))
    }

    fileprivate mutating func recipeParts() throws(WireDamage) -> Recipe {
        var recipe = Recipe(
            variants: try list(limit: Recipe.variantsLimit) { wire throws(WireDamage) in
                let layout = try wire.layout()
                return Variant(
                    layout: layout, scale: try wire.real(), scheme: try wire.choice(),
                    format: try wire.optional { wire throws(WireDamage) -> OutputFormat in
                        try wire.choice()
                    })
            })
        recipe.codecs = try choice()
        for option in LookOption.all { try option.take(&self, &recipe) }
        return recipe
    }

    private mutating func layout() throws(WireDamage) -> ComponentLayout {
        let index = Int(try byte())
        if index == squareMark {
            return .square(try choice(), points: try number(in: ComponentLayout.points))
        }
        guard ComponentLayout.allCases.indices.contains(index) else { throw WireDamage() }
        return ComponentLayout.allCases[index]
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

/// The byte before a layout without a name.
private let squareMark = UInt8.max

/// The last recipe and its bytes, cached because nearly every item of a run has the same recipe.
private enum RecipeWire {
    private static let sent = Mutex<(recipe: Recipe, bytes: [UInt8])?>(nil)
    private static let taken = Mutex<(bytes: [UInt8], recipe: Recipe)?>(nil)

    static func bytes(of recipe: Recipe) -> [UInt8] {
        if let last = sent.withLock({ $0 }), last.recipe == recipe { return last.bytes }
        var wire = WireWriter()
        wire.putParts(of: recipe)
        let bytes = wire.bytes
        sent.withLock { $0 = (recipe, bytes) }
        return bytes
    }

    static func recipe(of bytes: [UInt8]) throws(WireDamage) -> Recipe {
        if let last = taken.withLock({ $0 }), last.bytes == bytes { return last.recipe }
        var wire = WireReader(bytes)
        let recipe = try wire.recipeParts()
        try wire.finish()
        taken.withLock { $0 = (bytes, recipe) }
        return recipe
    }
}
