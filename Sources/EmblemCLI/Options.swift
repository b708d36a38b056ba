import Artwork
import Bench
import Codecs
import Engine
import Flags
import Notation
import Raster
import Render
import Targets
import Theming
import Transport
import Worker

/// All options of the tool, each declared once with its name, type, default and help. Code reads a
/// value by its key: `arguments[Options.memory]`.
package enum Options {
    package static let points = Syntax<Double>.decimal(0...1000)
    /// Pixels per point.
    package static let factors = [1, 1.5, 2, 3, 4]

    package static let appearance = FlagKey(\.appearance)
    package static let corner = FlagKey(\.corner)
    package static let border = FlagKey(\.borderPoints)
    package static let placeholder = FlagKey(\.placeholder)
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

    // MARK: Batches

    package static let folder = FlagKey<String?>(
        "output", short: "o", .folder, "OUT", group: "Output",
        help: "Folder for the emblems and their manifest.")
    package static let list = FlagKey(
        repeated: "list", .file, "FILE", group: "Input",
        help: """
            List of sources: txt, csv, tsv, json or ndjson, also gzipped; - is standard input.

            The format follows from the name, else from the content; the separator of a csv list \
            from its header.
            """)
    package static let columns = FlagKey<String?>(
        "columns",
        .text(offering: ListColumn.allCases.map { "\($0.rawValue)=" }, several: true), "MAP",
        group: "Input",
        help: """
            Map emblem's column names to the list's, as in source=logo_url,id=merchant_id.

            Positions, as in source=2,id=1, are for a csv list without a header.
            """)
    package static let exclude = FlagKey(
        repeated: "exclude", .text, "GLOB", group: "Input",
        help: """
            Skip files of folders whose path in the folder matches.

            * and ? match within a name; ** also matches across folders.
            """)
    package static let darkSuffix = FlagKey<String?>(
        "dark-suffix", .text, "SUFFIX", group: "Input",
        help: """
            Dark twins in folders: with _dark, dark outputs of logo.png show logo_dark.png.

            A twin may have the extension of any image format, and does not become an item. An \
            image of this name without a partner is an ordinary item. --exclude skips items, \
            not twins. Rows of lists name their twin in the column dark.
            """)
    package static let remoteOnly = FlagKey(
        toggle: "remote-only", group: "Input",
        help: "Reject local paths in lists; use for untrusted lists.")
    package static let limit = FlagKey<Int?>(
        "limit", .whole(1...Int.max), "N", group: "Input",
        help: "Process only the first N items.")

    package static let component = FlagKey<Component>(
        "component", .choice, "SHAPE", usual: .emblem, group: "Size",
        help: """
            Emblems, or avatars: circles that the image fills.

            An avatar whose image fails shows initials, or else an icon.
            """)
    /// Accepts the layouts of all components. `StyleArguments.layouts(of:)` checks them against the
    /// chosen component.
    package static let layouts = FlagKey<[String]>(
        "layout",
        .words(
            layoutNames,
            wantedElement: "one of small, medium, large, xLarge, all (avatars: small, default, "
                + "medium, large, all)"), "LIST", usual: layoutNames, group: "Size",
        help: """
            Layouts to draw, comma-separated: \(emblemHeights).

            Avatars have small (24 points a side), default (40), medium (56) and large (80). Use \
            all for every layout. A theme can change the heights.
            """)
    package static let heights = FlagKey<[Int]?>(
        "height", .wholes(ComponentLayout.points), "LIST", described: "the heights of the layouts",
        group: "Size",
        help: """
            Heights from 8 to 1024 points, comma-separated, instead of layouts or in addition to --layout.

            A height makes a square with a corner radius of a quarter of it. A height that the \
            theme has as a layout gets the radius of that layout. {layout} in names is the height.
            """)
    private static let layoutNames = ["small", "default", "medium", "large", "xLarge"]
    package static let scales = FlagKey<[Double]>(
        "scale", .factors(factors), "LIST", usual: [1], group: "Size",
        help: "Pixel densities to draw: 1 = 1x, 2 = 2x.")
    package static let schemes = FlagKey<[ColorScheme]>(
        "scheme", .schemes, "SCHEME", usual: [.light], group: "Colours",
        help: "Colours for light screens, dark screens or both.")

    package static let name = FlagKey<String?>(
        "name", .text, "TEMPLATE", described: "{layout}/{id}{@scale}.{ext}",
        group: "Output",
        help: """
            Path of each output in OUT.

            Fields: {id} {dir} {stem} {layout} {scale} {@scale} {height} {ext} {hash} {scheme}. \
            {dir} and {stem} are the parts of {id} before and after its last slash. Only files \
            found in folders have a {dir}: a slash in an id of a list becomes '-'. The extension \
            must match --format.
            """)
    package static let targets = FlagKey(
        repeated: "target", .text(offering: TargetKind.allCases.map(\.rawValue), several: true),
        "KIND[=DIR],…", group: "Output",
        help: """
            Output layouts, comma-separated: files, xcassets, android, web. =DIR sets the \
            folder.

            DIR is relative to the working directory, not to OUT. Without DIR, a target goes to \
            OUT/KIND; files alone go to OUT.
            """)
    package static let depfile = FlagKey<String?>(
        "depfile", .file, "FILE", group: "Reports",
        isInConfiguration: false,
        help: "Write the dependencies of the outputs as make rules.")

    package static let jobs = FlagKey<Int?>(
        "jobs", short: "j", .whole(1...1024), "N", described: "the number of cores",
        group: "Limits",
        help: "Images to process at the same time.")
    package static let memory = FlagKey<Int>(
        "memory", .bytes((16 << 20)...Int.max), "BYTES", usual: RunSettings.usualMemoryBytes,
        group: "Limits",
        help: "Memory limit for images in progress; the process needs about 160M more.")
    package static let onlyFailures = FlagKey(
        toggle: "only-failures", group: "Repeat", isInConfiguration: false,
        help: "Retry only the items that failed in the last run into OUT, and keep the rest.")
    package static let force = FlagKey(
        toggle: "force", group: "Repeat", isInConfiguration: false,
        help: "Regenerate all outputs, including unchanged ones.")
    package static let prune = FlagKey<Double?>(
        "prune", .percent(0...100), "P%", group: "Repeat", bareValue: "50%",
        help: """
            Delete files of earlier runs that this run no longer produces, at most P% of them (50%).

            If more files would be deleted, the run deletes none and exits with 1.
            """)
    package static let minItems = FlagKey<Int?>(
        "min-items", .whole(0...Int.max), "N", group: "Failures",
        help: "Exit with 65 before anything is written if the inputs have fewer than N items.")
    package static let strict = FlagKey(
        toggle: "strict", group: "Failures",
        help: "Exit with 1 if any item used a placeholder.")
    package static let maxFailures = FlagKey<Tolerance?>(
        "max-failures", .tolerance, "N|P%", group: "Failures",
        help: "Exit with 1 if more items than this fail.")
    package static let failOn = FlagKey<[PictureLint.Kind]?>(
        "fail-on",
        .list(
            of: .choice, "a comma-separated list of lint warnings",
            schema: .list(of: PictureLint.Kind.allCases.map(\.rawValue))),
        "LINT", group: "Failures",
        help: "Exit with 1 if any image has one of these lint warnings, comma-separated.")
    package static let dryRun = FlagKey(
        toggle: "dry-run", short: "n", group: "Repeat", isInConfiguration: false,
        help: """
            Check lists, folders and options, show the plan, and write nothing; --quiet shows only counts.

            No source is opened, so missing and damaged sources are not found. With --progress \
            json, the plan is written as JSON lines, with a summary last.
            """)
    package static let maxBytes = FlagKey<Int>(
        "max-bytes", .bytes(1...Int.max), "BYTES", usual: RunSettings.usualBytesLimit,
        group: "Limits", help: "Largest source, in bytes.")

    package static let progress = FlagKey<String>(
        "progress", .word(["auto", "plain", "json", "none", "github"]), "STYLE", usual: "auto",
        group: "Reports",
        help: """
            Progress output on standard error.

            json writes all of standard error as JSON lines: messages, progress, and a summary \
            last. github adds annotations and a job summary for GitHub Actions; auto does so if \
            GITHUB_ACTIONS is true.
            """)
    package static let report = FlagKey(
        toggle: "report", group: "Reports",
        help: "Write OUT/report.html with figures, errors, slow items and images.")
    package static let sheet = FlagKey<String?>(
        "sheet", .file, "FILE", group: "Reports", isInConfiguration: false,
        help: """
            Write a contact sheet of the emblems as PNG.

            It shows the first \(ContactSheet.itemsLimit) items with their names, light and dark \
            next to each other. Placeholders have a red frame and the class of the error.
            """)
    package static let quiet = FlagKey(
        toggle: "quiet", group: "Reports",
        help: "Print only errors and warnings.")
    package static let verbose = FlagKey(
        toggle: "verbose", short: "v", group: "Reports",
        help: "Print a line for each failure.")

    // MARK: The network

    static let header = FlagKey(
        repeated: "header", short: "H", .text, "'NAME: VALUE'|@FILE", group: "Network",
        isInConfiguration: false,
        help: """
            Header line for every request, or @FILE with one header a line.

            A file keeps secrets such as 'Authorization: Bearer …' out of the process list. Headers \
            are not sent to another host after a redirect, except 'User-Agent: …'.
            """)
    static let cache = FlagKey<String?>(
        "cache", .text, "DIR|none", described: "$XDG_CACHE_HOME/emblem", group: "Network",
        help: """
            Folder for cached responses.

            The cache keeps at most 1 GB. If the folder cannot be used, the run continues without a \
            cache, unless --offline is given.
            """)
    static let maskURLs = FlagKey(
        toggle: "redact-queries", group: "Network",
        help: """
            Hide the query of every URL in records and messages.

            User names and passwords are always hidden.
            """)

    // MARK: Single images and records

    /// Declares an option for one image, which the configuration file cannot set.
    private static func own<Value>(
        _ name: String, _ syntax: Syntax<Value>, _ placeholder: String,
        group: String = "Content", _ help: String
    ) -> FlagKey<Value?> {
        FlagKey(
            name, syntax, placeholder, group: group, isInConfiguration: false, help: help)
    }

    private static func own<Value>(
        _ name: String, _ syntax: Syntax<Value>, _ placeholder: String, usual: Value,
        group: String = "Content", _ help: String
    ) -> FlagKey<Value> {
        FlagKey(
            name, syntax, placeholder, usual: usual, group: group, isInConfiguration: false,
            help: help)
    }

    enum Emblem {
        static let icon = own(
            "icon", Syntax<BuiltInIcon>.choice, "NAME",
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
            "appearance", Syntax<BadgeAppearance>.choice, "NAME", usual: .neutral,
            group: "Colours", "Colours of the badge.")
    }

    enum State {
        static let kind = own(
            "kind", Syntax<StateKind>.choice, "KIND", usual: .generic,
            "Built-in state with icon and texts.")
        static let title = own("title", .text, "TEXT", "Title of the block.")
        static let subtitle = own("subtitle", .text, "TEXT", "Text below the title.")
        static let icon = own(
            "icon", .text(offering: BuiltInIcon.allCases.map(\.rawValue) + ["none"]), "ICON",
            "Built-in icon, image file, or none.")
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
            "background", Syntax<Color>.color, "COLOR", group: "Colours", "Background of the block."
        )
        static let width = own(
            "width", points, "PT", group: "Size", "Width of the block.")
    }

    static let shimmerFrame = own(
        "frame", .whole(0...Shimmer.frameCount - 1), "N",
        "Draw one frame, from 0 to \(Shimmer.frameCount - 1), instead of the animation.")

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

    // MARK: Measurements

    enum Bench {
        static let preset = FlagKey<String?>(
            "preset", .word(Preset.all.map(\.name)), "NAME",
            described: "logos; none if an INPUT is given", group: "Measurement",
            isInConfiguration: false,
            help: "Kind of batch to measure, and the images to generate for it.")
        static let rounds = FlagKey<Int>(
            "rounds", .whole(1...100), "N", usual: 5, group: "Measurement",
            isInConfiguration: false, help: "Measured runs, after one that warms up.")
        static let compare = FlagKey<String?>(
            "compare", .file, "FILE", group: "Results", isInConfiguration: false,
            help: "Exit with 2 if a figure is worse than in this record of --export-json or "
                + "hyperfine.")
        static let tolerance = FlagKey<Double>(
            "tolerance", .percent(0...10_000), "P%", usual: Comparison.usualTolerance,
            group: "Results", isInConfiguration: false,
            help: """
                Allowed increase of time, CPU time, memory and bytes for --compare.

                Every additional item without an image counts as worse.
                """)
        static let exportJSON = FlagKey<String?>(
            "export-json", .file, "FILE", group: "Results", isInConfiguration: false,
            help: "Write all measurements in the format of hyperfine.")
    }
}

