import Artwork
import Codecs
import Flags
import Notation
import Raster
import Render
import Theming
import Transport
import Worker

/// All options of the tool, each declared once with its name, type, default and help. Code reads a
/// value by its key: `arguments[Options.memory]`.
package enum Options {
    package static let points = ValueForm<Double>.decimal(0...1000)
    /// Pixels per point.
    package static let factors = [1, 1.5, 2, 3, 4]

    package static let appearance = FlagKey(\.appearance)
    package static let corner = FlagKey(\.corner)
    package static let border = FlagKey(\.borderPoints)
    package static let placeholder = Flag(LookOption.of(\.placeholder))
    package static let format = FlagKey<[OutputChoice]>(
        "format", short: "f", .formats, "LIST", usual: [.fixed(.png)], group: "Output",
        help: "Output formats, comma-separated; same keeps the format of the source.")
    package static let quality = FlagKey(\.quality)
    package static let palette = FlagKey(\.palette)
    package static let effort = FlagKey(\.effort)

    package static let theme = FlagKey<String?>(
        "theme", .file, "FILE", group: "Colours",
        help: "Design tokens that override the built-in theme.")

    package static let scale = FlagKey<Double>(
        "scale", .factor(factors), "N", usual: 1, group: "Size",
        help: "Pixel density: 1 = 1x, 2 = 2x.")

    package static let scheme = FlagKey<ColorScheme>(
        "scheme", .choice, "SCHEME", usual: .light, group: "Colours",
        help: "Colours for a light or a dark screen.")

    package static let layout = FlagKey<EmblemLayout>(
        "layout", .choice, "LAYOUT", usual: .medium, group: "Size",
        help: "Layout of the emblem: \(emblemHeights).")

    package static let height = FlagKey<Int?>(
        "height", .whole(ComponentLayout.points), "PT", described: "the height of the layout",
        group: "Size",
        help: "Height from 8 to 1024 points, instead of a layout.")

    /// The heights of the layouts in the built-in theme, for the help.
    static let emblemHeights = "small is 40 points high, medium 48, large 64, xLarge 80"

    package static let sandbox = FlagKey<Isolation>(
        "sandbox", .choice, "LEVEL", usual: .process, group: "Limits",
        isInConfiguration: false,
        help: """
            Isolation of the decoders; none is unsafe for untrusted images.

            process decodes in worker processes, which need a seccomp filter and use Landlock if \
            it is available. strict needs both. none decodes in the tool's own process, which a \
            crash of a decoder ends.
            """)

    package static let config = FlagKey<String?>(
        "config", .file, "FILE|none", described: "emblem.json, if it exists", group: "Reports",
        isInConfiguration: false, help: "Read options from FILE, or from no file.")

    package static let json = FlagKey(
        toggle: "json", group: "Output", isInConfiguration: false,
        help: "Write JSON.")

    /// Declares the output file of a command; its extension determines the form.
    static func output(_ help: String) -> FlagKey<String?> {
        FlagKey(
            "output", short: "o", .file, "FILE", group: "Output",
            isInConfiguration: false, help: help)
    }

    package static let output = output(
        "File for the image; the extension selects the format. - is standard output.")

    /// The format of a drawing on standard output, which has no extension.
    static let streamedFormat = FlagKey<String?>(
        "format", .word(OutputFormat.allCases.map(\.name) + ["svg", "html"]), "FORMAT",
        described: "png", group: "Output", isInConfiguration: false,
        help: "Format for standard output (-o -).")
}

extension ValueForm<[ColorScheme]> {
    static var schemes: ValueForm {
        ValueForm(
            .choice(ColorScheme.allCases.map(\.rawValue) + ["both"]),
            read: { text in ColorScheme(rawValue: text).map { [$0] } ?? ColorScheme.allCases },
            text: { $0.count == 1 ? $0[0].rawValue : "both" })
    }
}

extension ValueForm<[OutputChoice]> {
    /// The form of `--format`: several formats, each by its name or extension, or `same`.
    static var formats: ValueForm {
        let one = LookOption.of(\.output).kind
        return ValueForm(
            .choices(one.words, all: false),
            read: { text in
                var choices: [OutputChoice] = []
                for word in ValueReader.list(text, of: one.words, all: false) ?? [] {
                    let choice = OutputChoice(named: word)
                    if let choice, !choices.contains(choice) { choices.append(choice) }
                }
                return choices.isEmpty ? nil : choices
            },
            text: { $0.map(\.name).joined(separator: ",") })
    }
}

extension OutputFormat {
    /// The file extensions of the formats, for a sentence.
    static var extensions: String { allCases.map(\.fileExtension).joined(separator: ", ") }
}

extension Flag {
    init(_ option: LookOption) {
        let fallback: Fallback =
            if let words = option.defaultInWords {
                .described(words)
            } else if let text = option.defaultText {
                .value(text)
            } else {
                .nothing
            }
        self.init(
            option.name, short: option.path == \Recipe.quality ? "q" : nil, option.kind,
            option.placeholder, fallback: fallback, group: option.topic.rawValue,
            help: option.help)
        if option.path == \Recipe.placeholder {
            let icons = BuiltInIcon.allCases.map { "icon:\($0.rawValue)" }
            self = offering(icons + ["initials", "none"])
        }
    }
}

extension FlagKey {
    /// Creates the key of the option that sets a property of a recipe, for commands that use the
    /// property without a recipe.
    init(_ path: any KeyPath<Recipe, Value> & Sendable) {
        let option = LookOption.of(path)
        self.init(Flag(option)) { texts in
            var recipe = Recipe(variants: [])
            if let text = texts.last, case .value(let edit)? = try? option.read(text) {
                edit(&recipe)
            }
            return recipe[keyPath: path]
        }
    }
}

extension ParsedArguments {
    /// Returns the folder of a required option; refuses `-`, since a set is many files.
    func requiredFolder(_ key: FlagKey<String?>) throws -> FilePath {
        let text = try required(key)
        guard text != "-" else {
            throw error(
                key.flag, "A set is many files and cannot be written to standard output.",
                remedy: "Name a folder, or type './-' for one with this name.")
        }
        return FilePath(text)
    }

    /// Refuses a folder outside the working directory if the configuration file names it.
    func checkPlace(_ flag: Flag, _ folder: FilePath) throws(UsageError) {
        guard case .configuration? = origin(of: flag),
            folder.place.path(below: FilePath(".").place) == nil
        else { return }
        throw error(
            flag, "\(PrintableText.escaped("\(folder)")) is not in this folder.",
            remedy: "Remove the key; --\(flag.name) can be typed.")
    }
}
