import Artwork
import Codecs
import Raster
import Render
import Synchronization
import Theming

extension Wire {
    /// Codes a recipe as a block. The last recipe and its bytes are cached, because nearly every item
    /// of a run has the same recipe.
    package mutating func code(_ recipe: inout Recipe) throws {
        if !isReading {
            var block = RecipeCache.bytes(of: recipe)
            return try code(&block)
        }
        var block: [UInt8] = []
        try code(&block)
        recipe = try RecipeCache.recipe(of: block)
    }

    fileprivate mutating func parts(of recipe: inout Recipe) throws {
        let plain = Variant(layout: .small, scale: 1, scheme: .light)
        try list(&recipe.variants, plain, limit: Recipe.variantsLimit) { wire, variant in
            try wire.code(&variant.layout)
            try wire.code(&variant.scale)
            try wire.choice(&variant.scheme)
            try wire.optional(&variant.format, .png) { try $0.choice(&$1) }
        }
        try choice(&recipe.codecs)
        try choice(&recipe.look)
        try choice(&recipe.appearance)
        try choice(&recipe.mode)
        try choice(&recipe.gravity)
        try optional(&recipe.focus, FocusPoint(x: 0, y: 0)) { wire, point in
            var (x, y) = (point.x, point.y)
            try wire.code(&x)
            try wire.code(&y)
            point = FocusPoint(x: x, y: y)
        }
        try code(&recipe.padding)
        try code(&recipe.borderPoints)
        try choice(&recipe.trim)
        try code(&recipe.background)
        try choice(&recipe.width)
        try choice(&recipe.corner)
        try choice(&recipe.tint)
        try code(&recipe.upscale)
        try code(&recipe.output)
        try optional(&recipe.quality, .lossless) { wire, quality in
            // `Int.min` stands for lossless.
            var value = if case .lossy(let value) = quality { value } else { Int.min }
            try wire.code(&value)
            quality = value == .min ? .lossless : .lossy(value)
        }
        try code(&recipe.palette)
        try choice(&recipe.effort)
        try code(&recipe.limits.pixels)
        try code(&recipe.limits.progressivePixels)
        try code(&recipe.limits.edge)
        try code(&recipe.limits.profileBytes)
        try code(&recipe.limits.svgBytes)
        try code(&recipe.limits.jpegScans)
        try optional(&recipe.badge, BadgeMark(Badge(checked: "", appearance: .neutral))) {
            wire, mark in
            var (text, appearance, corner) = (
                mark.badge.text, mark.badge.appearance, mark.corner
            )
            try wire.code(&text, limit: .max)
            try wire.choice(&appearance)
            try wire.choice(&corner)
            mark = BadgeMark(Badge(checked: text, appearance: appearance), corner: corner)
        }
    }

    private mutating func code(_ padding: inout Padding) throws {
        var (kind, value): (UInt8, Double) =
            switch padding {
            case .points(let points): (0, points)
            case .percent(let share): (1, share)
            case .safe: (2, 0)
            case .round: (3, 0)
            }
        try code(&kind)
        try code(&value)
        switch kind {
        case 0: padding = .points(value)
        case 1: padding = .percent(value)
        case 2: padding = .safe
        case 3: padding = .round
        default: throw WireDamage()
        }
    }

    private mutating func code(_ rule: inout BackgroundRule) throws {
        var (kind, color): (UInt8, Color) =
            switch rule {
            case .appearance: (0, .black)
            case .own: (1, .black)
            case .auto: (2, .black)
            case .color(let color): (3, color)
            }
        try code(&kind)
        try code(&color)
        switch kind {
        case 0: rule = .appearance
        case 1: rule = .own
        case 2: rule = .auto
        case 3: rule = .color(color)
        default: throw WireDamage()
        }
    }

    private mutating func code(_ output: inout OutputChoice) throws {
        var format: OutputFormat? = if case .fixed(let format) = output { format } else { nil }
        try optional(&format, .png) { try $0.choice(&$1) }
        output = format.map { .fixed($0) } ?? .same
    }

    /// A layout with a name by its index, or `squareMark` with the component and the height.
    private mutating func code(_ layout: inout ComponentLayout) throws {
        let names = ComponentLayout.allCases
        var component = Component.emblem
        var points = ComponentLayout.points.lowerBound
        var index = names.firstIndex(of: layout).map { UInt8(truncatingIfNeeded: $0) }
        if case .square(let of, let height) = layout {
            (index, component, points) = (squareMark, of, height)
        }
        var mark = index ?? 0
        try code(&mark)
        guard mark == squareMark else {
            guard names.indices.contains(Int(mark)) else { throw WireDamage() }
            layout = names[Int(mark)]
            return
        }
        try choice(&component)
        try code(&points, in: ComponentLayout.points)
        layout = .square(component, points: points)
    }

    package mutating func code(_ color: inout Color) throws {
        var (red, green, blue, alpha) = (color.red, color.green, color.blue, color.alpha)
        try code(&red)
        try code(&green)
        try code(&blue)
        try code(&alpha)
        color = Color(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// Every token of a theme with its values; references are already resolved.
    package mutating func code(_ theme: inout Theme) throws {
        typealias Token = (path: String, light: TokenValue, dark: TokenValue)
        var tokens: [Token] = []
        if !isReading {
            tokens = zip(theme.resolved(.light), theme.resolved(.dark)).map {
                ($0.path, $0.value, $1.value)
            }
        }
        try list(&tokens, ("", .dimension(0), .dimension(0))) { wire, token in
            try wire.code(&token.path)
            try wire.code(&token.light)
            try wire.code(&token.dark)
        }
        if isReading { theme = Theme(resolved: tokens) }
    }

    private mutating func code(_ value: inout TokenValue) throws {
        var isColor = if case .color = value { true } else { false }
        try code(&isColor)
        if isColor {
            var color = if case .color(let color) = value { color } else { Color.black }
            try code(&color)
            value = .color(color)
        } else {
            var points = if case .dimension(let points) = value { points } else { 0.0 }
            try code(&points)
            value = .dimension(points)
        }
    }
}

extension Theme {
    package init(wire bytes: [UInt8]) throws {
        self = try Wire.read(bytes, into: Theme(resolved: [])) { try $0.code(&$1) }
    }
}

/// The byte before a layout without a name.
private let squareMark = UInt8.max

/// The last recipe that was written and the last one that was read, with their bytes.
private enum RecipeCache {
    private static let sent = Mutex<(recipe: Recipe, bytes: [UInt8])?>(nil)
    private static let taken = Mutex<(bytes: [UInt8], recipe: Recipe)?>(nil)

    static func bytes(of recipe: Recipe) -> [UInt8] {
        if let last = sent.withLock({ $0 }), last.recipe == recipe { return last.bytes }
        let bytes = Wire.bytes(of: recipe) { try $0.parts(of: &$1) }
        sent.withLock { $0 = (recipe, bytes) }
        return bytes
    }

    static func recipe(of bytes: [UInt8]) throws -> Recipe {
        if let last = taken.withLock({ $0 }), last.bytes == bytes { return last.recipe }
        var recipe = try Wire.read(bytes, into: Recipe(variants: [])) { try $0.parts(of: &$1) }
        // The placeholder is another order.
        recipe.placeholder = .none
        taken.withLock { [recipe] in $0 = (bytes, recipe) }
        return recipe
    }
}