extension Syntax<[ColorScheme]> {
    static var schemes: Syntax {
        .choice(ColorScheme.allCases.map { ($0.rawValue, [$0]) } + [("both", ColorScheme.allCases)])
    }
}

extension Syntax<[OutputChoice]> {
    /// The form of `--format`: several formats, each by its name or extension, or `same`.
    static var formats: Syntax {
        let one = Syntax<OutputChoice>.output
        let words = one.shape.words
        return .list(
            of: one, "a comma-separated list of \(words.joined(separator: ", "))",
            schema: .list(of: words))
    }
}

extension OutputFormat {
    /// The file extensions of the formats, for a sentence.
    static var extensions: String { allCases.map(\.fileExtension).joined(separator: ", ") }
}

extension Syntax<RequestRate> {
    static var rate: Syntax {
        Syntax(
            "a rate", parse: RequestRate.init, print: \.description,
            problem: { text in
                ValueProblem(
                    "'\(PrintableText.escaped(text))' is not a rate",
                    remedy: "Write N/s or N/m, with N from 1 to 10000, such as 10/s.")
            })
    }
}

extension Syntax<String> {
    /// The URL of a proxy. Messages do not contain it, since it may have a password.
    static var proxy: Syntax {
        let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
        return Syntax(
            "a proxy",
            parse: { text in
                guard let scheme = SourceReference.scheme(of: text), schemes.contains(scheme),
                    text.utf8.count > scheme.utf8.count + 3,
                    text.dropFirst(scheme.count).hasPrefix("://"),
                    text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
                else { return nil }
                return text
            }, print: { $0 },
            problem: { _ in
                ValueProblem(
                    "The proxy is invalid",
                    remedy: "Write it as http://HOST:PORT; also \(schemes.joined(separator: ", "))."
                )
            })
    }
}

