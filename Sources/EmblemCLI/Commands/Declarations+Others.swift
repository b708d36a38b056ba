import Flags

extension Declarations {
    package static let renderEmblem = Command(
        "render emblem", summary: "make one emblem",
        operands: Command.Operands(
            "[SOURCE]", count: 0...1,
            help: "A picture, a URL, a data: URI, or - for standard input."),
        flags: [
            Options.Emblem.icon.flag, Options.Emblem.label.flag, Options.Emblem.hint.flag,
            Options.layout.flag, Options.scale.flag, Options.scheme.flag,
        ] + look + [Options.Emblem.output.flag, Options.streamedFormat.flag] + form + patience
            + network
            + decoding + configuration,
        prominent: ["-o FILE"],
        examples: [
            Command.Example(
                "emblem render emblem acme.svg -o acme.png", "One emblem of a picture:"),
            Command.Example(
                "emblem render emblem --icon person --layout xLarge --scale 2 -o person.webp",
                "A built-in icon, at twice the size:"),
        ])

    package static let inspect = Command(
        "inspect", summary: "tell what pictures are and what a batch would do with them",
        discussion: """
            It looks at files and at standard input (-), and fetches nothing. It ends with 1 where a \
            batch would make a placeholder: the file is not a picture, is cut off or damaged, or goes \
            beyond a limit. It ends with 66 where a file does not exist.
            """,
        operands: Command.Operands("FILE…", count: 1...Int.max, help: "Pictures."),
        flags: decoding + [Options.json.flag],
        examples: [Command.Example("emblem inspect logo.png --json", "One picture, as JSON:")])

    package static let themeCheck = Command(
        "theme check", summary: "resolve every token of a theme and measure its contrasts",
        operands: Command.Operands(
            "[FILE]", count: 0...1, help: "Design tokens; without a file, the built-in theme."),
        flags: [Options.strictTheme.flag, Options.json.flag],
        examples: [
            Command.Example("emblem theme check brand.json", "Check a theme:"),
            Command.Example(
                "emblem theme check brand.json --strict", "The same as a gate of a build:"),
        ])

    package static let themeShow = Command(
        "theme show", summary: "print the tokens of a theme",
        operands: Command.Operands(
            "[FILE]", count: 0...1, help: "Design tokens; without a file, the built-in theme."),
        flags: [Options.json.flag],
        examples: [Command.Example("emblem theme show", "The built-in theme:")])

    package static let verify = Command(
        "verify", summary: "hash the outputs again and compare them with their manifest",
        operands: Command.Operands("OUT", count: 1...1, help: "The folder of a run."),
        flags: [Options.json.flag, Options.quiet.flag],
        examples: [
            Command.Example("emblem verify out", "Check a folder; 2 if something differs:"),
            Command.Example("emblem verify -q out", "The same in one line, for a log:"),
        ])

    package static let merge = Command(
        "merge", summary: "join the sets of shards into one",
        discussion: """
            Every file is checked against its manifest and copied. Shards of one list come back in the \
            order of the list, with the manifest that one run would have written; other sets of the \
            same options come one behind the other. Shards that are missing are named, and make the exit \
            code 1. Sets made with --target web, xcassets, android or tar, or in several formats, are not \
            joined: their indexes belong to one run each.
            """,
        operands: Command.Operands("SET…", count: 1...Int.max, help: "Folders of finished runs."),
        flags: [Options.mergedFolder.flag, Options.quiet.flag],
        prominent: ["-o OUT"],
        examples: [
            Command.Example("emblem merge part-1 part-2 -o out", "Two shards as one set:")
        ])

    package static let diff = Command(
        "diff", summary: "list what changed between two sets",
        discussion: """
            Items are compared by their ids, as the two manifests describe them; no output is read. \
            It ends with 0 if nothing differs, and with 2 if an item or an option does. Sets that \
            differ only in the order of their items are the same.
            """,
        operands: Command.Operands(
            "A B", count: 2...2, help: "The older and the newer set: a folder, or a manifest."),
        flags: [Options.json.flag, Options.quiet.flag],
        examples: [
            Command.Example("emblem diff yesterday today", "Compare two sets; 2 if they differ:"),
            Command.Example("emblem diff -q yesterday today", "The same in one line, for a log:"),
        ])

    package static let failures = Command(
        "failures", summary: "list the items of a run that did not become what they should",
        operands: Command.Operands("OUT", count: 1...1, help: "The folder of a run."),
        flags: [
            Options.Failures.errorClass.flag, Options.Failures.host.flag,
            Options.Failures.csv.flag, Options.Failures.csvSafe.flag, Options.json.flag,
            Options.Failures.ndjson.flag, Options.quiet.flag,
        ],
        examples: [
            Command.Example(
                "emblem failures out --csv > again.csv", "The items to feed again, as a list:")
        ])

    package static let cachePath = Command(
        "cache path", summary: "print the folder of the answers that runs keep",
        flags: [Options.cache.flag] + configuration,
        examples: [Command.Example("emblem cache path", "The folder that runs use here:")])

    package static let cacheSize = Command(
        "cache size", summary: "print how many answers the cache has, and their bytes",
        flags: [Options.cache.flag, Options.json.flag] + configuration,
        examples: [Command.Example("emblem cache size --json", "For a program:")])

    package static let cacheClear = Command(
        "cache clear", summary: "remove all answers from the cache",
        discussion: """
            It removes only files that runs made, and follows no link below the folder. A folder that is \
            no cache is refused (64). A run that uses the cache meanwhile goes on, and loads again what it \
            does not find.
            """,
        flags: [Options.cache.flag, Options.quiet.flag] + configuration,
        examples: [Command.Example("emblem cache clear", "The cache that runs use here:")])

    package static let formats = Command(
        "formats", summary: "list the codecs built in, their versions and limits",
        flags: [Options.json.flag],
        examples: [Command.Example("emblem formats", "What this tool can read and write:")])

    package static let completions = Command(
        "completions", summary: "print a script that completes commands and options",
        operands: Command.Operands(
            "SHELL", count: 1...1, words: ["bash", "zsh", "fish"], help: "bash, zsh or fish."),
        examples: [
            Command.Example("eval \"$(emblem completions bash)\"", "For this session of bash:"),
            Command.Example("emblem completions fish | source", "For this session of fish:"),
        ],
        readsSettings: false)

    package static let manual = Command(
        "man", summary: "print the manual page",
        flags: [Options.markdown.flag],
        examples: [Command.Example("emblem man | man -l -", "Read it:")], readsSettings: false)
}
