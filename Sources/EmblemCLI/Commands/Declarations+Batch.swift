import Flags
import Render

extension Declarations {
    package static let batch = Command(
        "batch", summary: "turn a list of pictures into emblems",
        discussion: """
            Pictures that cannot be loaded get a placeholder, so that the set is always complete; \
            OUT/manifest.ndjson tells which, and OUT/run.json how long everything took.
            """,
        operands: Command.Operands(
            "[INPUT…]", count: 0...Int.max,
            help:
                "Pictures, folders of pictures, URLs, data: URIs, or - for one picture on standard input."
        ),
        flags: input + what + output + run + patience + limits + network + telling,
        prominent: ["[--list FILE|-]", "-o OUT"], common: common,
        examples: [
            Command.Example(
                "emblem batch logos/ -o out --look logos",
                "Every logo of a folder, in all four layouts:"),
            Command.Example(
                "emblem batch --list merchants.csv -o out --layout small,large --scale 1,2,3",
                "Two layouts at three scales, from a list:"),
            Command.Example(
                "emblem batch --component avatar --list people.csv -o out --scale 2",
                "Avatars, with initials from the column 'label' for pictures that fail:"),
            Command.Example(
                "emblem batch logos/ -o out --format webp --quality lossless --appearance info",
                "Lossless WebP on the colours of 'info':"),
            Command.Example(
                "emblem batch --list brands.csv -o out --target xcassets=App,android=app/src/main/res",
                "An asset catalog for iOS and resources for Android, of one list in one run:"),
        ])

    private static let common = [
        Command.CommonOption("output", "folder for the emblems"),
        Command.CommonOption("list", "list of sources (csv, json, ndjson, txt)"),
        Command.CommonOption("columns", "names of columns: source=logo_url,id=key"),
        Command.CommonOption("layout", "small, medium, large, xLarge (all)"),
        Command.CommonOption("scale", "pixels per point: 1,2,3 (1)"),
        Command.CommonOption("scheme", "light, dark or both (light)"),
        Command.CommonOption("mode", "fit or fill (fit)"),
        Command.CommonOption("appearance", "colours: brand, info, category1 … (brand)"),
        Command.CommonOption("look", "logos, photos, icons or plain (plain)"),
        Command.CommonOption("padding", "points, percent or safe (0)"),
        Command.CommonOption("placeholder", "icon:NAME, initials, FILE or none"),
        Command.CommonOption("theme", "file of design tokens"),
        Command.CommonOption("format", "png, webp, jpeg, avif, jxl (png)"),
        Command.CommonOption("target", "files, xcassets, android, web, tar (files)"),
        Command.CommonOption("jobs", "pictures at once (number of cores)"),
        Command.CommonOption("resume", "continue an interrupted run"),
        Command.CommonOption("prune", "delete files that only earlier runs made"),
        Command.CommonOption("strict", "exit with 1 if a placeholder was used"),
        Command.CommonOption("dry-run", "show the plan, write nothing"),
        Command.CommonOption("report", "write OUT/report.html"),
    ]

    private static let input =
        [Options.folder.flag, Options.list.flag] + BatchCommand.listFlags + [
            Options.only.flag, Options.exclude.flag, Options.hidden.flag, Options.follow.flag,
            Options.remoteOnly.flag, Options.limit.flag, Options.minItems.flag,
            Options.shard.flag,
        ]

    static let what =
        [
            Options.component.flag, Options.layouts.flag, Options.scales.flag,
            Options.schemes.flag,
        ] + look

    private static let output =
        outputForm + [
            Options.prefix.flag, Options.targets.flag, Options.shareTarget.flag,
            Options.tarSize.flag, Options.tarCount.flag,
            Options.depfile.flag,
        ]

    static let outputForm = [Options.format.flag, Options.name.flag] + form

    /// How much is done at once, and where.
    static let means = [Options.jobs.flag] + decoding + [Options.memory.flag]

    private static let run =
        means + [
            Options.resume.flag, Options.onlyFailures.flag, Options.force.flag, Options.prune.flag,
            Options.pruneMax.flag, Options.wait.flag, Options.watch.flag,
            Options.fsync.flag, Options.strict.flag, Options.maxFailures.flag,
            Options.failOn.flag, Options.dryRun.flag, Options.planJSON.flag,
        ]

    static let limits = [Options.maxBytes.flag] + flags(.limits)

    private static let telling =
        [
            Options.progress.flag, Options.report.flag, Options.sheet.flag, Options.metrics.flag,
            Options.trace.flag,
            Options.quiet.flag, Options.verbose.flag,
        ] + configuration
}
