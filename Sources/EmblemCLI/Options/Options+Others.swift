import Artwork
import Codecs
import Engine
import Flags
import Notation
import Theming

extension Options {
    /// Declares an option for one image, which the configuration file cannot set.
    private static func own<Value>(
        _ name: String, _ form: ValueForm<Value>, _ placeholder: String,
        group: String = "Content", _ help: String
    ) -> FlagKey<Value?> {
        FlagKey(
            name, form, placeholder, group: group, isInConfiguration: false, help: help)
    }

    private static func own<Value>(
        _ name: String, _ form: ValueForm<Value>, _ placeholder: String, usual: Value,
        group: String = "Content", _ help: String
    ) -> FlagKey<Value> {
        FlagKey(
            name, form, placeholder, usual: usual, group: group, isInConfiguration: false,
            help: help)
    }

    enum Emblem {
        static let icon = own(
            "icon", ValueForm<BuiltInIcon>.choice, "NAME",
            "Draw a built-in icon instead of an image.")
        static let label = own(
            "label", .text, "TEXT",
            "Name of the image, for its initials if the source fails and as title of an SVG.")
        static let output = Options.output(
            "File for the emblem: \(OutputFormat.extensions) or svg. - is standard output.")
    }

    enum Avatar {
        static let initials = own(
            "initials", .text, "TEXT",
            "Draw the first two characters of TEXT, also if the source fails.")
        static let label = own("label", .text, "TEXT", "Name to take the initials from.")
        static let icon = FlagKey(
            toggle: "icon", group: "Content", isInConfiguration: false,
            help: "Draw the profile icon.")
        static let layout = FlagKey<AvatarLayout>(
            "layout", .choice, "LAYOUT", usual: .default, group: "Size",
            help: "Layout of the avatar: 24, 40, 56 or 80 points a side.")
    }

    /// The name of a badge or a state view for screen readers.
    static let spokenLabel = own(
        "label", .text, "TEXT", "Name for screen readers, in an SVG or HTML; by default the text.")

    enum Badge {
        static let text = own("text", .text, "TEXT", "Text of the badge.")
        static let appearance = own(
            "appearance", ValueForm<BadgeAppearance>.choice, "NAME", usual: .neutral,
            group: "Colours", "Colours of the badge.")
    }

    enum State {
        static let kind = own(
            "kind", ValueForm<StateKind>.choice, "KIND", usual: .generic,
            "Built-in state with icon and texts.")
        static let title = own("title", .text, "TEXT", "Title of the block.")
        static let subtitle = own("subtitle", .text, "TEXT", "Text below the title.")
        static let icon = own("icon", .text, "ICON", "Built-in icon, image file, or none.")
            .offering(BuiltInIcon.allCases.map(\.rawValue) + ["none"])
        static let button = FlagKey(
            repeated: "button", .text, "TEXT", group: "Content", isInConfiguration: false,
            help: "Label of a button; up to three.")
        static let strings = own(
            "strings", .file, "FILE",
            "JSON file with texts of the built-in states.")
        static let padding = own(
            "padding", .lengths(0...1000, counts: [1, 2, 4]), "PT,…", group: "Size",
            "Space around the content: one value, top and side, or top, start, bottom and end.")
        static let background = own(
            "background", .color, "COLOR", group: "Colours", "Background of the block.")
        static let width = own(
            "width", points, "PT", group: "Size", "Width of the block.")
    }

    enum Shimmer {
        private static let last = Artwork.Shimmer.frameCount - 1
        static let frame = own(
            "frame", .whole(0...last), "N",
            "Draw one frame, from 0 to \(last), instead of the animation.")
        static let reducedMotion = FlagKey(
            toggle: "reduced-motion", group: "Content", isInConfiguration: false,
            help: "Draw the still form, for users who prefer reduced motion.")
    }

    /// `--quiet` of commands without progress.
    static let quietErrors = FlagKey(
        toggle: "quiet", group: "Output", help: "Print only errors.")

    /// `--quiet` of commands whose result is a list.
    static let quietSummary = FlagKey(
        toggle: "quiet", group: "Output", help: "Print one line only.")

    static let summary = FlagKey(
        toggle: "summary", group: "Output", isInConfiguration: false,
        help: "Write a record of the counts last, unless the stream ends early.")

    enum Failures {
        static let errorClass = FlagKey<ErrorClass?>(
            "class", .choice, "CLASS", group: "Output", isInConfiguration: false,
            help: "Only items with this error class.")
        static let csv = FlagKey(
            toggle: "csv", group: "Output", isInConfiguration: false,
            help: """
                Write a list that batch can read.

                A cell that a spreadsheet would run as a formula gets an apostrophe, which batch \
                removes. Relative paths stay as they were listed, so keep the list in the folder of the \
                original list.
                """)
    }

    package static let schema = FlagKey(
        toggle: "schema", group: "Output", isInConfiguration: false,
        help: "Print the JSON schema of emblem.json instead, for completion in editors.")

    package static let markdown = FlagKey(
        toggle: "markdown", group: "Output", isInConfiguration: false,
        help: "Print the options of all commands as Markdown tables.")
}
