import Engine
import Transport

extension EmblemError {
    /// The error for bytes that are not an image. As a pattern, it matches every
    /// ``failedToDecode(_:)``.
    public static let failedToDecodeFromData = failedToDecode(
        "The data is not an image.", .notImage)

    /// Whether an error equals `pattern`, or both are failures to decode and the pattern is
    /// ``failedToDecodeFromData``.
    public static func ~= (pattern: EmblemError, error: EmblemError) -> Bool {
        if pattern == failedToDecodeFromData, case .failedToDecode = error { return true }
        return pattern == error
    }

    /// Whether an error of any type matches `pattern`.
    public static func ~= (pattern: EmblemError, error: any Error) -> Bool {
        guard let error = error as? EmblemError else { return false }
        return pattern ~= error
    }
}

extension CachePolicy {
    /// The name of ``returnCacheElseLoad`` on Apple platforms.
    public static let returnCacheDataElseLoad = returnCacheElseLoad
    /// The name of ``returnCacheDontLoad`` on Apple platforms.
    public static let returnCacheDataDontLoad = returnCacheDontLoad
    /// The name of ``reloadIgnoringCache`` on Apple platforms.
    public static let reloadIgnoringLocalCacheData = reloadIgnoringCache
}

extension CachingImageLoader {
    /// The cache of ``AsyncImage`` and ``ImageLoader``, in memory only: at most 64 MB of encoded
    /// images, of which the least recently used are removed first.
    ///
    /// Its policy is ``CachePolicy/returnCacheElseLoad``: an image stays until it is displaced, or
    /// removed with ``remove(_:)`` or ``removeAll()``. The cache ignores the age that a server
    /// sets. Its requests have no headers of the program, so that no image belongs to a user.
    public static let shared = CachingImageLoader()
}

extension DesignSystem {
    /// The loader that the program has set; otherwise the standard loader with a cache.
    var cachedImageLoader: any AsyncEmblemImageLoader { ownLoader ?? CachingImageLoader.shared }
}
