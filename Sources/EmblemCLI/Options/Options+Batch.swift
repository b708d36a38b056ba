import Artwork
import Engine
import Flags
import Notation
import Render
import Targets
import Theming
import Transport

extension Options {
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
        "columns", .text, "MAP", group: "Input",
        help: """
            Map emblem's column names to the list's, as in source=logo_url,id=merchant_id.

            Positions, as in source=2,id=1, are for a csv list without a header.
            """
    ).offering(ListColumn.allCases.map { "\($0.rawValue)=" }, several: true)
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
        "layout", .words(layoutNames), "LIST", usual: layoutNames, group: "Size",
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
        repeated: "target", .text, "KIND[=DIR],…", group: "Output",
        help: """
            Output layouts, comma-separated: files, xcassets, android, web. =DIR sets the \
            folder.

            DIR is relative to the working directory, not to OUT. Without DIR, a target goes to \
            OUT/KIND; files alone go to OUT.
            """
    ).offering(TargetKind.allCases.map(\.rawValue), several: true)
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
        "prune", .percent(0...100), "P%", group: "Repeat",
        help: """
            Delete files of earlier runs that this run no longer produces, at most P% of them (50%).

            If more files would be deleted, the run deletes none and exits with 1.
            """
    ).withoutValue("50%")
    package static let minItems = FlagKey<Int?>(
        "min-items", .whole(0...Int.max), "N", group: "Failures",
        help: "Exit with 65 before anything is written if the inputs have fewer than N items.")
    package static let strict = FlagKey(
        toggle: "strict", group: "Failures",
        help: "Exit with 1 if any item used a placeholder.")
    package static let maxFailures = FlagKey<Tolerance?>(
        "max-failures", .tolerance, "N|P%", group: "Failures",
        help: "Exit with 1 if more items than this fail.")
    package static let failOn = FlagKey<String?>(
        "fail-on", .text, "LINT", group: "Failures",
        help: """
            Exit with 1 if any image has one of these lint warnings, comma-separated.

            Warnings: \(PictureLint.Kind.allCases.map(\.rawValue).joined(separator: ", ")).
            """
    ).offering(PictureLint.Kind.allCases.map(\.rawValue), several: true)
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

            It shows the first \(ContactSheet.itemsLimit) items, light and dark next to each \
            other. The number below an emblem is the \
            index of its item in the manifest, which starts at 0.
            """)
    package static let quiet = FlagKey(
        toggle: "quiet", group: "Reports",
        help: "Print only errors and warnings.")
    package static let verbose = FlagKey(
        toggle: "verbose", short: "v", group: "Reports",
        help: "Print a line for each failure.")
}
