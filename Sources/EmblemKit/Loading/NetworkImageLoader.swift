import Engine
import FoundationEssentials
import System
import Transport

/// A loader for `http`, `https` and `data:` URLs.
///
/// It replaces `URLSession` of Apple platforms. Connections are reused and limited, temporary
/// failures are retried, and requests reach private addresses only if the settings allow it. The
/// loader parses the original URL text and checks the address that it connects to, so differences
/// in how `URL` parses a host do not matter.
///
/// A loader starts its thread with the first request and ends it when the last reference goes away.
/// Share one loader: two loaders do not share connections. ``adding(_:)`` returns a loader with
/// other headers that shares the connections of this loader.
public final class NetworkImageLoader: Sendable {
    /// The default loader of a program.
    public static let standard = NetworkImageLoader()

    /// The settings of the loader.
    public let settings: Settings
    /// The headers in addition to those of the settings.
    private let headers: [Header]
    /// The reason why the settings cannot be used.
    private let fault: EmblemError?
    /// The thread, connections and cache, which loaders with different headers share.
    private let shared: NetworkLoader

    /// Creates a loader. It connects with the first request.
    public init(_ settings: Settings = Settings()) {
        self.settings = settings
        headers = []
        fault = settings.fault
        shared = NetworkLoader(settings.value)
    }

    private init(_ other: NetworkImageLoader, headers: [Header]) {
        settings = other.settings
        fault = other.fault
        shared = other.shared
        self.headers = headers
    }

    /// Returns a loader that adds headers to its requests, such as the token of a tenant, and
    /// shares the thread, connections, DNS answers and cache folder of this one.
    ///
    /// ```swift
    /// let token = try NetworkImageLoader.Header("Authorization", "Bearer \(secret)")
    /// emblem.loader = NetworkImageLoader.standard.adding([token])
    /// ```
    ///
    /// A header replaces others with the same name. Responses are shared only between requests
    /// with equal headers.
    public func adding(_ headers: [Header]) -> NetworkImageLoader {
        let names = Set(headers.map { $0.value.name.lowercased() })
        let kept = self.headers.filter { !names.contains($0.value.name.lowercased()) }
        return NetworkImageLoader(self, headers: kept + headers)
    }

    /// Loads the bytes at `url`, of any type.
    ///
    /// - Throws: ``EmblemError/failedToLoad(_:)``; `CancellationError` if the task is cancelled.
    public func loadData(from url: URL) async throws -> Data {
        Data(try await loadUnchecked(from: url).image.bytes)
    }
}

extension NetworkImageLoader: UncheckedImageLoader {
    /// Loads the image at `url`.
    ///
    /// - Throws: ``EmblemError/failedToLoad(_:)`` with the error class and, if the server refused,
    ///   the HTTP status; ``EmblemError/failedToDecode(_:)`` if the response is not an image;
    ///   `CancellationError` if the task is cancelled.
    public func loadImage(from url: URL) async throws -> Image {
        try await loadUnchecked(from: url).image.checked()
    }

    /// ``Settings/imageTimeout`` ends every load.
    var hasDeadline: Bool { true }

    func loadUnchecked(from url: URL) async throws -> HeldImage {
        let text = url.absoluteString
        if SourceReference.scheme(of: text) == "data" {
            let bytes = try rethrowing(as: EmblemError.init) { () throws(ItemFailure) in
                try DataURI.decode(text, bytesLimit: settings.bytesLimit)
            }
            return HeldImage(image: Image(encoded: bytes))
        }
        if let fault { throw fault }
        let outcome = await shared.load(NetworkRequest(url: text, headers: headers.map(\.value)))
        try Task.checkCancellation()
        switch outcome.result {
        case .success(let response):
            return HeldImage(image: Image(encoded: response.body.bytes), body: response.body)
        case .failure(let failure): throw EmblemError(failure)
        }
    }
}

