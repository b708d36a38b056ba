import Artwork
import Codecs
import Console
import Flags
import Notation
import Raster
import Render
import System
import Theming
import Transport

/// Reads the options for the look of an emblem, which `batch` and `render` share.
struct StyleArguments {
    let arguments: ParsedArguments

    /// Returns the built-in theme, with the values of the file of `--theme`.
    func theme(messages: MessageStream) throws -> Theme {
        guard let path = arguments[Options.theme] else { return .builtIn }
        let (theme, warnings) = try ThemeFile.load(path)
        ThemeFile.tell(of: warnings, in: path, to: messages)
        return theme
    }

    /// Returns the component. Refuses options that a circle cannot follow.
    func component() throws(UsageError) -> Component {
        let component = arguments[Options.component]
        guard component.isCircle else { return component }
        for flag in [LookOption.of(\.width).flag, LookOption.of(\.corner).flag]
        where arguments.isSet(flag) && arguments.texts(flag).last != flag.fallbackText {
            throw arguments.error(
                flag, "--\(flag.name) has no effect on avatars, which are circles.",
                remedy: "Remove --\(flag.name).")
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
        let words = arguments.texts(Options.layouts.flag).last ?? ""
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

    /// Returns the recipe for these variants and this output, with all options of the look that the
    /// command accepts.
    ///
    /// - Parameter keepsPixels: Whether the output contains the unchanged source, as an SVG does.
    ///   Such an emblem is plain by default.
    func recipe(
        variants: [Variant], output: OutputChoice, keepsPixels: Bool = false
    ) throws -> Recipe {
        var recipe = Recipe(variants.first?.layout.component ?? .emblem, variants: variants)
        if recipe.component == .emblem, !keepsPixels, !arguments.isSet(LookOption.of(\.look).flag) {
            recipe.apply(.usual)
        }
        try set(LookOption.all, in: &recipe, output)
        recipe.codecs = ProcessEnvironment.codecs
        return recipe
    }

    /// Applies the options for storing images, such as `--quality`.
    func setForm(of recipe: inout Recipe, _ output: OutputChoice) throws {
        try set(LookOption.all.filter { $0.flag.group == "Output" }, in: &recipe, output)
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
        let gravity = LookOption.of(\.gravity).flag
        if recipe.mode == .fit, !hasList, arguments.command.flag(gravity.name) != nil {
            try arguments.refuse(
                gravity, "--gravity needs --mode fill.",
                remedy: "Add --mode fill, or remove --gravity.")
        }
        if recipe.palette, !recipe.canStore(where: { $0 == .png }) {
            try arguments.refuse(Options.palette, "--palette needs --format png.")
        }
    }

    /// Applies the options that are set. The file of `--placeholder` is read after all options were
    /// checked.
    private func set(
        _ options: [LookOption], in recipe: inout Recipe, _ output: OutputChoice
    ) throws {
        // --format takes several formats, and its value is the output.
        let isSet = options.filter { option in
            option.path != \Recipe.output && arguments.command.flag(option.name) != nil
                && arguments.isSet(option.flag)
        }
        let look = isSet.first { $0.path == \Recipe.look }
        if let flag = look?.flag, let name = arguments.texts(flag).last,
            let named = Look(rawValue: name)
        {
            recipe.apply(named)
        }
        for option in isSet where option.path != \Recipe.look {
            // The look overrides options from a source of lower precedence.
            if let look, arguments.rank(of: option.flag) < arguments.rank(of: look.flag),
                recipe.look.optionNames.contains(option.name)
            {
                continue
            }
            arguments.texts(option.flag).last.flatMap(option.edit)?(&recipe)
        }
        recipe.output = output
        try check(recipe)
        try recipe.placeholder.load { (path: String) throws(CommandFailure) -> [UInt8] in
            try NamedFile.read(
                path, option: "--placeholder",
                advice: ". Use an existing file, 'icon:NAME', 'initials' or 'none'")
        }
    }
}

extension ParsedArguments {
    /// Returns the precedence of the source that set an option: 0 for none.
    fileprivate func rank(of flag: Flag) -> Int {
        switch origin(of: flag) {
        case .commandLine: 3
        case .environment: 2
        case .configuration: 1
        default: 0
        }
    }
}

extension BuiltInIcon {
    static var allNames: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
