/// Every name that version 0.1 had and that is gone, with the replacement.
package enum GoneNames {
    package typealias Row = (name: String, instead: String)

    /// The rows: a name, and an instruction that follows "is gone;".
    ///
    /// A name is an option (`--shard`, `-0`), a command (`prove`), a value of an option
    /// (`--target tar`, `--columns hint`; `N` stands for any number), the scheme of a source
    /// (`gs:`) or a section of `emblem.json`. A command in front of an option limits the row to
    /// that command. Declared names are never looked up.
    package static let rows: [Row] =
        commands + shards + lists + sets + looks + network + reports + state + commandOptions

    /// The instructions by name.
    static let instructions = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.instead) })

    private static let theme = "type 'emblem theme [FILE]'"
    private static let cache = "type 'emblem cache'"
    private static let twoSets =
        "run 'emblem batch --force' into a second folder, then 'emblem diff'"

    private static let commands: [Row] = [
        ("prove", twoSets),
        ("merge", "use the Python package with Spark for lists that need several machines"),
        ("theme show", theme), ("theme check", theme),
        ("theme export", "write only the tokens that you change, which 'emblem theme' lists"),
        ("cache path", cache), ("cache size", cache),
        ("render catalog", "draw each component with 'emblem render'"),
        ("version", "type 'emblem --version'"),
    ]

    private static let spark = "use the Python package with Spark, or split the list"
    private static let pack = "pack OUT with tar after the run"

    private static let shards: [Row] = [
        ("--shard", spark), ("--target tar", pack), ("--tar-size", pack), ("--tar-count", pack),
    ]

    private static let urls = "write the URLs into the list"
    private static let detected = "the list's own text shows it, so remove the option"
    private static let encoded = "convert the list with iconv -f NAME -t UTF-8"
    private static let listed = "write the files that you want into a list"

    private static let lists: [Row] = [
        ("gs:", "use s3: with AWS_ENDPOINT_URL_S3=https://storage.googleapis.com"),
        ("site:", urls), ("domain:", urls), ("--columns domain", urls),
        ("--source-template", urls),
        ("--columns hint", "use the column label"), ("--columns value", "use the column label"),
        ("--columns sha256", "compare the hashes in the manifest"),
        ("--delimiter", detected), ("--list-format", detected),
        ("--no-header", "give positions with --columns, as in source=2,id=1"),
        ("--encoding", encoded),
        ("--null-values", "leave these cells of the list empty"),
        ("--null", "write one source per line"), ("-0", "write one source per line"),
        ("--only", listed), ("--hidden", listed), ("--follow", listed),
    ]

    private static let automatic = "every run continues an interrupted one, so remove the option"
    private static let durable = "a run syncs its files before it writes the manifest"

    private static let sets: [Row] = [
        ("--accessors", "use the names that Xcode and aapt2 make"),
        ("--share-target", "give each set a target folder of its own"),
        ("--prefix", "give each set a target folder of its own, or use --name"),
        ("--watch", "use watchexec"), ("--wait", "use flock"),
        ("--resume", automatic), ("--fsync", durable),
        ("--stale", "the last good emblem is kept after failures of the network"),
        ("--prune-max", "write the share as --prune=P%"),
        ("batch --json", "use --dry-run --progress json"),
    ]

    private static let inLook = "--look chooses this for each image, so remove the option"
    private static let ownLook =
        "write the options of the look to emblem.json, or run once per look"

    private static let looks: [Row] = [
        ("--recipe", "run once per look; the second run reads the cache"), ("looks", ownLook),
        ("--balance", inLook), ("--enlarge", inLook), ("--background-from", inLook),
        ("--linear", inLook),
        ("--matte", "set color.background.surface in the theme"),
        ("--badge-corner", "append @CORNER to the value of --badge"),
        ("--focus", "use the column focus of the list"),
        ("--padding round", "use --look logos"), ("--background shown", "use --background auto"),
        ("--format jxl", "use avif or webp"),
        ("--width N", "use square or auto, and make wide pictures with another tool"),
        ("--codecs", "remove the option"),
        ("--allow-truncated", "repair the image, or use the placeholder"),
        ("--fail-on near-duplicate", "remove the word"),
    ]

    private static let certificates = "set SSL_CERT_FILE"
    private static let header = "use --header 'NAME: VALUE', or --header @FILE for secrets"

    private static let network: [Row] = [
        ("--render-timeout", "the limit is 5 seconds of processor time"),
        ("--max-redirects", "the limit is 5 redirects"),
        ("--cache-size", "the limit is 1 GB"),
        ("--header-file", "use --header @FILE"),
        ("--user-agent", "use --header 'User-Agent: TEXT'"),
        ("--netrc", header), ("--cacert", certificates),
        ("--s3-endpoint", "set AWS_ENDPOINT_URL_S3"),
        ("--no-config", "use --config none"),
        ("--respect-optout", "leave such sources out of the list"),
        ("failures --class opted_out", "remove the option"),
        ("failures --class no_icon", "use not_found"),
        ("failures --class wrong_hash", "remove the option"),
    ]

    private static let record = "read OUT/run.json"

    private static let reports: [Row] = [
        ("--sarif", "use --progress github, or 'emblem failures --json'"),
        ("--trace", record), ("--otlp", record), ("--metrics", record),
        ("--export-gha", "use --export-json"), ("--export-markdown", "use --export-json"),
        ("--plot", "use --export-json"),
        ("--warmup", "one run always precedes the measurement"),
        ("--scratch", "set TMPDIR"),
        ("--compare-any", "compare with a record of the same options"),
        ("bench --json", "use --export-json"),
        ("bench --preset duplicates", "use --preset logos"),
        ("bench --preset layouts-webp", "use --preset webp"),
        ("bench --preset matrix", "use --preset layouts --scale 1,2,3"),
    ]

    private static let token = "set the token of the theme"

    private static let state: [Row] = [
        ("--animation", "use --icon FILE"),
        ("--button-link", "edit the links in the HTML or SVG"),
        ("--button-spacers", token), ("--direction", "the text shows its direction"),
        ("--graphic-size", token), ("--radius", token), ("--title-width", token),
        ("--subtitle-width", token), ("--title-size", token), ("--title-weight", token),
        ("--subtitle-size", token), ("--subtitle-weight", token), ("--text-size", token),
        ("--hint", "use --label"), ("--value", "use --label"),
    ]

    private static let commandOptions: [Row] = [
        ("failures --host", "filter the lines with grep, or the JSON with jq"),
        ("failures --ndjson", "use --json"), ("cache --json", "read the text of 'emblem cache'"),
        ("man --markdown", "type 'emblem help COMMAND'"),
        ("inspect --fail-on", "read the lint of 'emblem inspect --json'"),
        ("render shimmer --reduced-motion", "use --frame 0"),
        ("failures --csv-safe", "--csv is always safe for spreadsheets"),
    ]
}
