import Flags

extension CommandDeclarations {
    package static let renderEmblem = Command(
        "render emblem", summary: "draw one emblem; the word emblem may be left out",
        operands: Command.Operands(
            "[SOURCE]", count: 0...1,
            help: "Image file, URL, data: URI, or - for standard input."),
        flags: [
            Options.Emblem.output.flag, Options.streamedFormat.flag, Options.Emblem.icon.flag,
            Options.Emblem.label.flag,
            Options.layout.flag, Options.height.flag, Options.scale.flag, Options.scheme.flag,
        ] + look + form + timeouts
            + network
            + [Options.sandbox.flag] + configuration,
        prominent: ["-o FILE"],
        examples: [
            Command.Example(
                "emblem render acme.svg -o acme.png", "An emblem of an image:"),
            Command.Example(
                "emblem render emblem --icon person --layout xLarge --scale 2 -o person.webp",
                "A built-in icon at 2x:"),
        ])

    package static let inspect = Command(
        "inspect", summary: "show the properties of images",
        discussion: """
            Reads files and standard input (-), and sends no requests. Exits with 1 if a batch would \
            use a placeholder, and with 66 if a file does not exist.
            """,
        operands: Command.Operands("FILE…", count: 1...Int.max, help: "Image files."),
        flags: [Options.sandbox.flag, Options.failOn.flag, Options.json.flag],
        examples: [
            Command.Example(
                "emblem inspect logo.png --json", "The properties of an image, as JSON:"),
            Command.Example(
                "emblem inspect logos/*.png --fail-on blank,tiny-source",
                "Exit with 1 for images that are empty or very small:"),
        ])

    package static let theme = Command(
        "theme", summary: "print the tokens of a theme and its pairs of low contrast",
        discussion: """
            Prints the value of every token, and each pair of foreground and background with a \
            contrast below 4.5:1. Exits with 65 if the file has an error.
            """,
        operands: Command.Operands(
            "[FILE]", count: 0...1, help: "Design tokens; without a file, the built-in theme."),
        flags: [Options.json.flag],
        examples: [
            Command.Example("emblem theme", "The built-in theme:"),
            Command.Example("emblem theme brand.json", "A theme of your own:"),
        ])

    package static let verify = Command(
        "verify", summary: "compare the outputs of a run with the hashes in its manifest",
        operands: Command.Operands("OUT", count: 1...1, help: "The folder of a run."),
        flags: [Options.json.flag, Options.quietSummary.flag],
        examples: [
            Command.Example("emblem verify out", "Check a folder; exit with 2 if a file differs:"),
            Command.Example("emblem verify --quiet out", "Print one line only:"),
        ])

    package static let diff = Command(
        "diff", summary: "list what changed between two sets",
        discussion: """
            Compares the manifests by item id; no output is read. Exits with 2 if an item or an \
            option differs. The order of the items does not matter.
            """,
        operands: Command.Operands(
            "A B", count: 2...2, help: "The older and the newer set: folders or manifests."),
        flags: [Options.json.flag, Options.quietSummary.flag],
        examples: [
            Command.Example(
                "emblem diff yesterday today", "Compare two sets; exit with 2 if they differ:"),
            Command.Example("emblem diff --quiet yesterday today", "Print one line only:"),
        ])

    package static let failures = Command(
        "failures", summary: "list what failed in a run, why, and what to do, and the warnings",
        operands: Command.Operands("OUT", count: 1...1, help: "The folder of a run."),
        flags: [
            Options.Failures.errorClass.flag, Options.Failures.csv.flag, Options.json.flag,
            Options.quietErrors.flag,
        ],
        examples: [
            Command.Example(
                "emblem failures out --csv > again.csv",
                "Write the failed items as a list for another batch:")
        ])

    package static let cache = Command(
        "cache", summary: "print where the cache is and how large, or clear it",
        discussion: """
            'emblem cache clear' deletes only files that emblem wrote. Exits with 64 if the folder is \
            not a cache. A run in progress continues and loads missing responses again.
            """,
        operands: Command.Operands(
            "[clear]", count: 0...1, words: ["clear"], help: "Delete all cached responses."),
        flags: [Options.cache.flag, Options.quietErrors.flag] + configuration,
        examples: [
            Command.Example("emblem cache", "The folder that batches use, and its size:"),
            Command.Example("emblem cache clear", "Delete all cached responses:"),
        ])

    package static let formats = Command(
        "formats", summary: "list the supported formats, codecs and limits",
        flags: [Options.json.flag],
        examples: [Command.Example("emblem formats", "List all formats:")])

    package static let completions = Command(
        "completions", summary: "print a completion script for a shell",
        operands: Command.Operands(
            "SHELL", count: 1...1, words: ["bash", "zsh", "fish"], help: "bash, zsh or fish."),
        examples: [
            Command.Example("eval \"$(emblem completions bash)\"", "For this session of bash:"),
            Command.Example("emblem completions fish | source", "For this session of fish:"),
        ],
        readsSettings: false)

    package static let manual = Command(
        "man", summary: "print the manual page",
        flags: [Options.markdown.flag, Options.schema.flag],
        examples: [
            Command.Example("emblem man | man -l -", "Show the page:"),
            Command.Example(
                "emblem man --schema > emblem.schema.json", "The schema of emblem.json:"),
        ],
        readsSettings: false)
}