extension NetworkImageLoader {
    /// The settings for all requests of a loader. Corresponds to a part of
    /// `URLSessionConfiguration`. The defaults are those of the tool.
    public struct Settings: Sendable {
        /// The limit for concurrent transfers.
        public var connections = 64
        /// The limit for concurrent transfers to one scheme, host and port.
        public var connectionsPerHost = 6
        /// The time limit for connecting, and then for each kilobyte.
        public var timeout = Duration.seconds(10)
        /// The time limit for one image, including all attempts and the waits between them.
        public var imageTimeout = Duration.seconds(30)
        /// The number of retries after temporary failures.
        public var retries = 2
        /// The size limit of an image in bytes, both on the wire and decompressed.
        public var bytesLimit = 20 << 20
        /// Whether requests to loopback, private and other special addresses are allowed, except
        /// link-local addresses. Prefer ``allowedPrivate``, which opens less.
        public var allowPrivate = false
        /// The hosts and addresses that are allowed although they are not public, such as
        /// `minio.internal`, `10.0.0.5:9000` or `10.1.0.0/16`.
        ///
        /// A host name allows all addresses that it resolves to, except link-local addresses.
        /// Link-local addresses, at which clouds serve credentials, are allowed only if an address
        /// or a range names them. With any other text, every load fails.
        public var allowedPrivate: [String] = []
        /// Headers that are added to every request to any host, such as `User-Agent`. They are not sent after a redirect
        /// to another host.
        public var headers: [Header] = []
        /// The path of a file with trusted certificates. It replaces the system's certificates.
        public var certificates: String?
        /// The URL of the proxy for all requests.
        public var proxy: String?
        /// The folder for cached responses, which follow HTTP cache rules.
        public var cache: Cache?
        /// Whether the loader uses the cache only, including stale responses.
        public var isOffline = false

        /// Creates settings with the defaults of the tool.
        public init() {}

        /// A practically infinite time that does not overflow the clocks.
        private static let longest = Duration.seconds(100 * 366 * 86_400)

        /// The error for an entry of ``allowedPrivate`` that cannot be parsed.
        var fault: EmblemError? {
            allowedPrivate.first { PrivateAllowance($0) == nil }.map { text in
                .failedToLoad(
                    EmblemError.Cause(
                        errorClass: ErrorClass.badURL.rawValue,
                        reason: "allowedPrivate has \"\(text)\", which is neither a host, an "
                            + "address nor a range such as 10.0.0.0/8"))
            }
        }

        var value: NetworkSettings {
            var value = NetworkSettings()
            value.connections = max(1, connections)
            value.perHost = max(1, connectionsPerHost)
            // Zero would make every load fail.
            value.timeout = min(max(timeout, .milliseconds(1)), Self.longest)
            value.itemTimeout = min(max(imageTimeout, .milliseconds(1)), Self.longest)
            value.retries = max(0, retries)
            // Sums of several limits must not overflow.
            value.bodyLimit = min(max(0, bytesLimit), 1 << 56)
            value.allowPrivate = allowPrivate
            value.allowedPrivate = allowedPrivate.compactMap { PrivateAllowance($0) }
            value.refusesLinkLocal = true
            value.headers = headers.map(\.value)
            value.certificates = certificates
            value.proxy = proxy
            value.cache = cache.map {
                CacheSettings(folder: $0.folder, bytesLimit: max(0, $0.bytesLimit))
            }
            value.isOffline = isOffline
            // The limit for bodies in memory; see ``BatchOptions/bytesLimit``.
            value.heldBytesLimit = max(64 << 20, 2 * value.bodyLimit)
            // A host is given up without probes, but only for a while: a program may run for long.
            value.breakerProbes = 0
            value.breakerItems = 10
            value.givenUpTime = .seconds(30)
            return value
        }
    }

    /// A request header, such as a token.
    public struct Header: Hashable, Sendable, CustomStringConvertible {
        let value: NetworkHeader

        /// Creates a header.
        ///
        /// - Throws: ``EmblemError/header(_:)`` if the name is not a token, the value contains a
        ///   control character, or the loader sets the header itself, such as `Content-Length` or
        ///   `Range`.
        public init(_ name: String, _ value: String) throws(EmblemError) {
            guard let header = NetworkHeader(name, value), !header.isOfTransfer else {
                throw .header(name)
            }
            self.value = header
        }

        /// The name without the value, because values are often secrets.
        public var description: String { "\(value.name): …" }
    }

    /// The folder of a response cache and its size limit.
    public struct Cache: Hashable, Sendable {
        /// The path of the folder. It is created if missing; several programs may share it.
        public var folder: String
        /// The size limit of all responses in bytes.
        public var bytesLimit: Int

        /// Creates a cache with a limit of 1 GiB unless given.
        public init(folder: String, bytesLimit: Int = 1 << 30) {
            self.folder = folder
            self.bytesLimit = bytesLimit
        }
    }
}
