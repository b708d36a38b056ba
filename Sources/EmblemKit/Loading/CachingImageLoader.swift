import FoundationEssentials
import Raster
import System

/// Keeps pictures in memory in front of another loader.
///
/// It stands where `URLCache` and `NSCache` stand on Apple's systems. Equal URLs that are asked
/// for together are loaded once, and only pictures are kept: a failure is tried anew each time.
/// Pictures that nobody asked for lately make room for new ones.
///
/// For answers that outlive the program, by the rules that servers set, give a
/// ``NetworkImageLoader`` a ``NetworkImageLoader/Cache``.
public final class CachingImageLoader: AsyncEmblemImageLoader {
    /// When it answers from what it keeps.
    public let policy: CachePolicy
    private let base: any AsyncEmblemImageLoader
    private let pictures: BoundedCache<URL, Image>
    private let loads = SharedLoads<Image>()

    /// - Parameters:
    ///   - base: loads what is not kept.
    ///   - policy: when it answers from what it keeps.
    ///   - bytesLimit: the bytes of all pictures that are kept, as they came or in pixels.
    public init(
        _ base: any AsyncEmblemImageLoader = NetworkImageLoader.standard,
        policy: CachePolicy = .returnCacheElseLoad, bytesLimit: Int = 64 << 20
    ) {
        self.base = base
        self.policy = policy
        pictures = BoundedCache(weightLimit: bytesLimit)
    }

    /// A loader that shares the cache of this one, under another policy.
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

    /// Lets go of everything that is kept.
    public func removeAll() {
        pictures.removeAll()
    }
}

extension Image {
    /// The bytes that it holds in memory.
    var byteCount: Int {
        switch content {
        case .encoded(let bytes): bytes.count
        case .pixels: size.byteCount
        case .icon: 0
        }
    }
}
