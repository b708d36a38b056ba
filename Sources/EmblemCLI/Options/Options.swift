import Artwork
import Cell
import Codecs
import Flags
import Notation
import Raster
import Render
import Theming

/// Every option of the tool, declared once: its name, type, default and help. Commands list them,
/// and code asks for them by these keys: `arguments[Options.memory]`.
package enum Options {
    /// Points in a drawing.
    package static let points = ValueForm<Double>.decimal(0...1000)
    /// Pixels to a point.
    package static let factors = [1, 1.5, 2, 3, 4]

    package static let appearance = FlagKey(\.appearance)
    package static let corner = FlagKey(\.corner)
    package static let border = FlagKey(\.borderPoints)
    package static let placeholder = Flag(LookOption.of(\.placeholder))
    /// One or several.
    package static let format = FlagKey<[OutputChoice]>(
        "format", short: "f", .formats, "LIST", usual: [.fixed(.png)], group: "Form of the outputs",
        help: "Format of the emblems, or several with commas; same keeps that of the source.")
    package static let quality = FlagKey(\.quality)
    package static let palette = FlagKey(\.palette)
    package static let matte = FlagKey(\.matte)
    package static let codecs = FlagKey(\.codecs)

    package static let theme = FlagKey<String?>(
        "theme", .file, "FILE", group: "What to make",
        help: "Design tokens laid over the built-in ones.")

    package static let scale = FlagKey<Double>(
        "scale", .factor(factors), "N", usual: 1, group: "What to make", help: "Pixels to a point.")

    package static let scheme = FlagKey<ColorScheme>(
        "scheme", .choice, "SCHEME", usual: .light, group: "What to make",
        help: "Colours for a light or a dark screen.")

    package static let layout = FlagKey<EmblemLayout>(
        "layout", .choice, "LAYOUT", usual: .medium, group: "What to make",
        help: "Layout of the emblem.")

    /// Where strangers' bytes are looked at.
    package static let sandbox = FlagKey<Isolation>(
        "sandbox", .choice, "HOW", usual: .process, group: "How to run",
        isInConfiguration: false,
        help: "Where pictures are decoded: in processes of their own, which a filter of system "
            + "calls must hold and Landlock shall (process) or must (strict), or in this one (none), "
            + "which a crash of a decoder ends; --resume then leaves out the SVG that did it.")

    /// The configuration file in place of `emblem.json`.
    package static let config = FlagKey<String?>(
        "config", .file, "FILE", described: "emblem.json where there is one", group: "Messages",
        isInConfiguration: false, help: "Read options from FILE.")
    package static let noConfig = FlagKey(
        toggle: "no-config", group: "Messages", isInConfiguration: false,
        help: "Read no options from emblem.json.")

    /// Data for programs instead of text for people.
    package static let json = FlagKey(
        toggle: "json", group: "Output", isInEnvironment: false, isInConfiguration: false,
        help: "Write JSON.")

    /// The file of a command that makes one; its extension decides the form.
    static func output(_ help: String) -> FlagKey<String?> {
        FlagKey(
            "output", short: "o", .file, "FILE", group: "Form of the outputs",
            isInEnvironment: false, isInConfiguration: false, help: help)
    }

    package static let output = output(
        "The picture; its extension decides the format. - is standard output.")

    /// The format of a drawing on standard output, which has no extension.
    static let streamedFormat = FlagKey<String?>(
        "format", .word(OutputFormat.allCases.map(\.name) + ["svg", "html"]), "FORMAT",
        described: "png", group: "Form of the outputs", isInEnvironment: false,
        isInConfiguration: false, help: "Format of -o -.")
}

extension ValueForm<[ColorScheme]> {
    /// One of them, or both.
    static var schemes: ValueForm {
        ValueForm(
            .choice(ColorScheme.allCases.map(\.rawValue) + ["both"]),
            read: { text in ColorScheme(rawValue: text).map { [$0] } ?? ColorScheme.allCases },
            text: { $0.count == 1 ? $0[0].rawValue : "both" })
    }
}

extension ValueForm<[OutputChoice]> {
    /// Several formats, each by its name or extension, or the source's own.
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
    /// Under which files of each are written, for a sentence.
    static var extensions: String { allCases.map(\.fileExtension).joined(separator: ", ") }
}

extension Flag {
    /// An option of the look.
    init(_ option: LookOption) {
        let fallback: Fallback =
            if let words = option.usualInWords {
                .described(words)
            } else if let text = option.usual {
                .value(text)
            } else {
                .nothing
            }
        let group =
            switch option.topic {
            case .picture: "What to make"
            case .form: "Form of the outputs"
            case .limits: "Limits"
            case .means: "How to run"
            }
        self.init(
            option.name, option.kind, option.placeholder, fallback: fallback, group: group,
            isNegatable: !option.kind.takesValue, help: option.help)
        isOpen = option.path == \Recipe.look
        if option.path == \Recipe.placeholder {
            let icons = BuiltInIcon.allCases.map { "icon:\($0.rawValue)" }
            self = offering(icons + ["initials", "none"])
        }
    }
}

extension FlagKey {
    /// What an option of the look sets in a recipe, for commands that have none.
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
