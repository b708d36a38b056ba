/// When a ``CachingImageLoader`` answers from what it keeps; the counterpart of
/// `URLRequest.CachePolicy`.
public enum CachePolicy: String, CaseIterable, Hashable, Sendable {
    /// From the cache first, else loads, and keeps what was loaded.
    case returnCacheElseLoad
    /// Loads, whatever is kept, and keeps what was loaded.
    case reloadIgnoringCache
    /// From the cache or not at all: what it lacks is ``EmblemError/failedToLoad(_:)`` of the
    /// class `offline`.
    case returnCacheDontLoad
}
