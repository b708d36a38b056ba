import Artwork
import Codecs
import Console
import Flags
import Notation
import Raster
import Render
import System
import Targets
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
        let refusals = [
            (LookOption.of(\.width), "--width has no effect on avatars, which are circles."),
            (LookOption.of(\.corner), "--corner has no effect on avatars, which are circles."),
        ]
        for (option, reason) in refusals
        where arguments.isSet(Flag(option))
            && arguments.texts(Flag(option)).last != option.defaultText
        {
            throw arguments.error(Flag(option), reason, remedy: "Remove --\(option.name).")
        }
        return component
    }

    /// Returns the requested layouts and heights, by default all layouts.
    func layouts(of component: Component) throws(UsageError) -> [ComponentLayout] {
        let heights = arguments[Options.heights] ?? []
        var layouts: [ComponentLayout] = []
        if heights.isEmpty || arguments.isSet(Options.layouts.flag) {
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
    func recipe(variants: [Variant], output: OutputChoice) throws -> Recipe {
        let component = variants.first?.layout.component ?? .emblem
        var recipe = Recipe(component, variants: variants)
        try set(LookOption.all, in: &recipe, output)
        recipe.codecs = ProcessEnvironment.codecs
        return recipe
    }

    /// Applies the options for storing images, such as `--quality`.
    func setForm(of recipe: inout Recipe, _ output: OutputChoice) throws {
        try set(LookOption.all.filter { $0.topic == .form }, in: &recipe, output)
    }

    private func checkQuality(of recipe: Recipe) throws(UsageError) {
        guard recipe.quality == .lossless,
            let format = OutputFormat.allCases.first(where: { format in
                !format.canBeLossless && recipe.canStore { $0 == format }
            }), recipe.output != .same
        else { return }
        throw arguments.error(
            Options.quality, "\(format.name.uppercased()) cannot be lossless.",
            remedy: "Choose 1 to 100, or another format.")
    }

    /// Refuses typed options that have no effect.
    private func checkWithoutEffect(_ recipe: Recipe) throws(UsageError) {
        let hasList = arguments.command.flag("list") != nil && arguments.isSet(Options.list.flag)
        if recipe.mode == .fit, !hasList {
            // Rows of a list may set another mode.
            let gravity = Flag(LookOption.of(\.gravity))
            if arguments.command.flag(gravity.name) != nil {
                try arguments.refuse(
                    gravity, "--gravity needs --mode fill.",
                    remedy: "Add --mode fill, or remove --gravity.")
            }
        }
        if recipe.palette, !recipe.canStore(where: { $0 == .png }) {
            try arguments.refuse(Options.palette, "--palette needs --format png.")
        }
    }

    /// Prints a note for each typed option that has no effect on the formats.
    func noteWithoutEffect(_ recipe: Recipe, to messages: MessageStream) {
        if arguments.has(Options.quiet), arguments[Options.quiet] { return }
        let idle = [
            (Options.quality.flag, \OutputFormat.canBeLossy, "PNG is always lossless"),
            (Options.effort.flag, \OutputFormat.hasEffort, "only PNG and WebP have efforts"),
        ]
        for (flag, isAffected, reason) in idle where arguments.isTyped(flag) {
            guard !recipe.canStore(where: { $0[keyPath: isAffected] }) else { continue }
            messages.line("--\(flag.name) has no effect: \(reason)", .note)
        }
    }

    /// Applies the options that are set. Files are read after the texts of all options were
    /// checked.
    private func set(
        _ options: [LookOption], in recipe: inout Recipe, _ output: OutputChoice
    ) throws {
        var files: [(path: String, edit: @Sendable ([UInt8]) -> LookOption.Edit)] = []
        let look = try requestedLook(options)
        if let look { recipe.apply(look.value) }
        for option in options where option.path != \Recipe.output && arguments.isSet(option) {
            // The look overrides options from a source of lower precedence.
            if let look, arguments.rank(of: option) < look.rank,
                look.value.optionNames.contains(option.name)
            {
                continue
            }
            let text = arguments.texts(Flag(option)).last ?? ""
            let value = try rethrowing(option.read(text)) { (error: LookFault) in
                usageError(error, about: option)
            }
            switch value {
            case .value(let edit): edit(&recipe)
            case .file(let path, let edit): files.append((path, edit))
            }
        }
        recipe.output = output
        try checkQuality(of: recipe)
        try checkWithoutEffect(recipe)
        for (path, edit) in files {
            let bytes = try NamedFile.read(
                path, option: "--placeholder",
                advice: ". Use an existing file, 'icon:NAME', 'initials' or 'none'")
            edit(bytes)(&recipe)
        }
    }

    /// Returns the look of `--look` and the precedence of the source that set it; nil without a
    /// look.
    private func requestedLook(
        _ options: [LookOption]
    ) throws(UsageError) -> (value: Look, rank: Int)? {
        let option = LookOption.of(\.look)
        guard options.contains(where: { $0 === option }), arguments.isSet(option),
            let name = arguments.texts(Flag(option)).last,
            let look = Look(rawValue: name)
        else { return nil }
        return (look, arguments.rank(of: option))
    }

    private func usageError(_ fault: LookFault, about option: LookOption) -> UsageError {
        func error(_ message: String, _ remedy: String) -> UsageError {
            arguments.error(Flag(option), message, remedy: remedy)
        }
        switch fault {
        case .meaningless:
            return error(
                "The value must be \(option.kind.wanted).",
                "Correct the value, or remove the option.")
        case .badge(.noAppearance(let text)):
            let names = BadgeAppearance.allCases.map(\.rawValue).joined(separator: ", ")
            return error("\(BadgeFault.noAppearance(text)).", "Use one of \(names).")
        case .badge(.unknownCorner(let name)):
            let names = BadgeCorner.allCases.map(\.rawValue).joined(separator: ", ")
            return error("\(BadgeFault.unknownCorner(name)).", "Use one of \(names).")
        case .badge(let fault): return error("\(fault).", "Write it as in '3:danger'.")
        case .placeholder(.nothing):
            return error(
                "The value is empty.", "Give icon:NAME, initials, a FILE, or none.")
        case .placeholder(.noLetters):
            return error(
                "initials: has no letters.", "Add letters, as in initials:JD.")
        case .placeholder(.unknownIcon(let name)):
            return .unknown(
                "icon", name, among: BuiltInIcon.allCases.map(\.rawValue), prefix: "icon:",
                fallback: "Use one of \(BuiltInIcon.allNames).")
        }
    }
}

extension ParsedArguments {
    fileprivate func isSet(_ option: LookOption) -> Bool {
        command.flag(option.name) != nil && isSet(Flag(option))
    }

    /// Returns the precedence of the source that set an option: 0 for none.
    fileprivate func rank(of option: LookOption) -> Int {
        switch origin(of: Flag(option)) {
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