extension NetworkSettings: OptionSettings {
    private static let seconds = Syntax<Duration>.seconds(0.01...86_400)

    package static let options: [SettingOption<NetworkSettings>] = [
        SettingOption(
            "timeout", \.timeout, seconds, "TIME", group: "Network",
            help: "Connect timeout, and the longest time to receive 1 KB."),
        SettingOption(
            "item-timeout", \.itemTimeout, seconds, "TIME", group: "Network",
            help: "Time limit per item, retries included, queueing excluded."),
        SettingOption(
            "retries", \.retries, .whole(0...100), "N", group: "Network",
            help: """
                Retries after a temporary failure.

                Each attempt sends one request, and one more for each redirect.
                """),
        SettingOption(
            "connections", \.connections, .whole(1...10_000), "N", group: "Network",
            help: "Transfers at the same time."),
        SettingOption(
            "per-host", \.perHost, .whole(1...1_000), "N", group: "Network",
            help: "Transfers at the same time to one host."),
        SettingOption(
            "rate", \.rate, Syntax<RequestRate>.rate.optional, "N/s|N/m",
            described: "no limit", group: "Network",
            help: """
                Most requests per second (N/s) or minute (N/m) to one host.

                Retries and redirects count.
                """),
        SettingOption(
            "proxy", \.proxy, Syntax<String>.proxy.optional, "URL", group: "Network",
            isInConfiguration: false,
            help: """
                Proxy for all requests: http, https, socks4, socks4a, socks5 or socks5h.

                The proxy resolves names, so private host names are not blocked; literal private \
                addresses still are.
                """),
        SettingOption(
            "offline", \.isOffline, .toggle, group: "Network",
            help: "Send no requests; use cached responses of any age."),
        SettingOption(
            "allow-private", \.allowPrivate, .toggle, group: "Network",
            isInConfiguration: false,
            help: """
                Allow requests to private and local addresses, and to ports that browsers block.

                These are loopback, private, link-local and other special addresses.
                """),
    ]
}

