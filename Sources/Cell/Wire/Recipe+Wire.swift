import Artwork
import Codecs
import Raster
import Render
import Theming

extension WireWriter {
    /// Every field, in the order of its declaration.
    package mutating func put(_ recipe: Recipe) {
        put(list: recipe.variants) { wire, variant in
            wire.put(choice: variant.layout)
            wire.put(variant.scale)
            wire.put(choice: variant.scheme)
        }
        put(choice: recipe.appearance)
        put(choice: recipe.mode)
        put(recipe.paddingPoints)
        put(recipe.borderPoints)
        put(choice: recipe.width)
        put(choice: recipe.corner)
        put(choice: recipe.tint)
        put(recipe.upscale)
        put(recipe.linear)
        put(recipe.output)
        put(recipe.quality) { $0.put($1) }
        put(recipe.palette)
        put(recipe.matte) { $0.put($1) }
        put(recipe.limits)
        put(recipe.allowTruncated)
        put(choice: recipe.codecs)
        put(recipe.badge) { wire, mark in
            wire.put(Array(mark.badge.text.utf8))
            wire.put(choice: mark.badge.appearance)
            wire.put(choice: mark.corner)
        }
        put(recipe.placeholder)
    }

    private mutating func put(_ output: OutputChoice) {
        switch output {
        case .fixed(let format): put(Optional(format)) { $0.put(choice: $1) }
        case .same: put(OutputFormat?.none) { $0.put(choice: $1) }
        }
    }

    private mutating func put(_ quality: EncodeQuality) {
        switch quality {
        case .lossy(let value): put(Optional(value)) { $0.put($1) }
        case .lossless: put(Int?.none) { $0.put($1) }
        }
    }

    mutating func put(_ color: Color) {
        for channel in [color.red, color.green, color.blue, color.alpha] { put(channel) }
    }

    private mutating func put(_ limits: DecodeLimits) {
        put(limits.pixels)
        put(limits.progressivePixels)
        put(limits.edge)
        put(limits.profileBytes)
        put(limits.svgBytes)
        put(limits.jpegScans)
    }

    private mutating func put(_ placeholder: PlaceholderChoice) {
        switch placeholder {
        case .none: put(UInt8(0))
        case .initials: put(UInt8(1))
        case .icon(let icon):
            put(UInt8(2))
            put(choice: icon)
        case .letters(let initials):
            put(UInt8(4))
            put(Array(initials.text.utf8))
        case .picture(let name, let bytes):
            put(UInt8(3))
            put(Array(name.utf8))
            put(bytes)
        }
    }
}

extension WireReader {
    package mutating func recipe() throws(WireDamage) -> Recipe {
        var recipe = Recipe(
            variants: try list(limit: Outcome.variantsLimit) { wire throws(WireDamage) in
                let layout: ComponentLayout = try wire.choice()
                return Variant(
                    layout: layout, scale: try wire.real(), scheme: try wire.choice())
            })
        recipe.appearance = try choice()
        recipe.mode = try choice()
        recipe.paddingPoints = try real()
        recipe.borderPoints = try real()
        recipe.width = try choice()
        recipe.corner = try choice()
        recipe.tint = try choice()
        recipe.upscale = try flag()
        recipe.linear = try flag()
        recipe.output = try output()
        recipe.quality = try optional { wire throws(WireDamage) in try wire.quality() }
        recipe.palette = try flag()
        recipe.matte = try optional { wire throws(WireDamage) in try wire.color() }
        recipe.limits = try limits()
        recipe.allowTruncated = try flag()
        recipe.codecs = try choice()
        recipe.badge = try optional { wire throws(WireDamage) in
            let text = try wire.text(limit: .max)
            let badge = Badge(settled: text, appearance: try wire.choice())
            return BadgeMark(badge, corner: try wire.choice())
        }
        recipe.placeholder = try placeholder()
        return recipe
    }

    private mutating func output() throws(WireDamage) -> OutputChoice {
        let format = try optional { wire throws(WireDamage) -> OutputFormat in try wire.choice() }
        return format.map { .fixed($0) } ?? .same
    }

    private mutating func quality() throws(WireDamage) -> EncodeQuality {
        let value = try optional { wire throws(WireDamage) in try wire.number() }
        return value.map { .lossy($0) } ?? .lossless
    }

    mutating func color() throws(WireDamage) -> Color {
        Color(red: try byte(), green: try byte(), blue: try byte(), alpha: try byte())
    }

    private mutating func limits() throws(WireDamage) -> DecodeLimits {
        DecodeLimits(
            pixels: try number(), progressivePixels: try number(), edge: try number(),
            profileBytes: try number(), svgBytes: try number(), jpegScans: try number())
    }

    private mutating func placeholder() throws(WireDamage) -> PlaceholderChoice {
        switch try byte() {
        case 0: return .none
        case 1: return .initials
        case 2: return .icon(try choice())
        case 3: return .picture(name: try text(limit: .max), bytes: try block(limit: .max))
        case 4: return .letters(Initials(settled: try text(limit: .max)))
        default: throw WireDamage()
        }
    }
}
