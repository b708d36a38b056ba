import Codecs
import FoundationEssentials
import Raster
import System

/// A loader that caches images of another loader in memory.
///
/// It replaces `URLCache` and `NSCache` of Apple platforms. Concurrent requests for equal URLs load
/// once. Failures are not cached. The least recently used images are removed first. Images are
/// cached before they are decoded; an image that a drawing finds damaged stays cached until
/// ``remove(_:)``.
///
/// For a cache on disk that follows HTTP rules, give a ``NetworkImageLoader`` a
/// ``NetworkImageLoader/Cache``.
public final class CachingImageLoader: Sendable {
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

    /// Removes the image of a URL.
    public func remove(_ url: URL) {
        pictures.remove(url)
    }

    /// Removes all cached images.
    public func removeAll() {
        pictures.removeAll()
    }
}

extension CachingImageLoader: UncheckedImageLoader {
    public func loadImage(from url: URL) async throws -> Image {
        let image = try await loadUnchecked(from: url).image
        do {
            let checked = try await image.checked()
            if image.trust == .none { pictures.keep(checked, for: url, weight: checked.byteCount) }
            return checked
        } catch {
            if case EmblemError.failedToDecode = error { remove(url) }
            throw error
        }
    }

    var hasDeadline: Bool { (base as? any UncheckedImageLoader)?.hasDeadline ?? false }

    func loadUnchecked(from url: URL) async throws -> HeldImage {
        if policy != .reloadIgnoringCache, let kept = pictures.value(for: url) {
            return HeldImage(image: kept)
        }
        guard policy != .returnCacheDontLoad else { throw EmblemError.offline }
        let image = try await loads.value(for: url) { [base, pictures] in
            let image: Image
            if let unchecked = base as? any UncheckedImageLoader {
                image = try await unchecked.loadUnchecked(from: url).image
            } else {
                image = try await base.loadImage(from: url)
            }
            // A response that is not an image, such as an error page, is not cached.
            if image.isRecognized { pictures.keep(image, for: url, weight: image.byteCount) }
            return image
        }
        return HeldImage(image: image)
    }
}

extension Image {
    var byteCount: Int {
        switch content {
        case .encoded(let bytes): bytes.count
        case .pixels: size.byteCount
        case .icon, .missing: 0
        }
    }

    /// Whether the bytes begin like a file of a supported format. Nothing is decoded.
    fileprivate var isRecognized: Bool {
        guard case .encoded(let bytes) = content else { return true }
        if case .picture = ImageSniffer.sniff(bytes.span) { return true }
        return false
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
