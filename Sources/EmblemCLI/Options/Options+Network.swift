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
    package static let allowPrivate = FlagKey(
        toggle: "allow-private", group: "Network",
        isInConfiguration: false,
        help: """
            Allow requests to private and local addresses, and to ports that browsers block.

            These are loopback, private, link-local and other special addresses.
            """)
    package static let header = FlagKey(
        repeated: "header", short: "H", .text, "'NAME: VALUE'|@FILE", group: "Network",
        isInConfiguration: false,
        help: """
            Header line for every request, or @FILE with one header a line.

            A file keeps secrets such as 'Authorization: Bearer …' out of the process list. Headers \
            are not sent to another host after a redirect, except 'User-Agent: …'.
            """)
    package static let proxy = FlagKey<String?>(
        "proxy", .text, "URL", group: "Network",
        isInConfiguration: false,
        help: """
            Proxy for all requests: http, https, socks4, socks4a, socks5 or socks5h.

            The proxy resolves names, so private host names are not blocked; literal private \
            addresses still are.
            """)
    package static let cache = FlagKey<String?>(
        "cache", .text, "DIR|none", described: "$XDG_CACHE_HOME/emblem", group: "Network",
        help: """
            Folder for cached responses.

            The cache keeps at most 1 GB. If the folder cannot be used, the run continues without a \
            cache, unless --offline is given.
            """)
    package static let offline = FlagKey(
        toggle: "offline", group: "Network",
        help: "Send no requests; use cached responses of any age.")
    package static let maskURLs = FlagKey(
        toggle: "redact-queries", group: "Network",
        help: """
            Hide the query of every URL in records and messages.

            User names and passwords are always hidden.
            """)
}
