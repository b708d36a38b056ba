import Engine
import Flags
import Notation
import Transport

/// How sources are loaded.
extension Options {
    private static let usual = NetworkSettings()
    private static let seconds = ValueForm<Duration>.seconds(0.01...86_400)

    package static let timeout = FlagKey<Duration>(
        "timeout", seconds, "S", usual: usual.timeout, group: "Patience",
        help: "Seconds until there is a connection, or in which at least 1 KB must come.")
    package static let itemTimeout = FlagKey<Duration>(
        "item-timeout", seconds, "S", usual: usual.itemTimeout, group: "Patience",
        help: "Seconds for one item, from its first connection to its last file; retries "
            + "count, waiting for our own permits does not.")
    package static let renderTimeout = FlagKey<Duration>(
        "render-timeout", seconds, "S", usual: RunSettings.usualRenderTimeout, group: "Patience",
        help: "Seconds of the processors' time that drawing one item may take. What goes on is "
            + "ended there and then in a process of its own; with --sandbox none behind the "
            + "step that was begun.")
    package static let retries = FlagKey<Int>(
        "retries", .whole(0...100), "N", usual: usual.retries, group: "Patience",
        help: "Attempts after the first, for failures that may pass. An attempt sends one request, "
            + "and one more for each redirect.")

    package static let connections = FlagKey<Int>(
        "connections", .whole(1...10_000), "N", usual: usual.connections, group: "Network",
        help: "Transfers at once.")
    package static let perHost = FlagKey<Int>(
        "per-host", .whole(1...1_000), "N", usual: usual.perHost, group: "Network",
        help: "Transfers at once to one host.")
    package static let rate = FlagKey<String?>(
        "rate", .text, "N/s|N/m", described: "no limit", group: "Network",
        help: "Requests a second or a minute to one host at most; retries and redirects count.")
    package static let maxRedirects = FlagKey<Int>(
        "max-redirects", .whole(0...50), "N", usual: usual.redirects, group: "Network",
        help: "Redirects that are followed for one source.")
    package static let allowPrivate = FlagKey(
        toggle: "allow-private", group: "Network", isNegatable: true, isInConfiguration: false,
        help: "Also ask loopback, private, link-local and other special addresses, and "
            + "ports that browsers refuse.")
    package static let header = FlagKey(
        repeated: "header", .text, "'K: V'", group: "Network", isInConfiguration: false,
        help: "A header line for every request; it does not follow a redirect to another "
            + "host.")
    package static let headerFile = FlagKey<String?>(
        "header-file", .file, "F", group: "Network", isInConfiguration: false,
        help: "Header lines from a file, one a line, so that secrets stay out of the list of "
            + "processes.")
    package static let netrc = FlagKey(
        toggle: "netrc", group: "Network", isNegatable: true, isInConfiguration: false,
        help: "Take names and passwords of hosts from ~/.netrc.")
    package static let cacert = FlagKey<String?>(
        "cacert", .file, "F", described: "those of the system", group: "Network",
        isInConfiguration: false, help: "Certificates to trust, as PEM.")
    package static let proxy = FlagKey<String?>(
        "proxy", .text, "URL", group: "Network",
        isInConfiguration: false,
        help: "Proxy for every request; http, https, socks4, socks4a, socks5 or socks5h. It "
            + "looks names up, so of the rule on addresses only literal ones are left.")
    package static let userAgent = FlagKey<String?>(
        "user-agent", .text, "TEXT", described: "emblem/VERSION", group: "Network",
        help: "What the tool calls itself.")
    package static let respectOptOut = FlagKey(
        toggle: "respect-optout", group: "Network", isNegatable: true,
        help: "Use no answer that says X-Robots-Tag: noai or noimageai.")
    package static let cache = FlagKey<String?>(
        "cache", .text, "DIR|none", described: "$XDG_CACHE_HOME/emblem", group: "Network",
        help: "Folder for answers that may be used again. Where it cannot be used, a run continues "
            + "without it, unless --offline is given.")
    package static let cacheSize = FlagKey<Int>(
        "cache-size", .bytes(1...Int.max), "BYTES", usual: CacheSettings(folder: "").bytesLimit,
        group: "Network", help: "What the cache may grow to.")
    package static let offline = FlagKey(
        toggle: "offline", group: "Network", isNegatable: true,
        help: "Ask nobody; take what the cache has, however old.")
    package static let stale = FlagKey<StaleRule>(
        "stale", .choice, "WHICH", usual: .passing, group: "Network",
        help: "Keep the last good emblem of a source that fails: for failures of network and "
            + "server (passing), for every failure (any), or never (none).")
    package static let maskURLs = FlagKey(
        toggle: "redact-queries", group: "Network", isNegatable: true,
        help: "Hide what follows the question mark of a URL in every record and message. "
            + "User names and passwords are always hidden.")
}
