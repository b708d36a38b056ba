import Flags
import Notation
import Render

/// Every command and option of the tool, as data.
package enum Declarations {
    /// Every command, in the order in which the help lists them.
    package static let all: [Command] = [
        batch, renderEmblem, renderAvatar, renderBadge, renderState, renderShimmer, renderCatalog,
        inspect, themeCheck, themeShow, verify, failures, bench, formats, completions, manual,
    ]

    static let appearance = flag(\.appearance)

    static let theme = Flag(
        "theme", .file, "FILE", group: "What to make",
        help: "Design tokens laid over the built-in ones.")

    /// How an emblem looks: the options that a batch and a single emblem share.
    static let look = flags(.picture).flatMap { $0 == appearance ? [$0, theme] : [$0] }

    /// The option that sets this part of a recipe.
    static func flag(_ path: PartialKeyPath<Recipe>) -> Flag { Flag(LookOption.of(path)) }

    /// The options about `topic`.
    static func flags(_ topic: LookOption.Topic) -> [Flag] {
        LookOption.all.filter { $0.topic == topic }.map { Flag($0) }
    }

    /// Where strangers' bytes are looked at.
    static let isolate = Flag(
        "isolate", .choice(["process", "strict", "none"]), "HOW", fallback: .value("process"),
        group: "How to run",
        help: "Where pictures are decoded: in processes of their own, which a filter of system "
            + "calls must hold and Landlock shall (process) or must (strict), or in this one.")

    /// Whose code reads and writes.
    static let codecs = flag(\.codecs)

    /// How pictures are stored, besides their format.
    static let form = flags(.form).filter { $0 != flag(\.output) }

    /// Data for programs instead of text for people.
    static let json = Flag(
        "json", .toggle, group: "Output", isInEnvironment: false, isInConfiguration: false,
        help: "Write JSON.")
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
    }
}
