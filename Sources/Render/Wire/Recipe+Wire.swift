import Artwork
import Codecs
import Raster
import Synchronization
import Theming

extension WireWriter {
    package mutating func put(_ recipe: Recipe) {
        put(RecipeWire.bytes(of: recipe))
    }

    /// Writes every part of a recipe.
    fileprivate mutating func putParts(of recipe: Recipe) {
        put(list: recipe.variants) { wire, variant in
            wire.put(variant.layout)
            wire.put(variant.scale)
            wire.put(choice: variant.scheme)
            wire.put(variant.format) { $0.put(choice: $1) }
        }
        put(choice: recipe.codecs)
        put(choice: recipe.look)
        put(choice: recipe.appearance)
        put(choice: recipe.mode)
        put(choice: recipe.gravity)
        put(recipe.focus) { wire, point in
            wire.put(point.x)
            wire.put(point.y)
        }
        switch recipe.padding {
        case .points(let points): put(0, points)
        case .percent(let share): put(1, share)
        case .safe: put(2, 0)
        case .round: put(3, 0)
        }
        put(recipe.borderPoints)
        put(choice: recipe.trim)
        switch recipe.background {
        case .appearance: put(UInt8(0))
        case .own: put(UInt8(1))
        case .auto: put(UInt8(2))
        case .color(let color):
            put(UInt8(3))
            put(color)
        }
        put(choice: recipe.width)
        put(choice: recipe.corner)
        put(choice: recipe.tint)
        put(recipe.upscale)
        switch recipe.output {
        case .fixed(let format): put(Optional(format)) { $0.put(choice: $1) }
        case .same: put(OutputFormat?.none) { $0.put(choice: $1) }
        }
        // `Int.min` stands for lossless.
        put(recipe.quality) { wire, quality in
            if case .lossy(let value) = quality { wire.put(value) } else { wire.put(Int.min) }
        }
        put(recipe.palette)
        put(choice: recipe.effort)
        put(recipe.limits)
        put(recipe.badge) { wire, mark in
            wire.put(Array(mark.badge.text.utf8))
            wire.put(choice: mark.badge.appearance)
            wire.put(choice: mark.corner)
        }
        put(recipe.placeholder)
    }

    private mutating func put(_ kind: UInt8, _ value: Double) {
        put(kind)
        put(value)
    }

    private mutating func put(_ placeholder: PlaceholderChoice) {
        switch placeholder {
        case .none: put(UInt8(0))
        case .initials: put(UInt8(1))
        case .icon(let icon):
            put(UInt8(2))
            put(choice: icon)
        case .picture(let name, let bytes):
            put(UInt8(3))
            put(Array(name.utf8))
            put(bytes)
        case .letters(let initials):
            put(UInt8(4))
            put(Array(initials.text.utf8))
        }
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
        recipe.look = try choice()
        recipe.appearance = try choice()
        recipe.mode = try choice()
        recipe.gravity = try choice()
        recipe.focus = try optional { wire throws(WireDamage) in
            FocusPoint(x: try wire.real(), y: try wire.real())
        }
        recipe.padding = try padding()
        recipe.borderPoints = try real()
        recipe.trim = try choice()
        recipe.background = try background()
        recipe.width = try choice()
        recipe.corner = try choice()
        recipe.tint = try choice()
        recipe.upscale = try flag()
        let format = try optional { wire throws(WireDamage) -> OutputFormat in try wire.choice() }
        recipe.output = format.map { .fixed($0) } ?? .same
        recipe.quality = try optional { wire throws(WireDamage) in
            let value = try wire.number()
            return value == .min ? .lossless : .lossy(value)
        }
        recipe.palette = try flag()
        recipe.effort = try choice()
        recipe.limits = try limits()
        recipe.badge = try optional { wire throws(WireDamage) in
            BadgeMark(
                Badge(checked: try wire.text(limit: .max), appearance: try wire.choice()),
                corner: try wire.choice())
        }
        recipe.placeholder = try placeholder()
        return recipe
    }

    private mutating func padding() throws(WireDamage) -> Padding {
        let (kind, value) = (try byte(), try real())
        switch kind {
        case 0: return .points(value)
        case 1: return .percent(value)
        case 2: return .safe
        case 3: return .round
        default: throw WireDamage()
        }
    }

    private mutating func background() throws(WireDamage) -> BackgroundRule {
        switch try byte() {
        case 0: .appearance
        case 1: .own
        case 2: .auto
        case 3: .color(try color())
        default: throw WireDamage()
        }
    }

    private mutating func placeholder() throws(WireDamage) -> PlaceholderChoice {
        switch try byte() {
        case 0: .none
        case 1: .initials
        case 2: .icon(try choice())
        case 3: .picture(name: try text(limit: .max), bytes: try block(limit: .max))
        case 4: .letters(Initials(checked: try text(limit: .max)))
        default: throw WireDamage()
        }
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
