import Engine
import Flags
import Notation
import Transport

extension Options {
    private static let usual = NetworkSettings()
    private static let seconds = ValueForm<Duration>.seconds(0.01...86_400)

    package static let timeout = FlagKey<Duration>(
        "timeout", seconds, "TIME", usual: usual.timeout, group: "Network",
        help: "Connect timeout, and the longest time to receive 1 KB.")
    package static let itemTimeout = FlagKey<Duration>(
        "item-timeout", seconds, "TIME", usual: usual.itemTimeout, group: "Network",
        help: "Time limit per item, retries included, queueing excluded.")
    package static let retries = FlagKey<Int>(
        "retries", .whole(0...100), "N", usual: usual.retries, group: "Network",
        help: """
            Retries after a temporary failure.

            Each attempt sends one request, and one more for each redirect.
            """)

    package static let connections = FlagKey<Int>(
        "connections", .whole(1...10_000), "N", usual: usual.connections, group: "Network",
        help: "Transfers at the same time.")
    package static let perHost = FlagKey<Int>(
        "per-host", .whole(1...1_000), "N", usual: usual.perHost, group: "Network",
        help: "Transfers at the same time to one host.")
    package static let rate = FlagKey<String?>(
        "rate", .text, "N/s|N/m", described: "no limit", group: "Network",
        help: """
            Most requests per second (N/s) or minute (N/m) to one host.

            Retries and redirects count.
            """)
    package static let maxRedirects = FlagKey<Int>(
        "max-redirects", .whole(0...50), "N", usual: usual.redirects, group: "Network",
        help: "Redirects to follow per source.")
    package static let allowPrivate = FlagKey(
        toggle: "allow-private", group: "Network",
        isInConfiguration: false,
        help: """
            Allow requests to private and local addresses, and to ports that browsers block.

            These are loopback, private, link-local and other special addresses.
            """)
    package static let header = FlagKey(
        repeated: "header", short: "H", .text, "'NAME: VALUE'", group: "Network",
        isInConfiguration: false,
        help: """
            Header line for every request, as in 'Accept: image/webp'.

            It is not sent to another host after a redirect.
            """)
    package static let headerFile = FlagKey<String?>(
        "header-file", .file, "FILE", group: "Network", isInConfiguration: false,
        help: "File with header lines, which keeps secrets out of the process list.")
    package static let netrc = FlagKey(
        toggle: "netrc", group: "Network", isInConfiguration: false,
        help: "Read user names and passwords of hosts from ~/.netrc.")
    package static let cacert = FlagKey<String?>(
        "cacert", .file, "FILE", described: "those of the system", group: "Network",
        isInConfiguration: false, help: "Certificates to trust, as PEM.")
    package static let proxy = FlagKey<String?>(
        "proxy", .text, "URL", group: "Network",
        isInConfiguration: false,
        help: """
            Proxy for all requests: http, https, socks4, socks4a, socks5 or socks5h.

            The proxy resolves names, so private host names are not blocked; literal private \
            addresses still are.
            """)
    package static let userAgent = FlagKey<String?>(
        "user-agent", .text, "TEXT", described: "emblem/VERSION", group: "Network",
        help: "User-Agent header.")
    package static let respectOptOut = FlagKey(
        toggle: "respect-optout", group: "Network",
        help: "Do not use images that are sent with X-Robots-Tag: noai or noimageai.")
    package static let cache = FlagKey<String?>(
        "cache", .text, "DIR|none", described: "$XDG_CACHE_HOME/emblem", group: "Network",
        help: """
            Folder for cached responses.

            If the folder cannot be used, the run continues without a cache, unless --offline is \
            given.
            """)
    package static let cacheSize = FlagKey<Int>(
        "cache-size", .bytes(1...Int.max), "BYTES", usual: CacheSettings(folder: "").bytesLimit,
        group: "Network", help: "Largest size of the cache.")
    package static let offline = FlagKey(
        toggle: "offline", group: "Network",
        help: "Send no requests; use cached responses of any age.")
    package static let stale = FlagKey<StaleRule>(
        "stale", .choice, "WHICH", usual: .passing, group: "Repeat",
        help: """
            When to keep the last good emblem of a source that fails.

            passing: after failures of network or server. any: after every failure. none: never.
            """)
    package static let maskURLs = FlagKey(
        toggle: "redact-queries", group: "Network",
        help: """
            Hide the query of every URL in records and messages.

            User names and passwords are always hidden.
            """)
}
