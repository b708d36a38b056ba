import Flags

/// Every command and option of the tool, as data.
package enum Declarations {
    /// Every command, in the order in which the help lists them.
    package static let all: [Command] = [
        batch, renderEmblem, renderAvatar, renderBadge, renderState, renderShimmer, renderCatalog,
        inspect, themeCheck, themeShow, verify, failures, bench, formats, completions, manual,
    ]

    private static let group = "What to make"

    static let appearance = Flag(
        "appearance", .choice(Vocabulary.appearances), "A", fallback: .value("brand"),
        group: group, help: "Colours of background, foreground and border.")

    static let theme = Flag(
        "theme", .file, "FILE", group: group, help: "Design tokens laid over the built-in ones.")

    /// How an emblem looks: the options that a batch and a single emblem share.
    static let look: [Flag] = [
        Flag(
            "mode", .choice(Vocabulary.modes), "MODE",
            fallback: .value("fit"), group: group,
            help: "Show the whole picture, or fill the emblem and crop to its centre; "
                + "avatars are filled unless this is given."),
        appearance, theme,
        Flag(
            "padding", Vocabulary.points, "PT", fallback: .value("0"), group: group,
            help: "Points kept free between the picture and the edge."),
        Flag(
            "width", .choice(Vocabulary.widths), "WIDTH", fallback: .value("square"), group: group,
            help: "Square, or as wide as the picture at this height, up to four times the height."),
        Flag(
            "corner", .choice(Vocabulary.corners), "CORNER", fallback: .value("circular"),
            group: group, help: "Curve of the rounded corners."),
        Flag(
            "border", Vocabulary.points, "PT", fallback: .value("0"), group: group,
            help: "Thickness of the border in points."),
        Flag(
            "tint", .choice(Vocabulary.tints), "WHEN", fallback: .value("auto"), group: group,
            help: "Draw pictures in the foreground colour; auto does so for templates only."),
        Flag(
            "upscale", .choice(["always", "never"]), "WHEN", fallback: .value("always"),
            group: group, help: "Enlarge pictures that are smaller than the emblem."),
        Flag(
            "linear", .toggle, group: group, isNegatable: true,
            help: "Resample in linear light."),
        Flag(
            "badge", .text, "TEXT:APPEARANCE", group: group,
            help: "A pill of text over a corner, as in '3:danger'; its appearance is "
                + Vocabulary.badges.joined(separator: ", ") + "."),
        Flag(
            "badge-corner", .choice(Vocabulary.badgeCorners), "CORNER",
            fallback: .value("top-right"), group: group, help: "The corner of the badge."),
        Flag(
            "placeholder", .text, "P",
            fallback: .value("icon:account-balance"), group: group,
            help: "What stands for a picture that cannot be loaded: icon:NAME, initials (of the "
                + "label), initials:AB, a FILE, or none; for avatars initials, then icon:person, "
                + "unless this is given."),
    ]

    /// Where strangers' bytes are looked at.
    static let isolate = Flag(
        "isolate", .choice(["process", "strict", "none"]), "HOW", fallback: .value("process"),
        group: "How to run",
        help: "Where pictures are decoded: in processes of their own, which a filter of system "
            + "calls must hold and Landlock shall (process) or must (strict), or in this one.")

    /// Whose code reads and writes.
    static let codecs = Flag(
        "codecs", .choice(Vocabulary.codecs), "WHOSE", fallback: .value("fast"),
        group: "How to run",
        help: "Code of emblem's own where it is quicker, or libpng, libjpeg-turbo and libwebp "
            + "alone ('emblem formats' tells which reads what); outputs differ in few bits.")

    /// How pictures are stored, besides their format.
    static let form: [Flag] = [
        Flag(
            "quality", .quality, "Q",
            fallback: .described(Vocabulary.defaultQualities), group: "Form of the outputs",
            help: "Quality from 1 to 100, or lossless."),
        Flag(
            "palette", .toggle, group: "Form of the outputs", isNegatable: true,
            help: "Store PNG with a palette of at most 256 colours."),
        Flag(
            "matte", .color, "COLOR", fallback: .described("the theme's surface"),
            group: "Form of the outputs",
            help: "Colour behind the corners of formats without alpha."),
    ]

    /// Data for programs instead of text for people.
    static let json = Flag(
        "json", .toggle, group: "Output", isInEnvironment: false, isInConfiguration: false,
        help: "Write JSON.")
}
