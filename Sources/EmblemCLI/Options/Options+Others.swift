import Artwork
import Codecs
import Engine
import Flags
import Notation
import Theming

/// What single commands have for themselves.
extension Options {
    /// An option for one picture, which neither environment nor configuration file should set.
    private static func own<Value>(
        _ name: String, _ form: ValueForm<Value>, _ placeholder: String, _ help: String
    ) -> FlagKey<Value?> {
        FlagKey(
            name, form, placeholder, group: "What to make", isInEnvironment: false,
            isInConfiguration: false, help: help)
    }

    private static func own<Value>(
        _ name: String, _ form: ValueForm<Value>, _ placeholder: String, usual: Value,
        _ help: String
    ) -> FlagKey<Value> {
        FlagKey(
            name, form, placeholder, usual: usual, group: "What to make", isInEnvironment: false,
            isInConfiguration: false, help: help)
    }

    /// Of `render emblem`.
    enum Emblem {
        static let icon = own(
            "icon", ValueForm<BuiltInIcon>.choice, "NAME", "A built-in icon instead of a picture.")
        static let label = own(
            "label", .text, "TEXT",
            "Words whose initials stand in for a picture that fails; in an SVG also its title.")
        static let hint = own("hint", .text, "TEXT", "More about the picture, for an SVG.")
        static let output = Options.output(
            "The emblem; its extension decides the format: \(OutputFormat.extensions) or svg. "
                + "- is standard output.")
    }

    /// Of `render avatar`.
    enum Avatar {
        static let initials = own(
            "initials", .text, "TEXT",
            "The first two characters of TEXT instead of a picture, or behind one.")
        static let label = own("label", .text, "TEXT", "Words from which initials are taken.")
        static let icon = FlagKey(
            toggle: "icon", group: "What to make", isInEnvironment: false,
            isInConfiguration: false, help: "The profile icon.")
        static let layout = FlagKey<AvatarLayout>(
            "layout", .choice, "LAYOUT", usual: .default, group: "What to make",
            help: "Layout of the avatar: sides of 24, 40, 56 and 80.")
    }

    /// Of `render badge`.
    enum Badge {
        static let text = own("text", .text, "TEXT", "What it says.")
        static let appearance = own(
            "appearance", ValueForm<BadgeAppearance>.choice, "A", usual: .neutral,
            "What it means, which decides its colours.")
    }

    /// Of `render state`.
    enum State {
        static let kind = own(
            "kind", ValueForm<StateKind>.choice, "KIND", usual: .generic, "A ready-made state.")
        static let title = own("title", .text, "TEXT", "What the block says first.")
        static let subtitle = own("subtitle", .text, "TEXT", "What it says below.")
        static let icon = own("icon", .text, "ICON", "A built-in icon, a picture file, or none.")
            .offering(BuiltInIcon.allCases.map(\.rawValue) + ["none"])
        static let animation = own(
            "animation", .file, "FILE",
            "An animated picture instead of the icon; pages play it, pictures show its start.")
        static let button = FlagKey(
            repeated: "button", .text, "TEXT", group: "What to make", isInEnvironment: false,
            isInConfiguration: false, help: "A button; up to three.")
        static let buttonSpacers = own(
            "button-spacers", points, "PT",
            "Buttons as wide as the block, with this much room at either side.")
        static let strings = own(
            "strings", .file, "FILE",
            "Words of the ready-made states: JSON, or lines of \"key\" = \"words\";.")
        static let direction = own(
            "direction", .word(["auto", "ltr", "rtl"]), "WAY", usual: "auto",
            "Which way the words run.")
        static let graphicSize = own(
            "graphic-size", points, "PT", "Side of icon or animation.")
        static let padding = own("padding", points, "PT", "Room around everything.")
        static let width = own("width", points, "PT", "Width of the block.")
        static let titleWidth = own("title-width", points, "PT", "Greatest width of the title.")
        static let subtitleWidth = own(
            "subtitle-width", points, "PT", "Greatest width of the subtitle.")
        static let textSize = FlagKey<TextSize>(
            "text-size", .choice, "SIZE", usual: .large, group: "What to make",
            help: "How large a reader wants text.")
    }

    /// Of `render shimmer`.
    enum Shimmer {
        private static let last = Artwork.Shimmer.frameCount - 1
        static let frame = own(
            "frame", .whole(0...last), "N",
            "One frame instead of the animation, from 0 to \(last).")
        static let reducedMotion = FlagKey(
            toggle: "reduced-motion", group: "What to make", isInEnvironment: false,
            isInConfiguration: false,
            help: "The shimmer at rest, for those who want no motion.")
    }

    /// Of `render catalog`.
    enum Catalog {
        static let schemes = own(
            "scheme", ValueForm<[ColorScheme]>.schemes, "SCHEME", usual: ColorScheme.allCases,
            "The sheets to make; the page shows both.")
        static let scale = own(
            "scale", .factor(factors), "N", usual: 2, "Pixels to a point, on the sheets.")
        static let folder = FlagKey<String?>(
            "output", short: "o", .folder, "DIR", group: "Form of the outputs",
            isInEnvironment: false, isInConfiguration: false,
            help: "The folder to write index.html and the sheets into.")
    }

    /// Of `theme check`.
    static let strictTheme = FlagKey(
        toggle: "strict", group: "Output", isInEnvironment: false, isInConfiguration: false,
        help: "Exit with 1 for a token that nobody knows, or a pair of colours below the least "
            + "contrast.")

    /// Of `stream`.
    static let summary = FlagKey(
        toggle: "summary", group: "Output", isInEnvironment: false, isInConfiguration: false,
        help: "End with a record of the counts, unless the stream breaks off.")

    /// Of `merge`.
    static let mergedFolder = FlagKey<String?>(
        "output", short: "o", .folder, "OUT", group: "Output", isInEnvironment: false,
        isInConfiguration: false, help: "Folder for the joined set.")

    /// Of `failures`.
    enum Failures {
        static let errorClass = FlagKey<ErrorClass?>(
            "class", .choice, "CLASS", group: "Output", isInEnvironment: false,
            isInConfiguration: false, help: "Only items that failed in this way.")
        static let host = FlagKey<String?>(
            "host", .text, "HOST", group: "Output", isInEnvironment: false,
            isInConfiguration: false, help: "Only items of this host.")
        static let ndjson = FlagKey(
            toggle: "ndjson", group: "Output", isInEnvironment: false, isInConfiguration: false,
            help: "Write JSON, one object on each line.")
        static let csv = FlagKey(
            toggle: "csv", group: "Output", isInEnvironment: false, isInConfiguration: false,
            help: "Write a list that batch takes; as its paths stay as they were listed, "
                + "keep it in the folder of the first list.")
        static let csvSafe = FlagKey(
            toggle: "csv-safe", group: "Output", isInEnvironment: false, isInConfiguration: false,
            help: "Write the list of --csv with an apostrophe before each cell that a spreadsheet "
                + "would run as a formula (= + - @, tab, CR); batch takes it off again.")
    }

    /// Of `man`.
    package static let markdown = FlagKey(
        toggle: "markdown", group: "Output", isInEnvironment: false, isInConfiguration: false,
        help: "Print the options of all commands as Markdown tables.")
}
