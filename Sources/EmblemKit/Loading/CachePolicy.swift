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
