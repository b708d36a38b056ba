/// How far the loading of a picture has come; the counterpart of SwiftUI's `AsyncImagePhase`.
public enum AsyncImagePhase: Sendable {
    /// Nothing has been loaded yet.
    case empty
    /// The picture, as it was loaded.
    case success(Image)
    /// No picture will come. Errors of ours are ``EmblemError``, those of a custom loader are
    /// handed on as they were thrown.
    case failure(any Error)

    init(_ result: Result<Image, any Error>) {
        switch result {
        case .success(let image): self = .success(image)
        case .failure(let error): self = .failure(error)
        }
    }

    /// The picture, where it was loaded.
    public var image: Image? {
        if case .success(let image) = self { image } else { nil }
    }

    /// The error, where loading failed.
    public var error: (any Error)? {
        if case .failure(let error) = self { error } else { nil }
    }
}
