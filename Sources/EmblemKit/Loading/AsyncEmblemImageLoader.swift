import Engine
import FoundationEssentials
import System
import Transport

/// A type that loads the images of emblems.
///
/// Implement it to add a cache, headers or another kind of source. Set the loader for all emblems
/// (``DesignSystem/Settings/emblemImageLoader``), for a batch (``BatchOptions/loader``) or for one emblem
/// (``AsyncEmblem/loader``). Several tasks call it at once, on threads of the library.
///
/// Return ``Image/init(encoded:)``, which is checked when it is drawn, so that no image is decoded
/// twice. A load that exceeds ``AsyncEmblem/timeout`` fails with the class `timeout`.
public protocol AsyncEmblemImageLoader: Sendable {
    /// Loads the image at `url`.
    ///
    /// Errors are passed unchanged to ``AsyncImagePhase/failure(_:)``. When the task is cancelled,
    /// return soon and throw `CancellationError`.
    func loadImage(from url: URL) async throws -> Image

    /// Loads the image of a request. The default calls ``loadImage(from:)``.
    ///
    /// Implement it if the image depends on the size, such as at a server that scales images.
    func loadImage(_ request: EmblemImageRequest) async throws -> Image
}

extension AsyncEmblemImageLoader {
    public func loadImage(_ request: EmblemImageRequest) async throws -> Image {
        try await loadImage(from: request.url)
    }
}

/// A request to a loader.
public struct EmblemImageRequest: Hashable, Sendable {
    /// The URL of the image.
    public var url: URL
    /// The height in pixels of the largest drawing of the image; `nil` if it is not known, as for
    /// ``AsyncEmblem/phases()`` and SVG documents.
    public var pixels: Int?
    /// The id of the item. Items of a batch with equal URLs share the request of the first item.
    public var id: String?

    /// Creates a request.
    public init(url: URL, pixels: Int? = nil, id: String? = nil) {
        self.url = url
        self.pixels = pixels
        self.id = id
    }
}

/// A loader of the library. It leaves the check of the whole image to the renderer, so that no
/// image is decoded twice.
protocol UncheckedImageLoader: AsyncEmblemImageLoader {
    /// Whether the loader limits the time of each load.
    var hasDeadline: Bool { get }
    /// Loads the image at `url` without decoding it.
    func loadUnchecked(from url: URL) async throws -> HeldImage
}

/// An image, with a token that tells the network loader that the bytes are still in memory.
struct HeldImage: Sendable {
    let image: Image
    var body: NetworkBody?
}

/// The loader of a component, with the parts of a request that do not depend on the item.
struct SourceLoading: Sendable {
    let loader: any AsyncEmblemImageLoader
    var pixels: Int?
    let timeout: Duration

    init(_ loader: (any AsyncEmblemImageLoader)?, pixels: Int? = nil, timeout: Duration) {
        self.loader = loader ?? DesignSystem.shared.emblemImageLoader
        self.pixels = pixels
        self.timeout = timeout
    }

    /// The longest timeout: 100 years, so that adding it to a clock does not overflow.
    private static let longest = Duration.seconds(100 * 366 * 86_400)

    func load(_ url: URL, id: String?) async throws -> HeldImage {
        if let unchecked = loader as? any UncheckedImageLoader, unchecked.hasDeadline {
            return try await unchecked.loadUnchecked(from: url)
        }
        let request = EmblemImageRequest(url: url, pixels: pixels, id: id)
        return try await withDeadline { [loader] in
            if let unchecked = loader as? any UncheckedImageLoader {
                return try await unchecked.loadUnchecked(from: url)
            }
            return HeldImage(image: try await loader.loadImage(request))
        }
    }

    /// Returns the value of `load`. Throws at the deadline or at a cancellation, even if `load`
    /// does not end then. The task of `load` is cancelled and abandoned.
    private func withDeadline<Value: Sendable>(
        _ load: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let end = Waiter<Result<Value, any Error>>()
        let work = Task(executorPreference: Executors.batches) {
            do { end.resume(returning: .success(try await load())) } catch {
                end.resume(returning: .failure(error))
            }
        }
        let timer = Task(executorPreference: Executors.work) { [timeout] in
            let elapsed: Void? = try? await Task.sleep(for: min(max(timeout, .zero), Self.longest))
            guard elapsed != nil else { return }
            end.resume(returning: .failure(EmblemError.loadTimeout(timeout)))
            work.cancel()
        }
        let result = await end.value {
            end.resume(returning: .failure(CancellationError()))
            work.cancel()
        }
        timer.cancel()
        return try result.get()
    }
}

extension EmblemError {
    fileprivate static func loadTimeout(_ timeout: Duration) -> EmblemError {
        .failedToLoad(
            Cause(
                errorClass: ErrorClass.timeout.rawValue,
                reason: "the loader returned no image within \(timeout)"))
    }
}
