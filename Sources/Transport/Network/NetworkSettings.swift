package struct NetworkSettings: Sendable {
    package var connections = 64
    /// The greatest number of transfers at a time to one scheme, name and port.
    package var perHost = 6
    /// The time limit of the connection. Afterwards, at least 1 KB must arrive in each period of
    /// this length.
    package var timeout = Duration.seconds(10)
    /// The time limit of an item from its first start, with all attempts and the waits between
    /// them.
    package var itemTimeout = Duration.seconds(30)
    package var retries = 2
    package var redirects = 5
    /// The limit of bytes of a body, on the wire and inflated.
    package var bodyLimit = 20 << 20
    /// The limit of bytes of all response heads of a request.
    package var headerLimit = 64 << 10
    /// The highest rate of requests to one scheme, name and port; nil for no limit.
    package var rate: RequestRate?
    /// The number of consecutive failed items that opens a host's breaker.
    package var breakerItems = 10
    /// The number of failed probes after which a host is given up; 0 gives it up without a probe.
    package var breakerProbes = 3
    /// The time for which a host stays given up; nil until the loader ends.
    package var givenUpTime: Duration?
    /// The limit of bytes of incoming and handed out bodies, beyond which no transfer starts. A
    /// body counts while its `NetworkBody` exists, so a caller that collects bodies must leave this
    /// nil.
    package var heldBytesLimit: Int?
    package var allowPrivate = false
    /// Hosts and addresses that are allowed although they are not public.
    package var allowedPrivate: [PrivateAllowance] = []
    /// Whether link-local addresses are refused unless `allowedPrivate` has them.
    package var refusesLinkLocal = false
    /// Extra header lines; they do not follow a redirect to another host.
    package var headers: [NetworkHeader] = []
    package var userAgent = ownAgent
    /// The store of `s3:` sources; nil if these are not supported.
    package var buckets: Buckets?
    /// The file of certificates to trust instead of the system's.
    package var certificates: String?
    /// The proxy for every request. The user trusts it: its address is not checked, and it resolves
    /// names, so the address rule covers only literal addresses and ports.
    package var proxy: String?
    package var cache: CacheSettings?
    /// Whether only the cache is used, including its expired entries.
    package var isOffline = false
    /// The seed of the random part of waits before retries.
    package var seed: UInt64 = 0x5EED
    /// Fixed addresses of names, for tests: entries `NAME:PORT:ADDRESS` of curl; `*` is every name.
    package var fixedAddresses: [String] = []
    /// Returns why a name has no address; nil if it has one. May block.
    package var lookUp: @Sendable (String) -> ItemFailure? = { CurlLibrary.lookUpFailure(of: $0) }

    /// The default user agent, without the version.
    private static let ownAgent = "emblem"

    /// Returns the header lines of a request with additional headers. An additional header replaces
    /// a header of the settings with the same name.
    package func headerLines(adding own: [NetworkHeader]) -> [String] {
        guard !own.isEmpty else { return headers.map(\.line) }
        let names = Set(own.map { $0.name.lowercased() })
        let others = headers.filter { !names.contains($0.name.lowercased()) }
        return (others + own).map(\.line)
    }

    /// Returns the header lines that a response may depend on, for the cache key. The version of
    /// the default user agent is left out, so that other versions of the program use the same
    /// entries.
    func varyingLines(adding own: [NetworkHeader] = []) -> [String] {
        let isOwn = userAgent == Self.ownAgent || userAgent.hasPrefix(Self.ownAgent + "/")
        return headerLines(adding: own) + (isOwn ? [] : ["User-Agent: \(userAgent)"])
    }

    package init() {}
}

package struct NetworkHeader: Sendable, Hashable {
    package let name: String
    package let value: String

    /// Returns nil if the name is not a token or the value holds a control character.
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

    /// Parses a line such as `Name: value`.
    package init?(line: String) {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let value = line[line.utf8.index(after: colon)...]
        self.init(String(line[..<colon]), String(value.drop { $0 == " " || $0 == "\t" }))
    }

    /// Whether the transfer sets this header itself, and another value would break it.
    package var isOfTransfer: Bool {
        let name = name.lowercased()
        return Self.namesOfTransfer.contains(name) || name.hasPrefix("if-")
    }

    private static let namesOfTransfer: Set<String> = [
        "content-length", "transfer-encoding", "range", "expect", "te", "trailer", "upgrade",
    ]

    /// The line for curl, which expects a semicolon after the name for an empty value.
    var line: String { value.isEmpty ? "\(name);" : "\(name): \(value)" }
}

extension Duration {
    /// Whole nanoseconds, limited to 63 bits.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowsToo) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflows || overflowsToo ? (seconds < 0 ? .min : .max) : sum
    }
}

package struct RequestRate: Sendable, Hashable, CustomStringConvertible {
    private let count: Int
    private let unit: Character

    /// Reads `N/s` or `N/m`, with N from 1 to 10,000; nil for anything else.
    package init?(_ text: String) {
        guard let unit = text.last, unit == "s" || unit == "m", text.dropLast().last == "/" else {
            return nil
        }
        let digits = text.dropLast(2)
        guard digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let count = Int(digits),
            (1...10_000).contains(count)
        else { return nil }
        self.count = count
        self.unit = unit
    }

    package var description: String { "\(count)/\(unit)" }

    /// The nanoseconds between two requests, rounded up.
    package var spacing: Int64 {
        let nanoseconds = (unit == "s" ? 1 : 60) * 1_000_000_000
        return Int64((nanoseconds + count - 1) / count)
    }
}
