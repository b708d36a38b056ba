import Bench
import Codecs
import Console
import Flags
import Render
import Transport

/// A command with its function, and the kind of drawing to prepare for.
package struct CommandEntry: Sendable {
    /// The kind of drawing that a command does. The process prepares for it before the command line
    /// is parsed.
    package enum Drawing {
        case none
        /// Draws in this process, or starts other `emblem` processes that draw.
        case here
        case inOneWorker
        /// Draws in as many workers as `--jobs` can use.
        case inWorkers
    }

    let command: Command
    var drawing = Drawing.none
    let action: @Sendable (CommandContext) async throws -> Int32
}

/// Every command of the tool, in the order of the help. The help, completions, pages, configuration
/// rules and process preparation are derived from this table.
package enum CommandTable {
    /// Returns the kind of drawing of the command on the command line; `.none` for an unknown
    /// command.
    ///
    /// - Parameter isWord: Returns whether the argument at a place is the given word. Place 0 is
    ///   the first argument after the program name.
    package static func drawing(
        _ isWord: (_ word: String, _ place: Int) -> Bool
    ) -> CommandEntry.Drawing {
        let entry = entries.first { entry in
            entry.command.words.enumerated().allSatisfy { place, word in isWord(word, place) }
        }
        // Without a component, `render` draws an emblem.
        return entry?.drawing ?? (isWord(render, 0) ? .inOneWorker : .none)
    }

    private static let render = "render"

    /// Returns the arguments of `emblem render SOURCE` as those of `emblem render emblem SOURCE`,
    /// and other arguments unchanged.
    package static func withComponent(_ arguments: [String]) -> [String] {
        guard arguments.count > 1, arguments[0] == render else { return arguments }
        let name = "\(render) \(arguments[1])"
        let isKnown = entries.contains { $0.command.name == name }
        if isKnown || GoneNames.instead(of: name) != nil { return arguments }
        return [render, "emblem"] + arguments.dropFirst()
    }

    package static var batch: Command { batchEntry.command }

    // MARK: Options that several commands have

    private static func flags(_ options: any Declared...) -> [Flag] { options.map(\.flag) }

    /// Returns the options of the look in these groups, in the order of the help.
    private static func look(_ groups: String...) -> [Flag] {
        Recipe.options.map(\.flag).filter { groups.contains($0.group) }.flatMap { flag in
            flag.name == Options.appearance.flag.name ? [flag, Options.theme.flag] : [flag]
        }
    }

    private static let wholeLook = look("Size", "Look", "Colours", "Failures")

    /// The options for storing images, except the format.
    private static let form = look("Output").filter { $0.name != Options.format.flag.name }

    private static let network =
        NetworkSettings.options.map(\.flag)
        + flags(Options.header, Options.cache, Options.maskURLs)

    private static let configuration = [Options.config.flag]

    private static let sizesAndLook =
        flags(Options.component, Options.layouts, Options.heights, Options.scales) + wholeLook
        + flags(Options.schemes, Options.format) + form

    private static let limits = [Options.maxBytes.flag] + look("Limits")
    private static let resources = flags(Options.jobs, Options.sandbox, Options.memory)

    /// The options for colours and pixel density of a drawing without a source.
    private static let drawing = flags(
        Options.appearance, Options.theme, Options.scheme, Options.scale)

    /// Options of a batch that have no meaning in repeated runs.
    private static let excludedFromBench = flags(
        Options.folder, Options.force, Options.strict, Options.maxFailures, Options.dryRun,
        Options.progress, Options.verbose, Options.depfile, Options.report, Options.prune,
        Options.minItems)

    private static let presets = Preset.all.map { "\($0.name) (\($0.summary))" }
        .joined(separator: "; ")

    private static let source = Command.Operands(
        "[SOURCE]", count: 0...1, help: "Image file, URL, data: URI, or - for standard input.")
    private static let folderOfRun = Command.Operands(
        "OUT", count: 1...1, help: "The folder of a run.")

    // MARK: The table

    static let entries: [CommandEntry] = [
        batchEntry, renderEmblem, renderAvatar, renderBadge, renderState, renderShimmer, inspect,
        theme, verify, diff, stream, failures, cache, bench, formats, completions, manual,
    ]

    private static let batchEntry = CommandEntry(
        command: Command(
            "batch", summary: "turn images, folders or a list of URLs into emblems",
            discussion: """
                An image that cannot be loaded gets a placeholder, so that the set is always \
                complete. OUT/manifest.ndjson has a record of each item, and OUT/run.json the \
                figures of the run.
                """,
            operands: Command.Operands(
                "[INPUT…]", count: 0...Int.max,
                help: "Image files, folders of images, URLs, data: URIs, or - for an image on "
                    + "standard input."),
            flags: [
                flags(
                    Options.list, Options.columns, Options.exclude, Options.darkSuffix,
                    Options.limit, Options.folder, Options.targets, Options.name), sizesAndLook,
                flags(
                    Options.dryRun, Options.onlyFailures, Options.force, Options.prune,
                    Options.strict, Options.maxFailures, Options.failOn, Options.minItems),
                network, limits, [Options.remoteOnly.flag], resources,
                flags(
                    Options.progress, Options.quiet, Options.verbose, Options.report,
                    Options.sheet, Options.depfile), configuration,
            ],
            prominent: ["[--list FILE|-]", "-o OUT"],
            examples: [
                "emblem batch logos/ -o out": "All logos of a folder, in all layouts:",
                "emblem batch --list merchants.csv -o out --layout small,large --scale 1,2,3":
                    "A list of URLs, in two layouts at three scales:",
                "emblem batch --component avatar --list people.csv -o out --scale 2":
                    "Avatars; images that fail get initials from the column 'label':",
                "emblem batch logos/ -o out --format webp --quality lossless --appearance info":
                    "Lossless WebP in the colours of 'info':",
                "emblem batch --list brands.csv -o out "
                    + "--target xcassets=App,android=app/src/main/res":
                    "An asset catalog for iOS and resources for Android, in one run:",
            ]),
        drawing: .inWorkers
    ) { try await $0.batch() }

    private static let renderEmblem = CommandEntry(
        command: Command(
            "render emblem", summary: "draw one emblem; the word emblem may be left out",
            operands: source,
            flags: [
                flags(
                    Options.Emblem.output, Options.streamedFormat, Options.Emblem.icon,
                    Options.Emblem.label, Options.layout, Options.height, Options.scale,
                    Options.scheme), wholeLook, form, network, [Options.sandbox.flag],
                configuration,
            ],
            prominent: ["-o FILE"],
            examples: [
                "emblem render acme.svg -o acme.png": "An emblem of an image:",
                "emblem render emblem --icon person --layout xLarge --scale 2 -o person.webp":
                    "A built-in icon at 2x:",
            ]),
        drawing: .inOneWorker
    ) { try await $0.renderEmblem() }

    private static let renderAvatar = CommandEntry(
        command: Command(
            "render avatar", summary: "draw one avatar",
            discussion: """
                An image that cannot be loaded is replaced by initials, or by the profile icon, \
                with a warning and exit code 1. With --initials or --label this is also true of \
                a file that does not exist; without them, nothing is written and the exit code \
                is 66.
                """,
            operands: source,
            flags: [
                flags(
                    Options.output, Options.streamedFormat, Options.Avatar.initials,
                    Options.Avatar.label, Options.Avatar.icon, Options.Avatar.layout,
                    Options.height, Options.scale, Options.scheme),
                wholeLook.filter { !["width", "corner"].contains($0.name) }, form, network,
                [Options.sandbox.flag], configuration,
            ],
            prominent: ["-o FILE"],
            examples: [
                "emblem render avatar jane.jpg --layout large -o jane.png": "An image in a circle:",
                "emblem render avatar --label 'Jane Doe' --scale 3 -o jd.png":
                    "Initials of a name:",
            ]),
        drawing: .inOneWorker
    ) { try await $0.renderAvatar() }

    private static let renderBadge = CommandEntry(
        command: Command(
            "render badge", summary: "draw one badge with a short text",
            flags: [
                flags(
                    Options.output, Options.streamedFormat, Options.Badge.text,
                    Options.Badge.appearance, Options.spokenLabel, Options.scale, Options.scheme,
                    Options.theme), form, configuration,
            ],
            prominent: ["--text TEXT", "-o FILE"],
            examples: [
                "emblem render badge --text New --appearance info --scale 2 -o new.png":
                    "A badge at 2x:"
            ]),
        drawing: .here
    ) { try $0.renderBadge() }

    private static let renderState = CommandEntry(
        command: Command(
            "render state",
            summary: "draw a message block for an empty, failed or finished state",
            discussion: """
                An HTML page follows the colour scheme of its reader, unless --scheme is given; \
                other outputs are light by default. --appearance sets the colours of a built-in \
                icon and of its plate, not those of texts and buttons, which are tokens of the \
                theme.
                """,
            flags: [
                flags(
                    Options.output(
                        "File for the block: \(OutputFormat.extensions), svg or html. - is "
                            + "standard output."),
                    Options.streamedFormat, Options.State.kind, Options.State.title,
                    Options.State.subtitle, Options.State.icon, Options.State.button,
                    Options.State.strings, Options.spokenLabel, Options.State.padding,
                    Options.State.width, Options.State.background), drawing, form,
                flags(NetworkSettings.option(\.itemTimeout), Options.sandbox), configuration,
            ],
            prominent: ["-o FILE"],
            examples: [
                "emblem render state --kind no-results -o empty.svg": "A state without results:",
                "emblem render state --title Done --button Continue -o done.html":
                    "A page with a button:",
            ]),
        drawing: .inOneWorker
    ) { try await $0.renderState() }

    private static let renderShimmer = CommandEntry(
        command: Command(
            "render shimmer", summary: "draw an animated loading placeholder",
            flags: [
                flags(
                    Options.output(
                        "File for the animation: webp or png; with --frame also jpg or avif. - is "
                            + "standard output."),
                    Options.streamedFormat, Options.layout, Options.corner, Options.border,
                    Options.shimmerFrame), drawing, form, configuration,
            ],
            prominent: ["-o FILE"],
            examples: [
                "emblem render shimmer -o loading.webp": "An animation:",
                "emblem render shimmer --layout large --scale 2 --frame 14 -o loading.png":
                    "One frame at 2x:",
            ]),
        drawing: .here
    ) { try $0.renderShimmer() }

    private static let inspect = CommandEntry(
        command: Command(
            "inspect", summary: "show the properties of images",
            discussion: """
                Reads files and standard input (-), and sends no requests. Exits with 1 if a \
                batch would use a placeholder, and with 66 if a file does not exist.
                """,
            operands: Command.Operands("FILE…", count: 1...Int.max, help: "Image files."),
            flags: [flags(Options.sandbox, Options.json)],
            examples: [
                "emblem inspect logo.png --json": "The properties of an image, as JSON:"
            ]),
        drawing: .inOneWorker
    ) { try await $0.inspect() }

    private static let theme = CommandEntry(
        command: Command(
            "theme", summary: "print the tokens of a theme and its pairs of low contrast",
            discussion: """
                Prints the value of every token, and each pair of foreground and background with \
                a contrast below 4.5:1. Exits with 65 if the file has an error.
                """,
            operands: Command.Operands(
                "[FILE]", count: 0...1,
                help: "Design tokens; without a file, the built-in theme."),
            flags: [flags(Options.json)],
            examples: [
                "emblem theme": "The built-in theme:",
                "emblem theme brand.json": "A theme of your own:",
            ])
    ) { try $0.printTheme() }

    private static let verify = CommandEntry(
        command: Command(
            "verify", summary: "compare the outputs of a run with the hashes in its manifest",
            operands: folderOfRun,
            flags: [flags(Options.json, Options.quietSummary)],
            examples: [
                "emblem verify out": "Check a folder; exit with 2 if a file differs:",
                "emblem verify --quiet out": "Print one line only:",
            ])
    ) { try $0.verify() }

    private static let diff = CommandEntry(
        command: Command(
            "diff", summary: "list what changed between two sets",
            discussion: """
                Compares the manifests by item id; no output is read. Exits with 2 if an item or \
                an option differs. The order of the items does not matter.
                """,
            operands: Command.Operands(
                "A B", count: 2...2, help: "The older and the newer set: folders or manifests."),
            flags: [flags(Options.json, Options.quietSummary)],
            examples: [
                "emblem diff yesterday today": "Compare two sets; exit with 2 if they differ:",
                "emblem diff --quiet yesterday today": "Print one line only:",
            ])
    ) { try $0.diff() }

    private static let stream = CommandEntry(
        command: Command(
            "stream", summary: "read rows from standard input, write records and images",
            discussion: """
                Reads NDJSON rows with the columns of a list. For each row it writes one line of \
                JSON, followed by the bytes of its outputs. Memory is bounded: a slow reader \
                pauses the reading of rows.

                A row may have a "key", which its record repeats. A row with "bytes": N is \
                followed by a line break and N bytes, the image itself.

                Records are written in the order in which rows finish. A record is the item of \
                the manifest; its "outputs" give the number of bytes of each output. Nothing \
                else is written to standard output.

                The record of an invalid row has the first 100 characters of the row as \
                "beginning"; rows above 4 MiB are invalid. If the input ends inside a row, or if \
                no row follows an image, the exit code is 65 after all rows before it.
                """,
            flags: [
                flags(Options.columns, Options.summary, Options.name), sizesAndLook,
                flags(Options.strict, Options.maxFailures), network, limits,
                [Options.remoteOnly.flag], resources, configuration,
            ],
            examples: [
                "emblem stream --layout small < rows.ndjson > frames": "One small emblem per row:"
            ]),
        drawing: .inWorkers
    ) { try await $0.stream() }

    private static let failures = CommandEntry(
        command: Command(
            "failures",
            summary: "list what failed in a run, why, and what to do, and the warnings",
            operands: folderOfRun,
            flags: [
                flags(
                    Options.Failures.errorClass, Options.Failures.csv, Options.json,
                    Options.quietErrors)
            ],
            examples: [
                "emblem failures out --csv > again.csv":
                    "Write the failed items as a list for another batch:"
            ])
    ) { try $0.failures() }

    private static let cache = CommandEntry(
        command: Command(
            "cache", summary: "print where the cache is and how large, or clear it",
            discussion: """
                'emblem cache clear' deletes only files that emblem wrote. Exits with 64 if the \
                folder is not a cache. A run in progress continues and loads missing responses \
                again.
                """,
            operands: Command.Operands(
                "[clear]", count: 0...1, words: ["clear"], help: "Delete all cached responses."),
            flags: [
                flags(Options.cache, Options.quietErrors), configuration,
            ],
            examples: [
                "emblem cache": "The folder that batches use, and its size:",
                "emblem cache clear": "Delete all cached responses:",
            ])
    ) { try $0.cache() }

    private static let bench = CommandEntry(
        command: Command(
            "bench", summary: "measure the speed of batches on this machine",
            discussion: """
                Runs 'emblem batch' several times into a temporary folder below TMPDIR. It \
                prints medians of time, CPU time and memory. Without an INPUT it generates \
                images. Most options of 'emblem batch' can be given as well.

                Presets: \(presets).
                """,
            operands: Command.Operands(
                "[INPUT…]", count: 0...Int.max,
                help: "Image files, folders of images, or URLs to measure instead of a preset."),
            flags: [
                flags(
                    Options.Bench.preset, Options.Bench.rounds, Options.Bench.compare,
                    Options.Bench.tolerance, Options.Bench.exportJSON),
                batch.flags.filter { !excludedFromBench.contains($0) },
            ],
            prominent: ["[--preset NAME]", "[--compare FILE]"],
            examples: [
                "emblem bench": "Generated logos:",
                "emblem bench logos/ --preset layouts --export-json base.json":
                    "Your images in four layouts, with a record:",
                "emblem bench logos/ --preset layouts --compare base.json --tolerance 15%":
                    "Compare with the record; exit with 2 if a figure is worse:",
            ],
            base: "batch"),
        drawing: .here
    ) { try BenchCommand($0).run() }

    private static let formats = CommandEntry(
        command: Command(
            "formats", summary: "list the supported formats, codecs and limits",
            flags: [flags(Options.json)],
            examples: ["emblem formats": "List all formats:"])
    ) { try await $0.formats() }

    private static let completions = CommandEntry(
        command: Command(
            "completions", summary: "print a completion script for a shell",
            operands: Command.Operands(
                "SHELL", count: 1...1, words: Shell.allCases.map(\.rawValue),
                help: "bash, zsh or fish."),
            examples: [
                "eval \"$(emblem completions bash)\"": "For this session of bash:",
                "emblem completions fish | source": "For this session of fish:",
            ],
            readsSettings: false)
    ) { context in
        let shell = context.arguments.operands.first.flatMap(Shell.init) ?? .bash
        try context.output.write(context.arguments.tool.completions(for: shell))
        return 0
    }

    private static let manual = CommandEntry(
        command: Command(
            "man", summary: "print the manual page",
            flags: [flags(Options.schema)],
            examples: [
                "emblem man | man -l -": "Show the page:",
                "emblem man --schema > emblem.schema.json": "The schema of emblem.json:",
            ],
            readsSettings: false)
    ) { context in
        let tool = context.arguments.tool
        if context.arguments[Options.schema] {
            try context.output.write(
                tool.configurationSchema(identifier: "urn:emblem:schema:configuration-1"))
        } else {
            try context.output.write(tool.manualPage)
        }
        return 0
    }
}