extension FlagKey {
    /// Creates the key of the option that sets a part of a recipe, for commands that use the part
    /// without a recipe.
    init(_ path: any KeyPath<Recipe, Value> & Sendable) {
        let option = Recipe.option(path)
        self.init(option.flag) { texts in
            var recipe = Recipe()
            texts.last.flatMap(option.edit)?(&recipe)
            return recipe[keyPath: path]
        }
    }
}

extension ParsedArguments {
    /// Applies the options that are set to the settings.
    func apply<Settings>(
        _ options: [SettingOption<Settings>] = Settings.options, to settings: inout Settings
    ) {
        for option in options where has(option) && isSet(option) {
            texts(option).last.flatMap(option.edit)?(&settings)
        }
    }

    /// Returns the folder of a required option; refuses `-`, since a set is many files.
    func requiredFolder(_ key: FlagKey<String?>) throws(UsageError) -> FilePath {
        let text = try required(key)
        guard text != "-" else {
            throw error(
                key, "A set is many files and cannot be written to standard output.",
                remedy: "Name a folder, or type './-' for one with this name.")
        }
        return FilePath(text)
    }

    /// Refuses a folder outside the working directory if the configuration file names it.
    func checkPlace(_ option: some Declared, _ folder: FilePath) throws(UsageError) {
        guard case .configuration? = origin(of: option),
            folder.place.path(below: FilePath(".").place) == nil
        else { return }
        throw error(
            option, "\(PrintableText.escaped("\(folder)")) is not in this folder.",
            remedy: "Remove the key; --\(option.flag.name) can be typed.")
    }
}
