import Artwork
import Engine
import Flags
import Notation
import Render
import Targets
import Theming
import Transport

/// What many pictures take.
extension Options {
    package static let folder = FlagKey<String?>(
        "output", short: "o", .folder, "OUT", group: "Input and output",
        help: "Folder for the emblems and their manifest.")
    package static let list = FlagKey(
        repeated: "list", .file, "FILE", group: "Input and output",
        help: "List of sources: txt, csv, tsv, json or ndjson, also gzipped; - for standard input.")
    package static let listFormat = FlagKey<String?>(
        "list-format", .word(["txt", "csv", "tsv", "json", "ndjson"]), "FORMAT",
        described: "by the name of the list, else by its first bytes", group: "Input and output",
        help: "Format of the list.")
    package static let delimiter = FlagKey<String?>(
        "delimiter", .text, "C", described: "a comma, or the tab of tsv",
        group: "Input and output", help: "What separates the fields of a csv list.")
    package static let columns = FlagKey<String?>(
        "columns", .text, "PAIRS", group: "Input and output",
        help: "What a list calls the columns of ours, as in source=logo_url,id=merchant_id.")
    package static let only = FlagKey(
        repeated: "only", .text, "GLOB", group: "Input and output",
        help: "Only files of folders whose path below the folder matches: * and ? stay within a "
            + "name, ** crosses folders.")
    package static let exclude = FlagKey(
        repeated: "exclude", .text, "GLOB", group: "Input and output",
        help: "No files of folders whose path below the folder matches.")
    package static let hidden = FlagKey(
        toggle: "hidden", group: "Input and output", isNegatable: true,
        help: "Take files and folders of folders whose names begin with a dot, too.")
    package static let follow = FlagKey(
        toggle: "follow", group: "Input and output", isNegatable: true, isInConfiguration: false,
        help: "Follow symbolic links to folders, each folder once.")
    package static let noHeader = FlagKey(
        toggle: "no-header", group: "Input and output",
        help: "A csv list has no header: --columns gives positions, as in source=2,id=1.")
    package static let nullValues = FlagKey<String?>(
        "null-values", .text, "WORDS", group: "Input and output",
        help: "Cells that mean the same as an empty one, as in 'N/A,-'.")
    package static let encoding = FlagKey<String?>(
        "encoding", .word(ListEncoding.allCases.map(\.rawValue)), "NAME",
        described: "utf-8, or utf-16 with a byte-order mark", group: "Input and output",
        help: "Encoding of the list.")
    package static let null = FlagKey(
        toggle: "null", short: "0", group: "Input and output",
        help: "Sources of a txt list end with NUL, as 'find -print0' writes them.")
    package static let remoteOnly = FlagKey(
        toggle: "remote-only", group: "Input and output", isNegatable: true,
        help: "Take no paths from the list, for lists from third parties.")
    package static let limit = FlagKey<Int?>(
        "limit", .whole(1...Int.max), "N", group: "Input and output",
        help: "Only the first N items.")
    package static let shard = FlagKey<Shard?>(
        "shard", .shard, "I/N", group: "Input and output",
        help: "Only the I-th of N parts of the list; names are planned over all of it. 'emblem "
            + "merge' joins parts of one format made without --target.")

    package static let component = FlagKey<Component>(
        "component", .choice, "WHAT", usual: .emblem, group: "What to make",
        help: "Emblems, or avatars: circles that pictures fill, with initials and then an "
            + "icon for pictures that fail.")
    /// Of all components; which of them there are depends on the component.
    package static let layouts = FlagKey<[String]>(
        "layout", .words(layoutNames), "LIST", usual: layoutNames, group: "What to make",
        help: "Layouts to make of each picture: small, medium, large and xLarge of emblems, "
            + "small, default, medium and large of avatars.")
    private static let layoutNames = ["small", "default", "medium", "large", "xLarge"]
    package static let scales = FlagKey<[Double]>(
        "scale", .factors(factors), "LIST", usual: [1], group: "What to make",
        help: "Pixels to a point.")
    package static let schemes = FlagKey<[ColorScheme]>(
        "scheme", .schemes, "SCHEME", usual: [.light], group: "What to make",
        help: "Colours for a light or a dark screen.")

    package static let name = FlagKey<String?>(
        "name", .text, "TEMPLATE", described: "{layout}/{id}{@scale}.{ext}",
        group: "Form of the outputs",
        help: "Path of each emblem under OUT, of {id} {layout} {scale} {@scale} {height} "
            + "{ext} {hash} {scheme}; {dir} and {stem} are the parts of {id} before and after its "
            + "last slash. Only files found in folders have a {dir}: a slash in an "
            + "id of a list becomes '-'. The extension of a picture has to be that of --format.")
    package static let targets = FlagKey(
        repeated: "target", .text, "KIND[=DIR],…", group: "Form of the outputs",
        help: "What the emblems are laid out for: files, xcassets, android, web, tar, or several "
            + "with commas, each in DIR, else in OUT/KIND; files alone in OUT."
    ).offering(TargetKind.allCases.map(\.rawValue), several: true)
    package static let prefix = FlagKey<String?>(
        "prefix", .text, "TEXT", group: "Form of the outputs",
        help: "Text before every name, as in bank_, so that several sets can share a folder.")
    package static let shareTarget = FlagKey(
        toggle: "share-target", group: "Form of the outputs", isInConfiguration: false,
        help: "Share the folders of --target files, xcassets and android with other sets that give "
            + "this option; each folder belongs to one set otherwise.")
    package static let tarSize = FlagKey<Int?>(
        "tar-size", .bytes(4096...Int.max), "BYTES", described: "1G",
        group: "Form of the outputs", help: "Largest shard of --target tar.")
    package static let tarCount = FlagKey<Int?>(
        "tar-count", .whole(1...100_000), "N", group: "Form of the outputs",
        help: "Shards of --target tar, in place of a size.")
    package static let depfile = FlagKey<String?>(
        "depfile", .file, "FILE", group: "Form of the outputs",
        isInConfiguration: false,
        help: "Write the dependencies of the outputs in the language of make.")

