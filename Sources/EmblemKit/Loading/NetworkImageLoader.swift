import FoundationEssentials
import Synchronization
import Transport

/// Loads pictures over http and https, and from `data:` URLs.
///
/// It stands where `URLSession` stands on Apple's systems: connections are kept alive, shared and
/// counted, passing failures are tried again, and requests never reach private addresses unless
/// the settings allow it. URLs are read as they were written and judged by the address that is
/// connected to, whatever `URL` makes of their host.
///
/// A loader starts its thread with its first request and ends it when it is let go. Make one and
/// share it: two loaders know nothing of each other's connections.
public final class NetworkImageLoader: Sendable {
    /// The loader of a program that has not chosen one.
    public static let standard = NetworkImageLoader()

    /// What it was made with.
    public let settings: Settings
    private let running = Mutex<NetworkLoader?>(nil)

    /// A loader that has not connected to anything yet.
    public init(_ settings: Settings = Settings()) {
        self.settings = settings
    }

    /// The bytes at `url`, whatever they are.
    ///
    /// - Throws: ``EmblemError/failedToLoad(_:)``; `CancellationError` when the task is cancelled.
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

    /// The loader behind this one. Starting is short, and must not happen twice.
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
    /// The picture at `url`.
    ///
    /// - Throws: ``EmblemError/failedToLoad(_:)`` with the class of the failure and, where the
    ///   server refused, its status; ``EmblemError/failedToDecode(_:)`` when what came is no
    ///   picture; `CancellationError` when the task is cancelled.
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
