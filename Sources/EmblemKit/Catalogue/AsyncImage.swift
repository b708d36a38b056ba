import FoundationEssentials

/// The values that closures make from the phases of loading an image. Corresponds to SwiftUI's
/// `AsyncImage`, with values of any type instead of views.
///
/// ```swift
/// let sizes = AsyncImage(url: logo) { image in
///     "\(image.width) pixels wide"
/// } placeholder: {
///     "no image"
/// }
/// for await text in sizes { print(text) }
/// ```
///
/// The image is not styled: for the look of an emblem use ``AsyncEmblem``. Loading starts when the
/// second value is requested and ends with the task. Unless the program sets
/// ``DesignSystem/Settings/emblemImageLoader``, loaded images stay in ``CachingImageLoader/shared``.
public struct AsyncImage<Content>: AsyncSequence, Sendable {
    private let emblem: AsyncEmblem
    private let content: @Sendable (AsyncImagePhase) -> Content

    /// Creates the values that `content` makes from each phase.
    public init(
        source: ImageSource, content: @escaping @Sendable (AsyncImagePhase) -> Content
    ) {
        emblem = .cached(source)
        self.content = content
    }

    /// Creates the values that `content` makes from each phase.
    public init(url: URL?, content: @escaping @Sendable (AsyncImagePhase) -> Content) {
        self.init(source: .remote(url: url), content: content)
    }

    /// Creates the values of `content` for the image, and those of `placeholder` before it and
    /// after a failure.
    public init(
        source: ImageSource, content: @escaping @Sendable (Image) -> Content,
        placeholder: @escaping @Sendable () -> Content
    ) {
        self.init(source: source) { phase in
            if case .success(let image) = phase { content(image) } else { placeholder() }
        }
    }

    /// Creates the values of `content` for the image, and those of `placeholder` before it and
    /// after a failure.
    public init(
        url: URL?, content: @escaping @Sendable (Image) -> Content,
        placeholder: @escaping @Sendable () -> Content
    ) {
        self.init(source: .remote(url: url), content: content, placeholder: placeholder)
    }

    /// Creates values from closures that return two types.
    public init<Success, Placeholder>(
        source: ImageSource, content: @escaping @Sendable (Image) -> Success,
        placeholder: @escaping @Sendable () -> Placeholder
    ) where Content == AsyncImageContent<Success, Placeholder> {
        self.init(source: source) { phase in
            AsyncImageContent(
                picture: phase, success: content, failureOrPlaceholder: placeholder)
        }
    }

    /// Creates values from closures that return two types.
    public init<Success, Placeholder>(
        url: URL?, content: @escaping @Sendable (Image) -> Success,
        placeholder: @escaping @Sendable () -> Placeholder
    ) where Content == AsyncImageContent<Success, Placeholder> {
        self.init(source: .remote(url: url), content: content, placeholder: placeholder)
    }

    public func makeAsyncIterator()
        -> AsyncMapSequence<AsyncStream<AsyncImagePhase>, Content>.AsyncIterator
    {
        emblem.phases().map(content).makeAsyncIterator()
    }
}

/// A value for the loaded image, or another one while there is no image.
public enum AsyncImageContent<Success, Placeholder> {
    /// The value for the image.
    case success(Success)
    /// The value while the image loads and after a failure.
    case failureOrPlaceholder(Placeholder)

    /// Creates the value for a phase.
    ///
    /// - Parameters:
    ///   - picture: The phase of loading.
    ///   - success: Makes the value for the image.
    ///   - failureOrPlaceholder: Makes the value for the other phases.
    public init(
        picture: AsyncImagePhase, success: (Image) -> Success,
        failureOrPlaceholder: () -> Placeholder
    ) {
        if case .success(let image) = picture {
            self = .success(success(image))
        } else {
            self = .failureOrPlaceholder(failureOrPlaceholder())
        }
    }
}

extension AsyncImageContent: Sendable where Success: Sendable, Placeholder: Sendable {}
extension AsyncImageContent: Equatable where Success: Equatable, Placeholder: Equatable {}

/// The name of ``AsyncImageContent`` in some catalogues.
public typealias DefaultAsyncImageContentView = AsyncImageContent

extension AsyncEmblem {
    /// Returns an emblem that loads with the loader of the program; by default it has a cache.
    static func cached(_ source: ImageSource) -> AsyncEmblem {
        var emblem = AsyncEmblem(source: source)
        emblem.loader = DesignSystem.shared.cachedImageLoader
        return emblem
    }
}
