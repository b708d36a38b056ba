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

    /// The recipe for these variants and this output.
    func recipe(variants: [Variant], output: OutputChoice) throws(CommandFailure) -> Recipe {
        var recipe = Recipe(variants: variants)
        recipe.output = output
        recipe.appearance = choice("appearance", recipe.appearance)
        recipe.mode = choice("mode", recipe.mode)
        recipe.width = choice("width", recipe.width)
        recipe.corner = choice("corner", recipe.corner)
        recipe.tint = choice("tint", recipe.tint)
        recipe.paddingPoints = arguments.decimal("padding") ?? 0
        recipe.borderPoints = arguments.decimal("border") ?? 0
        recipe.upscale = arguments.text("upscale") != "never"
        recipe.linear = arguments.toggle("linear")
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
        if output == .fixed(.jpeg), recipe.quality == .lossless {
            throw CommandFailure(
                arguments.error(
                    "quality", "JPEG cannot be lossless.",
                    remedy: "Choose 1 to 100, or another format."))
        }
        recipe.placeholder = try placeholder()
        return recipe
    }

    private func choice<Value: RawRepresentable<String>>(_ name: String, _ fallback: Value) -> Value
    {
        arguments.text(name).flatMap(Value.init(rawValue:)) ?? fallback
    }

    /// `icon:NAME`, `initials`, `none`, or a picture file, which is read and tried at once.
    private func placeholder() throws(CommandFailure) -> PlaceholderChoice {
        let text = arguments.text("placeholder") ?? "icon:\(BuiltInIcon.accountBalance.rawValue)"
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

/// A picture that an option names: it has to work before the first item is loaded.
enum PictureFile {
    private static let bytesLimit = 20 << 20

    static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        let bytes: [UInt8]
        do throws(IntakeError) {
            bytes = try FileIntake.read(FilePath(path), bytesLimit: bytesLimit).bytes
        } catch {
            throw CommandFailure(
                66,
                "--placeholder \(path): \(error); 'icon:NAME', 'initials' or 'none' need no file")
        }
        do throws(DecodeError) {
            let header = try ImageDecoder.header(of: bytes.span, limits: DecodeLimits())
            _ = try ImageDecoder.decode(bytes.span, header: header, request: DecodeRequest())
        } catch {
            throw CommandFailure(65, "--placeholder \(path): \(error)")
        }
        return bytes
    }
}

extension BuiltInIcon {
    static var allNames: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension String {
    /// What follows the last slash.
    var lastPathComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
