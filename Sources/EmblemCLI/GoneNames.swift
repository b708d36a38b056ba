/// Every name that version 0.1 had and that is gone, with the replacement.
package enum GoneNames {
    package typealias Row = (name: String, instead: String)

    /// A row for each name.
    package static let rows: [Row] = table.flatMap { names, instead in
        names.map { ($0, instead) }
    }

    /// Returns the instruction of a name.
    @Sendable static func instead(of name: String) -> String? {
        table.first { $0.names.contains(name) }?.instead
    }

    /// Names, and an instruction that follows "is gone;".
    ///
    /// A name is an option (`--shard`, `-0`), a command (`prove`), a value of an option
    /// (`--target tar`, `--columns hint`; `N` stands for any number), the scheme of a source
    /// (`gs:`) or a section of `emblem.json`. A command in front of an option limits the row to
    /// that command. Declared names are never looked up.
    private static let table: [(names: [String], instead: String)] = [
        (["prove"], "run 'emblem batch --force' into a second folder, then 'emblem diff'"),
        (["merge"], "use the Python package with Spark for lists that need several machines"),
        (["theme show", "theme check"], "type 'emblem theme [FILE]'"),
        (["theme export"], "write only the tokens that you change, which 'emblem theme' lists"),
        (["cache path", "cache size"], "type 'emblem cache'"),
        (["render catalog"], "draw each component with 'emblem render'"),
        (["version"], "type 'emblem --version'"),
        (["--shard"], "use the Python package with Spark, or split the list"),
        (["--target tar", "--tar-size", "--tar-count"], "pack OUT with tar after the run"),
        (["gs:"], "use s3: with AWS_ENDPOINT_URL_S3=https://storage.googleapis.com"),
        (
            ["site:", "domain:", "--columns domain", "--source-template"],
            "write the URLs into the list"
        ),
        (["--columns hint", "--columns value"], "use the column label"),
        (["--columns sha256"], "compare the hashes in the manifest"),
        (["--delimiter", "--list-format"], "the list's own text shows it, so remove the option"),
        (["--no-header"], "give positions with --columns, as in source=2,id=1"),
        (["--encoding"], "convert the list with iconv -f NAME -t UTF-8"),
        (["--null-values"], "leave these cells of the list empty"),
        (["--null", "-0"], "write one source per line"),
        (["--only", "--hidden", "--follow"], "write the files that you want into a list"),
        (["--accessors"], "use the names that Xcode and aapt2 make"),
        (["--share-target"], "give each set a target folder of its own"),
        (["--prefix"], "give each set a target folder of its own, or use --name"),
        (["--watch"], "use watchexec"),
        (["--wait"], "use flock"),
        (["--resume"], "every run continues an interrupted one, so remove the option"),
        (["--fsync"], "a run syncs its files before it writes the manifest"),
        (["--stale"], "the last good emblem is kept after failures of the network"),
        (["--prune-max"], "write the share as --prune=P%"),
        (["batch --json"], "use --dry-run --progress json"),
        (["--recipe"], "run once per look; the second run reads the cache"),
        (["looks"], "write the options of the look to emblem.json, or run once per look"),
        (
            ["--balance", "--enlarge", "--background-from", "--linear"],
            "--look chooses this for each image, so remove the option"
        ),
        (["--matte"], "set color.background.surface in the theme"),
        (["--badge-corner"], "append @CORNER to the value of --badge"),
        (["--focus"], "use the column focus of the list"),
        (["--padding round"], "use --look logos"),
        (["--background shown"], "use --background auto"),
        (["--format jxl"], "use avif or webp"),
        (["--width N"], "use square or auto, and make wide pictures with another tool"),
        (
            ["--codecs", "failures --class opted_out", "failures --class wrong_hash"],
            "remove the option"
        ),
        (["--allow-truncated"], "repair the image, or use the placeholder"),
        (["--fail-on near-duplicate"], "remove the word"),
        (["--render-timeout"], "the limit is 5 seconds of processor time"),
        (["--max-redirects"], "the limit is 5 redirects"),
        (["--cache-size"], "the limit is 1 GB"),
        (["--header-file"], "use --header @FILE"),
        (["--user-agent"], "use --header 'User-Agent: TEXT'"),
        (["--netrc"], "use --header 'NAME: VALUE', or --header @FILE for secrets"),
        (["--cacert"], "set SSL_CERT_FILE"),
        (["--s3-endpoint"], "set AWS_ENDPOINT_URL_S3"),
        (["--no-config"], "use --config none"),
        (["--respect-optout"], "leave such sources out of the list"),
        (["failures --class no_icon"], "use not_found"),
        (["--sarif"], "use --progress github, or 'emblem failures --json'"),
        (["--trace", "--otlp", "--metrics"], "read OUT/run.json"),
        (["--export-gha", "--export-markdown", "--plot", "bench --json"], "use --export-json"),
        (["--warmup"], "one run always precedes the measurement"),
        (["--scratch"], "set TMPDIR"),
        (["--compare-any"], "compare with a record of the same options"),
        (["bench --preset duplicates"], "use --preset logos"),
        (["bench --preset layouts-webp"], "use --preset webp"),
        (["bench --preset matrix"], "use --preset layouts --scale 1,2,3"),
        (["--animation"], "use --icon FILE"),
        (["--button-link"], "edit the links in the HTML or SVG"),
        (
            [
                "--button-spacers", "--graphic-size", "--radius", "--title-width",
                "--subtitle-width", "--title-size", "--title-weight", "--subtitle-size",
                "--subtitle-weight", "--text-size",
            ],
            "set the token of the theme"
        ),
        (["--direction"], "the text shows its direction"),
        (["--hint", "--value"], "use --label"),
        (["failures --host"], "filter the lines with grep, or the JSON with jq"),
        (["failures --ndjson"], "use --json"),
        (["cache --json"], "read the text of 'emblem cache'"),
        (["man --markdown"], "type 'emblem help COMMAND'"),
        (["inspect --fail-on"], "read the lint of 'emblem inspect --json'"),
        (["render shimmer --reduced-motion"], "use --frame 0"),
        (["failures --csv-safe"], "--csv is always safe for spreadsheets"),
    ]
}
