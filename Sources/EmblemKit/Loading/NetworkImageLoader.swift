import FoundationEssentials
import Synchronization
import Transport

/// A loader for `http`, `https` and `data:` URLs.
///
/// It replaces `URLSession` of Apple platforms. Connections are reused and limited, temporary
/// failures are retried, and requests reach private addresses only if the settings allow it. The
/// loader parses the original URL text and checks the address that it connects to, so differences
/// in how `URL` parses a host do not matter.
///
/// A loader starts its thread with the first request and ends it when the last reference goes away.
/// Share one loader: two loaders do not share connections.
public final class NetworkImageLoader: Sendable {
    /// The default loader of a program.
    public static let standard = NetworkImageLoader()

    /// The settings of the loader.
    public let settings: Settings
    private let running = Mutex<NetworkLoader?>(nil)

    /// Creates a loader. It connects with the first request.
    public init(_ settings: Settings = Settings()) {
        self.settings = settings
    }

    /// Loads the bytes at `url`, of any type.
    ///
    /// - Throws: ``EmblemError/failedToLoad(_:)``; `CancellationError` if the task is cancelled.
    public func loadData(from url: URL) async throws -> Data {
        switch try await load(url) {
        case .network(let body): Data(body.bytes)
        case .text(let bytes): Data(bytes)
        }
    }

    private enum Loaded {
        case network(NetworkBody)
        case text([UInt8])
    }

    private func load(_ url: URL) async throws -> Loaded {
        let text = url.absoluteString
        if SourceReference.scheme(of: text) == "data" { return .text(try decode(dataURI: text)) }
        let outcome = await (try start()).load(NetworkRequest(url: text))
        try Task.checkCancellation()
        switch outcome.result {
        case .success(let response):
            LoadNotes.current?.note(EmblemReport.Origin(response.origin))
            return .network(response.body)
        case .failure(let failure): throw EmblemError(failure)
        }
    }

    private func decode(dataURI text: String) throws(EmblemError) -> [UInt8] {
        do throws(IntakeError) {
            return try DataURI.decode(text, bytesLimit: settings.bytesLimit)
        } catch {
            throw EmblemError(error)
        }
    }

    /// Starts the network loader once. Starting is quick, so it happens inside the lock.
    private func start() throws(EmblemError) -> NetworkLoader {
        try running.withLock { running throws(EmblemError) in
            if let running { return running }
            if let fault = settings.fault { throw fault }
            do throws(NetworkFailure) {
                let started = try NetworkLoader(settings.value)
                running = started
                return started
            } catch {
                throw EmblemError(error)
            }
        }
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

    func loadUnchecked(from url: URL) async throws -> HeldImage {
        switch try await load(url) {
        case .network(let body):
            HeldImage(image: Image(unlooked: body.bytes), body: body)
        case .text(let bytes): HeldImage(image: Image(unlooked: bytes))
        }
    }
}

extension EmblemReport.Origin {
    fileprivate init(_ origin: NetworkResponse.Origin) {
        switch origin {
        case .network: self = .network
        case .cache: self = .cache
        case .revalidated: self = .revalidated
        }
    }
}
