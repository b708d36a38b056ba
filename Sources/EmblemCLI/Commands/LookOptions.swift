import Artwork
import Codecs
import Flags
import Notation
import Raster
import Render
import Theming
import Transport

/// The options for the look of an emblem, which `batch`, `stream` and `render` share.
extension CommandContext {
    /// Returns the component. Refuses options that a circle cannot follow.
    func component() throws(UsageError) -> Component {
        let component = arguments[Options.component]
        guard component.isCircle else { return component }
        for option in [Recipe.option(\.width), Recipe.option(\.corner)]
        where arguments.isSet(option) && arguments.texts(option).last != option.flag.fallbackText {
            throw arguments.error(
                option, "--\(option.name) has no effect on avatars, which are circles.",
                remedy: "Remove --\(option.name).")
        }
        return component
    }

    /// Returns the requested layouts and heights, by default all layouts.
    func layouts(of component: Component) throws(UsageError) -> [ComponentLayout] {
        let heights = arguments[Options.heights] ?? []
        var layouts: [ComponentLayout] = []
        if heights.isEmpty || arguments.isSet(Options.layouts) {
            layouts = try namedLayouts(of: component)
        }
        for height in heights {
            let layout = ComponentLayout.square(component, points: height)
            if !layouts.contains(layout) { layouts.append(layout) }
        }
        return layouts
    }

    private func namedLayouts(of component: Component) throws(UsageError) -> [ComponentLayout] {
        let words = arguments.texts(Options.layouts).last ?? ""
        if words.split(separator: ",").contains("all") { return component.layouts }
        var layouts: [ComponentLayout] = []
        for name in arguments[Options.layouts] {
            guard let layout = component.layout(named: name) else {
                let names = component.layouts.map(\.name).joined(separator: ", ")
                throw arguments.error(
                    Options.layouts, "\(component.phrase) has no layout \(name).",
                    remedy: "Use \(names).")
            }
            layouts.append(layout)
        }
        return layouts
    }

    /// The options that set a recipe. --format takes several formats, and its value is the output.
    private static var ofRecipe: [LookOption] {
        Recipe.options.filter { $0.path != \Recipe.output }
    }

    /// Returns the recipe for these variants and this output, with all options of the look that the
    /// command accepts. The file of `--placeholder` is read after all options were checked.
    ///
    /// - Parameter keepsPixels: Whether the output contains the unchanged source, as an SVG does.
    ///   Such an emblem is plain by default.
    func recipe(
        variants: [Variant], output: OutputChoice, keepsPixels: Bool = false
    ) throws -> Recipe {
        var recipe = Recipe(variants.first?.layout.component ?? .emblem, variants: variants)
        var options = Self.ofRecipe
        let look = Recipe.option(\.look)
        if arguments.has(look), arguments.isSet(look) {
            if let named = arguments.texts(look).last.flatMap(Look.init(rawValue:)) {
                recipe.apply(named)
            }
            // The look overrides options from a source of lower precedence.
            let names = recipe.look.optionNames
            options.removeAll { option in
                option.path == \Recipe.look
                    || names.contains(option.name) && arguments.has(option)
                        && arguments.rank(of: option) < arguments.rank(of: look)
            }
        } else if recipe.component == .emblem, !keepsPixels {
            recipe.apply(.usual)
        }
        arguments.apply(options, to: &recipe)
        recipe.output = output
        recipe.codecs = ProcessEnvironment.codecs
        try check(recipe)
        try recipe.placeholder.load { (path: String) throws(CommandFailure) -> [UInt8] in
            try read(
                path, option: "--placeholder",
                advice: ". Use an existing file, 'icon:NAME', 'initials' or 'none'")
        }
        return recipe
    }

    /// Returns the settings for storing an image of a component without a source, on a background
    /// for formats without transparency.
    func encodeSettings(_ format: OutputFormat, surface: Color) throws -> EncodeSettings {
        var recipe = Recipe()
        arguments.apply(Self.ofRecipe.filter { $0.flag.group == "Output" }, to: &recipe)
        recipe.output = .fixed(format)
        try check(recipe)
        return EncodeSettings(
            format: format, quality: recipe.quality, palette: recipe.palette,
            effort: recipe.effort, matte: surface)
    }

    /// Refuses a quality that the formats do not have, and typed options that have no effect.
    private func check(_ recipe: Recipe) throws(UsageError) {
        let lossy = OutputFormat.allCases.first { format in
            !format.canBeLossless && recipe.canStore { $0 == format }
        }
        if recipe.quality == .lossless, recipe.output != .same, let lossy {
            throw arguments.error(
                Options.quality, "\(lossy.name.uppercased()) cannot be lossless.",
                remedy: "Choose 1 to 100, or another format.")
        }
        // Rows of a list may set another mode.
        let hasList = arguments.has(Options.list) && arguments.isSet(Options.list)
        let gravity = Recipe.option(\.gravity)
        if recipe.mode == .fit, !hasList, arguments.has(gravity) {
            try arguments.refuse(
                gravity, "--gravity needs --mode fill.",
                remedy: "Add --mode fill, or remove --gravity.")
        }
        if recipe.palette, !recipe.canStore(where: { $0 == .png }) {
            try arguments.refuse(Options.palette, "--palette needs --format png.")
        }
    }
}

extension BuiltInIcon {
    static var allNames: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
