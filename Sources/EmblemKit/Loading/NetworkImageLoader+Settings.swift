import Transport

extension NetworkImageLoader {
    /// How a loader behaves, the same for all its requests; part of what
    /// `URLSessionConfiguration` is on Apple's systems. The defaults are those of the tool.
    public struct Settings: Sendable {
        /// Transfers under way at once.
        public var connections = 64
        /// Transfers under way at once to one scheme, name and port.
        public var connectionsPerHost = 6
        /// No connection within this time, or less than 1 KB in it once connected, is a timeout.
        public var timeout = Duration.seconds(10)
        /// All the time of one picture, its attempts and the waits between them included.
        public var imageTimeout = Duration.seconds(30)
        /// Attempts after the first, for failures that may pass.
        public var retries = 2
        /// Redirects of one picture that are followed.
        public var redirectsLimit = 5
        /// Bytes of the largest picture, on the wire and inflated.
        public var bytesLimit = 20 << 20
        /// Lets requests go to loopback, private and other special addresses.
        public var allowPrivate = false
        /// Lines that are added to each request, to whatever host it goes; they do not follow a
        /// redirect to another host.
        public var headers: [Header] = []
        /// `nil` is `emblem`. With one that is empty or holds a control character no load begins.
        public var userAgent: String?
        /// A file of certificates to trust in place of the system's.
        public var certificates: String?
        /// The proxy for every request, as a URL.
        public var proxy: String?
        /// A folder of answers that are kept between runs, by the rules that servers set.
        public var cache: Cache?
        /// Answers come from the cache only, stale ones too.
        public var isOffline = false

        /// The defaults of the tool.
        public init() {}

        /// As good as for ever, and far from the end of all clocks.
        private static let longest = Duration.seconds(100 * 366 * 86_400)

        /// What is told to servers, and cannot be.
        var fault: EmblemError? {
            guard let userAgent else { return nil }
            let header = NetworkHeader("User-Agent", userAgent)
            return header?.value.isEmpty == false ? nil : .header("User-Agent")
        }

        var value: NetworkSettings {
            var value = NetworkSettings()
            value.connections = max(1, connections)
            value.perHost = max(1, connectionsPerHost)
            value.lanes = NetworkSettings.lanes(jobs: Executors.cores)
            // Nothing at all is no patience that anything could be loaded with.
            value.timeout = min(max(timeout, .milliseconds(1)), Self.longest)
            value.itemTimeout = min(max(imageTimeout, .milliseconds(1)), Self.longest)
            value.retries = max(0, retries)
            value.redirects = max(0, redirectsLimit)
            // Sums of a few of them are still numbers.
            value.bodyLimit = min(max(0, bytesLimit), 1 << 56)
            value.allowPrivate = allowPrivate
            value.headers = headers.map(\.value)
            if let userAgent { value.userAgent = userAgent }
            value.certificates = certificates
            value.proxy = proxy
            value.cache = cache.map {
                CacheSettings(folder: $0.folder, bytesLimit: max(0, $0.bytesLimit))
            }
            value.isOffline = isOffline
            // Bodies that nobody has made room for yet; see ``EmblemBatch/bytesLimit``.
            value.heldBytesLimit = max(64 << 20, 2 * value.bodyLimit)
            // A server that was down is asked again after a while: a program runs for long.
            value.breakerProbes = 0
            value.givenUpTime = .seconds(30)
            return value
        }
    }

    /// A header line, such as a token.
    public struct Header: Hashable, Sendable, CustomStringConvertible {
        let value: NetworkHeader

        /// - Throws: ``EmblemError/header(_:)`` when the name is no token, the value holds a control
        ///   character, or the transfer says the same by itself, as `Content-Length` or `Range`.
        public init(_ name: String, _ value: String) throws(EmblemError) {
            guard let header = NetworkHeader(name, value), !header.isOfTransfer else {
                throw .header(name)
            }
            self.value = header
        }

        /// The name alone: values are often secrets.
        public var description: String { "\(value.name): …" }
    }

    /// Where answers are kept, and how much of them.
    public struct Cache: Hashable, Sendable {
        /// Made if it is missing; several programs may share it.
        public var folder: String
        /// The bytes of all answers that are kept.
        public var bytesLimit: Int

        /// A cache of at most a gigabyte, unless another limit is given.
        public init(folder: String, bytesLimit: Int = 1 << 30) {
            self.folder = folder
            self.bytesLimit = bytesLimit
        }
    }
}
