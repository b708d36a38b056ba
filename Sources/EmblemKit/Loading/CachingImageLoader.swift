import FoundationEssentials

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
    private let shelf: ImageShelf
    private let loads = SharedLoads()

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
        shelf = ImageShelf(bytesLimit: bytesLimit)
    }

    /// A loader that shares the cache of this one, under another policy.
    public func following(_ policy: CachePolicy) -> CachingImageLoader {
        CachingImageLoader(base, policy, shelf)
    }

    private init(_ base: any AsyncEmblemImageLoader, _ policy: CachePolicy, _ shelf: ImageShelf) {
        self.base = base
        self.policy = policy
        self.shelf = shelf
    }

    public func loadImage(from url: URL) async throws -> Image {
        if policy != .reloadIgnoringCache, let kept = shelf.image(for: url) { return kept }
        guard policy != .returnCacheDontLoad else { throw EmblemError.offline }
        return try await loads.image(for: url) { [base, shelf] in
            let image = try await base.loadImage(from: url)
            shelf.keep(image, for: url)
            return image
        }
    }

    /// Lets go of everything that is kept.
    public func removeAll() {
        shelf.removeAll()
    }
}
