import Artwork
import Codecs
import Console
import Flags
import Raster
import Render
import Theming
import Transport

/// Reads the options that decide the look of an emblem, which `batch` and `render` share.
struct LookArguments {
    let arguments: ParsedArguments

    /// The built-in theme with the file of `--theme` laid over it.
    func theme(messages: MessageStream) throws(CommandFailure) -> Theme {
        guard let path = arguments.text("theme") else { return .builtIn }
        let (theme, warnings) = try ThemeFile.load(path)
        ThemeFile.tell(of: warnings, in: path, to: messages)
        return theme
    }

    /// What is made, once it is sure that nothing is asked of an avatar that a circle cannot have.
    func component() throws(CommandFailure) -> Component {
        guard arguments.text("component") == Component.avatar.rawValue else { return .emblem }
        let refusals = [
            ("width", "square", "An avatar is a circle, as wide as high."),
            ("corner", "circular", "An avatar is a circle and has no corners."),
        ]
        for (name, allowed, reason) in refusals
        where arguments.isSet(name) && arguments.text(name) != allowed {
            throw CommandFailure(
                arguments.error(name, reason, remedy: "Leave --\(name) out of it."))
        }
        return .avatar
    }

    /// The layouts asked for, all of them if none is.
    func layouts(of component: Component) throws(CommandFailure) -> [ComponentLayout] {
        let words = (arguments.text("layout") ?? "all").split(separator: ",")
        if words.contains("all") { return component.layouts }
        var layouts: [ComponentLayout] = []
        for name in arguments.list("layout") {
            guard let layout = component.layout(named: name) else {
                let names = component.layouts.map(\.name).joined(separator: ", ")
                throw CommandFailure(
                    arguments.error(
                        "layout", "\(component.phrase) has no layout \(name).",
                        remedy: "It has \(names)."))
            }
            layouts.append(layout)
        }
        return layouts
    }

    /// The recipe for these variants and this output.
    func recipe(variants: [Variant], output: OutputChoice) throws(CommandFailure) -> Recipe {
        var recipe = Recipe(variants: variants)
        recipe.appearance = choice("appearance", recipe.appearance)
        let isAvatar = recipe.component == .avatar
        recipe.mode = isAvatar && !arguments.isSet("mode") ? .fill : choice("mode", .fit)
        if recipe.component == .emblem {
            recipe.width = choice("width", recipe.width)
            recipe.corner = choice("corner", recipe.corner)
        }
        recipe.tint = choice("tint", recipe.tint)
        recipe.paddingPoints = arguments.decimal("padding") ?? 0
        recipe.borderPoints = arguments.decimal("border") ?? 0
        recipe.upscale = arguments.text("upscale") != "never"
        recipe.linear = arguments.toggle("linear")
        recipe.codecs = choice("codecs", recipe.codecs)
        try setForm(of: &recipe, output)
        recipe.badge = try badge().map { BadgeMark($0, corner: badgeCorner) }
        recipe.placeholder = try placeholder(of: recipe.component)
        return recipe
    }

    /// Sets how pictures are stored.
    func setForm(of recipe: inout Recipe, _ output: OutputChoice) throws(CommandFailure) {
        recipe.output = output
        recipe.palette = arguments.toggle("palette")
        recipe.quality = arguments.quality("quality").map { value in
            switch value {
            case .lossy(let quality): .lossy(quality)
            case .lossless: .lossless
            }
        }
        recipe.matte = arguments.color("matte").map {
            Color(red: $0.red, green: $0.green, blue: $0.blue, alpha: $0.alpha)
        }
        if case .fixed(let format) = output, !format.canBeLossless, recipe.quality == .lossless {
            throw CommandFailure(
                arguments.error(
                    "quality", "\(format.name.uppercased()) cannot be lossless.",
                    remedy: "Choose 1 to 100, or another format."))
        }
    }

    var badgeCorner: BadgeCorner { choice("badge-corner", .topRight) }

    private func badge() throws(CommandFailure) -> Badge? {
        guard let text = arguments.text("badge") else { return nil }
        do throws(BadgeFault) {
            return try Badge(argument: text)
        } catch {
            throw CommandFailure(
                arguments.error("badge", "\(error).", remedy: "Write it as in '3:danger'."))
        }
    }

    private func choice<Value: RawRepresentable<String>>(_ name: String, _ fallback: Value) -> Value
    {
        arguments.text(name).flatMap(Value.init(rawValue:)) ?? fallback
    }

    /// `icon:NAME`, `initials`, `initials:AB`, `none`, or a picture file, which is read at once.
    private func placeholder(
        of component: Component
    ) throws(CommandFailure) -> PlaceholderChoice {
        guard arguments.isSet("placeholder"), let text = arguments.text("placeholder") else {
            return component == .avatar ? .initials : .icon(component.icon)
        }
        switch text {
        case "none": return PlaceholderChoice.none
        case "initials": return .initials
        case "":
            throw CommandFailure(
                arguments.error(
                    "placeholder", "\"\" names nothing.",
                    remedy: "Give icon:NAME, initials, a FILE, or none."))
        default: break
        }
        if text.hasPrefix("initials:") {
            guard let initials = Initials(placeholder: text) else {
                throw CommandFailure(
                    arguments.error(
                        "placeholder", "there are no letters behind initials:.",
                        remedy: "Write them, as in initials:JD."))
            }
            return .letters(initials)
        }
        if text.hasPrefix("icon:") {
            let name = String(text.dropFirst(5))
            guard let icon = BuiltInIcon(rawValue: name) else {
                throw CommandFailure(
                    .unknown(
                        "icon", name, among: BuiltInIcon.allCases.map(\.rawValue), prefix: "icon:",
                        fallback: "Known are \(BuiltInIcon.allNames)."))
            }
            return .icon(icon)
        }
        return try .picture(name: text.lastPathComponent, bytes: PictureFile.read(text))
    }
}

/// A picture that an option names; whether it can be decoded is tried where all pictures are.
enum PictureFile {
    private static let bytesLimit = 20 << 20

    static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        do throws(IntakeError) {
            return try FileIntake.read(FilePath(path), bytesLimit: bytesLimit).bytes
        } catch {
            throw CommandFailure(
                66,
                "--placeholder \(path): \(error); 'icon:NAME', 'initials' or 'none' need no file")
        }
    }
}

extension BuiltInIcon {
    static var allNames: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension String {
    /// What follows the last slash.
    var lastPathComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