    package static let jobs = FlagKey<Int?>(
        "jobs", short: "j", .whole(1...1024), "N", described: "the cores there are",
        group: "How to run",
        help: "Pictures rendered at once.")
    package static let memory = FlagKey<Int>(
        "memory", .bytes((16 << 20)...Int.max), "BYTES", usual: RunSettings.usualMemoryBytes,
        group: "How to run",
        help: "Memory for pictures in work, on top of 160M for everything else.")
    package static let resume = FlagKey(
        toggle: "resume", group: "How to run", isInConfiguration: false,
        help: "Go on where a run into OUT was interrupted; a plain run if none was.")
    package static let onlyFailures = FlagKey(
        toggle: "only-failures", group: "How to run", isInConfiguration: false,
        help: "Ask only for what failed in the last run into OUT, and keep the rest.")
    package static let force = FlagKey(
        toggle: "force", group: "How to run", isInConfiguration: false,
        help: "Make everything anew, also what did not change since the last run.")
    package static let prune = FlagKey(
        toggle: "prune", group: "How to run", isInConfiguration: false,
        help: "Take away files that earlier runs into OUT made and this one does not.")
    package static let pruneMax = FlagKey<Tolerance>(
        "prune-max", .tolerance, "N|P%", usual: .percent(50), group: "How to run",
        help:
            "Largest number, or share, of the files of earlier runs that --prune removes; more is "
            + "an error (1), and none is removed.")
    package static let minItems = FlagKey<Int?>(
        "min-items", .whole(0...Int.max), "N", group: "Input and output",
        help: "Fail (65) before anything is written if the inputs have fewer items than N.")
    package static let wait = FlagKey(
        toggle: "wait", group: "How to run", isNegatable: true,
        help: "Wait while another run holds OUT, instead of failing (75).")
    package static let watch = FlagKey(
        toggle: "watch", group: "How to run", isInEnvironment: false, isInConfiguration: false,
        help: "Go on looking, and run again whenever a list, theme, folder or picture changes.")
    package static let fsync = FlagKey(
        toggle: "fsync", group: "How to run", isNegatable: true,
        help: "Wait for the disk after each output.")
    package static let strict = FlagKey(
        toggle: "strict", group: "How to run", isNegatable: true,
        help: "Exit with 1 if a placeholder was used.")
    package static let maxFailures = FlagKey<Tolerance?>(
        "max-failures", .tolerance, "N|P%", group: "How to run",
        help: "Exit with 1 if more items than this end without their picture.")
    package static let failOn = FlagKey<String?>(
        "fail-on", .text, "LINT", group: "How to run",
        help: "Exit with 1 if any of these is said of a picture: "
            + PictureLint.Kind.allCases.map(\.rawValue).joined(separator: ", ") + "."
    ).offering(PictureLint.Kind.allCases.map(\.rawValue), several: true)
    package static let dryRun = FlagKey(
        toggle: "dry-run", short: "n", group: "How to run", isInConfiguration: false,
        help: "Check everything and show the plan, but write nothing; -q shows the counts "
            + "alone.")
    package static let planJSON = FlagKey(
        toggle: "json", group: "How to run", isInEnvironment: false, isInConfiguration: false,
        help: "Write the plan of --dry-run as JSON, one object on each line and a summary last.")

    package static let maxBytes = FlagKey<Int>(
        "max-bytes", .bytes(1...Int.max), "BYTES", usual: RunSettings.usualBytesLimit,
        group: "Limits", help: "Largest source.")

    package static let progress = FlagKey<String>(
        "progress", .word(["auto", "plain", "json", "none"]), "HOW", usual: "auto",
        group: "Messages",
        help: "Progress on standard error. json makes all of it JSON lines: messages, progress, "
            + "and a summary last.")
    package static let report = FlagKey(
        toggle: "report", group: "Messages", isNegatable: true,
        help: "Write OUT/report.html: numbers, errors, the slowest, the pictures.")
    package static let sheet = FlagKey<String?>(
        "sheet", .file, "FILE", group: "Messages", isInConfiguration: false,
        help: "Write a contact sheet of the run as PNG: the emblems with their numbers, those for "
            + "light and dark screens next to each other.")
    package static let metrics = FlagKey<String?>(
        "metrics", .file, "FILE", group: "Messages", isInConfiguration: false,
        help: "Write the run as OpenMetrics text.")
    package static let trace = FlagKey<String?>(
        "trace", .file, "FILE", group: "Messages",
        isInConfiguration: false, help: "Write the run for Chrome's trace viewer.")
    package static let quiet = FlagKey(
        toggle: "quiet", short: "q", group: "Messages",
        help: "Only errors, and what became of files in the way that no run made.")
    package static let verbose = FlagKey(
        toggle: "verbose", short: "v", group: "Messages", help: "A line for each failure.")
}
