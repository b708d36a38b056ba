import FoundationEssentials
import Raster
import System

/// A loader that caches images of another loader in memory.
///
/// It replaces `URLCache` and `NSCache` of Apple platforms. Concurrent requests for equal URLs load
/// once. Failures are not cached. The least recently used images are removed first.
///
/// For a cache on disk that follows HTTP rules, give a ``NetworkImageLoader`` a
/// ``NetworkImageLoader/Cache``.
public final class CachingImageLoader: AsyncEmblemImageLoader {
    /// The cache policy.
    public let policy: CachePolicy
    private let base: any AsyncEmblemImageLoader
    private let pictures: BoundedCache<URL, Image>
    private let loads = SharedLoads<Image>()

    /// Creates a cache in front of a loader.
    ///
    /// - Parameters:
    ///   - base: The loader for images that are not cached.
    ///   - policy: The cache policy.
    ///   - bytesLimit: The limit for all cached images in bytes, encoded or as pixels.
    public init(
        _ base: any AsyncEmblemImageLoader = NetworkImageLoader.standard,
        policy: CachePolicy = .returnCacheElseLoad, bytesLimit: Int = 64 << 20
    ) {
        self.base = base
        self.policy = policy
        pictures = BoundedCache(weightLimit: bytesLimit)
    }

    /// Returns a loader that shares this cache, with another policy.
    public func following(_ policy: CachePolicy) -> CachingImageLoader {
        CachingImageLoader(base, policy, pictures)
    }

    private init(
        _ base: any AsyncEmblemImageLoader, _ policy: CachePolicy,
        _ pictures: BoundedCache<URL, Image>
    ) {
        self.base = base
        self.policy = policy
        self.pictures = pictures
    }

    public func loadImage(from url: URL) async throws -> Image {
        if policy != .reloadIgnoringCache, let kept = pictures.value(for: url) {
            LoadNotes.current?.note(.memory)
            return kept
        }
        guard policy != .returnCacheDontLoad else { throw EmblemError.offline }
        return try await loads.value(for: url) { [base, pictures] in
            let image = try await base.loadImage(from: url)
            pictures.keep(image, for: url, weight: image.byteCount)
            return image
        }
    }

    /// Removes all cached images.
    public func removeAll() {
        pictures.removeAll()
    }
}

extension Image {
    var byteCount: Int {
        switch content {
        case .encoded(let bytes): bytes.count
        case .pixels: size.byteCount
        case .icon: 0
        }
    }
}

/// The cache policy of a ``CachingImageLoader``. Corresponds to `URLRequest.CachePolicy`.
public enum CachePolicy: String, CaseIterable, Hashable, Sendable {
    /// Use the cache, otherwise load and cache the image.
    case returnCacheElseLoad
    /// Always load, and cache the image.
    case reloadIgnoringCache
    /// Use the cache only. A missing image is ``EmblemError/failedToLoad(_:)`` with the class
    /// `offline`.
    case returnCacheDontLoad
}
