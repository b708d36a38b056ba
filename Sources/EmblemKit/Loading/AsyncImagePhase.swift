/// A phase of loading an image. Corresponds to SwiftUI's `AsyncImagePhase`.
public enum AsyncImagePhase: Sendable {
    /// Nothing has been loaded yet.
    case empty
    /// The image was loaded.
    case success(Image)
    /// Loading failed. Errors of the library are ``EmblemError``; errors of a custom loader are
    /// passed unchanged.
    case failure(any Error)

    init(_ result: Result<Image, any Error>) {
        switch result {
        case .success(let image): self = .success(image)
        case .failure(let error): self = .failure(error)
        }
    }

    /// The image, if it was loaded.
    public var image: Image? {
        if case .success(let image) = self { image } else { nil }
    }

    /// The error, if loading failed.
    public var error: (any Error)? {
        if case .failure(let error) = self { error } else { nil }
    }
}
