/// How a loader behaves; the same for all of its requests.
package struct NetworkSettings: Sendable {
    /// Transfers under way at once.
    package var connections = 64
    /// Threads among which the transfers are divided; where 0, the one that decides drives them all.
    package var lanes = 0
    /// Transfers under way at once to one scheme, name and port.
    package var perHost = 6
    /// No connection within this time, or less than 1 KB in it once connected, is a timeout.
    package var timeout = Duration.seconds(10)
    /// One item's time from its first permit, attempts and the waits between them included.
    package var itemTimeout = Duration.seconds(30)
    /// Attempts after the first.
    package var retries = 2
    package var redirects = 5
    /// Bytes of a body, on the wire and inflated.
    package var bodyLimit = 20 << 20
    /// Bytes of all response heads of one request.
    package var headerLimit = 64 << 10
    /// The most requests to one scheme, name and port; nil for no bound.
    package var rate: RequestRate?
    /// Items in a row whose failure opens a host's breaker.
    package var breakerItems = 10
    /// Probes in vain after which a host is given up; 0 gives it up without any.
    package var breakerProbes = 3
    /// How long a host stays given up; nil for as long as the loader lives.
    package var givenUpTime: Duration?
    /// Bodies under way and handed out together, beyond which nothing new is begun. Bodies count
    /// until their `NetworkBody` is let go, so whoever collects them must leave this nil.
    package var heldBytesLimit: Int?
    /// Lifts the rule on addresses and ports.
    package var allowPrivate = false
    /// Extra header lines; they do not follow a redirect to another host.
    package var headers: [NetworkHeader] = []
    package var userAgent = ownAgent
    /// An answer that opts out by `X-Robots-Tag: noai` or `noimageai` is not used.
    package var respectsOptOut = false
    package var readsNetrc = false
    /// Certificates to trust in place of the system's.
    package var certificates: String?
    /// The proxy for every request. It is trusted as chosen: its own address is not judged, and
    /// names are looked up by it, so that of the rule only literal addresses and ports remain.
    package var proxy: String?
    package var cache: CacheSettings?
    /// The failures that an earlier emblem outlives.
    package var stale = StaleRule.none
    /// Answers from the cache only, stale entries too.
    package var isOffline = false
    /// Where the jitter of waits begins.
    package var seed: UInt64 = 0x5EED
    /// Who looks names up.
    package var resolver: any NameResolving = SystemResolver()

    /// What the loader calls itself, and before what follows: its version.
    private static let ownAgent = "emblem"

    /// What of a request other than its address an answer may hang on, as lines. Another version of
    /// ours finds what this one has kept.
    var tellingLines: [String] {
        let isOwn = userAgent == Self.ownAgent || userAgent.hasPrefix(Self.ownAgent + "/")
        return headers.map(\.line) + (isOwn ? [] : ["User-Agent: \(userAgent)"])
    }

    package init() {}

    /// Lanes for so many jobs. One thread carries what six to fourteen cores draw, by how much is TLS.
    package static func lanes(jobs: Int) -> Int { jobs < 8 ? 0 : min(jobs / 4, 16) }
}

/// The failures of a source after which the last good emblem of it is kept.
package enum StaleRule: String, Sendable, CaseIterable {
    /// Failures that a later run may not meet: the network, the server, an open breaker.
    case passing
    /// Every failure.
    case any
    case none
}

/// One header line of a request.
package struct NetworkHeader: Sendable, Hashable {
    package let name: String
    package let value: String

    /// Nil where the name is no token or the value holds a control character.
    package init?(_ name: String, _ value: String) {
        let marks = Set("!#$%&'*+-.^_`|~".utf8)
        let isToken = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: marks.contains(byte)
            }
        }
        let isClean = value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
        guard isToken, isClean, !name.isEmpty else { return nil }
        self.name = name
        self.value = value
    }

    /// A line as typed: `Name: value`.
    package init?(line: String) {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let value = line[line.utf8.index(after: colon)...]
        self.init(String(line[..<colon]), String(value.drop { $0 == " " || $0 == "\t" }))
    }

    /// The transfer says this by itself: told otherwise, it could not be understood.
    package var isOfTransfer: Bool {
        let name = name.lowercased()
        return Self.namesOfTransfer.contains(name) || name.hasPrefix("if-")
    }

    private static let namesOfTransfer: Set<String> = [
        "content-length", "transfer-encoding", "range", "expect", "te", "trailer", "upgrade",
    ]

    /// As curl takes it: an empty value is written with a semicolon.
    var line: String { value.isEmpty ? "\(name);" : "\(name): \(value)" }
}

extension Duration {
    /// Whole nanoseconds, held within what 63 bits can say.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowsToo) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflows || overflowsToo ? (seconds < 0 ? .min : .max) : sum
    }
}

/// Where answers are kept, and how much of them.
package struct CacheSettings: Sendable {
    /// Why the folder cannot be used, after it was made where it was missing.
    package var obstacle: Errno? {
        do throws(Errno) {
            _ = try CacheFolder(folder)
            return nil
        } catch {
            return error
        }
    }

    /// A folder of ours; it is made if it is missing.
    package var folder: String
    package var bytesLimit: Int
    /// Called once if the folder cannot be used, with the reason; loading then continues without a
    /// cache. If nil, every load fails instead.
    package var onObstacle: (@Sendable (Errno) -> Void)?

    package init(
        folder: String, bytesLimit: Int = 1 << 30,
        onObstacle: (@Sendable (Errno) -> Void)? = nil
    ) {
        self.folder = folder
        self.bytesLimit = bytesLimit
        self.onObstacle = onObstacle
    }
}
