import Flags
import Notation

extension Declarations {
    /// How long a source may take, and how often it is tried.
    static let patience: [Flag] = [
        Flag(
            "timeout", .decimal(0.01...86_400), "S", fallback: .value("10"), group: "Patience",
            help: "Seconds until there is a connection, or in which at least 1 KB must come."),
        Flag(
            "item-timeout", .decimal(0.01...86_400), "S", fallback: .value("30"),
            group: "Patience",
            help: "Seconds for one item, from its first connection to its last file; retries "
                + "count, waiting for our own permits does not."),
        Flag(
            "render-timeout", .decimal(0.01...86_400), "S", fallback: .value("5"),
            group: "Patience",
            help: "Seconds of the processors' time that drawing one item may take. What goes on is "
                + "ended there and then in a process of its own; with --isolate none behind the "
                + "step that was begun."),
        Flag(
            "retries", .whole(0...100), "N", fallback: .value("2"), group: "Patience",
            help: "Attempts after the first, for failures that may pass."),
    ]

    /// The part of it that holds where nothing is fetched.
    static let graphicPatience = patience.filter {
        ["item-timeout", "render-timeout"].contains($0.name)
    }

    /// How sources of the network are loaded.
    static let network: [Flag] = [
        Flag(
            "connections", .whole(1...10_000), "N", fallback: .value("64"), group: "Network",
            help: "Transfers at once."),
        Flag(
            "per-host", .whole(1...1_000), "N", fallback: .value("6"), group: "Network",
            help: "Transfers at once to one host."),
        Flag(
            "max-redirects", .whole(0...50), "N", fallback: .value("5"), group: "Network",
            help: "Redirects that are followed for one source."),
        Flag(
            "allow-private", .toggle, group: "Network", isNegatable: true,
            isInConfiguration: false,
            help: "Also ask loopback, private, link-local and other special addresses, and "
                + "ports that browsers refuse."),
        Flag(
            "header", .text, "'K: V'", group: "Network", isRepeatable: true,
            isInConfiguration: false,
            help: "A header line for every request; it does not follow a redirect to another "
                + "host."),
        Flag(
            "header-file", .file, "F", group: "Network", isInConfiguration: false,
            help: "Header lines from a file, one a line, so that secrets stay out of the list of "
                + "processes."),
        Flag(
            "netrc", .toggle, group: "Network", isNegatable: true, isInConfiguration: false,
            help: "Take names and passwords of hosts from ~/.netrc."),
        Flag(
            "cacert", .file, "F", fallback: .described("those of the system"), group: "Network",
            help: "Certificates to trust, as PEM."),
        Flag(
            "proxy", .text, "URL", group: "Network",
            help: "Proxy for every request; http, https, socks4, socks4a, socks5 or socks5h. It "
                + "looks names up, so of the rule on addresses only literal ones are left."),
        Flag(
            "user-agent", .text, "TEXT", fallback: .described("emblem/VERSION"),
            group: "Network", help: "What the tool calls itself."),
        Flag(
            "respect-optout", .toggle, group: "Network", isNegatable: true,
            help: "Use no answer that says X-Robots-Tag: noai or noimageai."),
        Flag(
            "cache", .text, "DIR|none", fallback: .described("$XDG_CACHE_HOME/emblem"),
            group: "Network", help: "Folder for answers that may be used again."),
        Flag(
            "cache-size", .bytes(1...Int.max), "BYTES", fallback: .value("1G"),
            group: "Network", help: "What the cache may grow to."),
        Flag(
            "offline", .toggle, group: "Network", isNegatable: true,
            help: "Ask nobody; take what the cache has, however old."),
        Flag(
            "mask-urls", .toggle, group: "Network", isNegatable: true,
            help: "Hide what follows the question mark of a URL in every record and message. "
                + "User names and passwords are always hidden."),
    ]
}
