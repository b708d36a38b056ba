import FoundationEssentials
import Transport

/// A type that loads the images of emblems.
///
/// Implement it to add a cache, headers or another kind of source. Set the loader for all emblems
/// (``DesignSystem/emblemImageLoader``), for a batch (``EmblemBatch/loader``) or for one emblem
/// (``AsyncEmblem/loader``). Several tasks call it at once.
public protocol AsyncEmblemImageLoader: Sendable {
    /// Loads the image at `url`.
    ///
    /// Errors are passed unchanged to ``AsyncImagePhase/failure(_:)``. When the task is cancelled,
    /// return soon and throw `CancellationError`.
    func loadImage(from url: URL) async throws -> Image
}

/// A loader that can leave the check of the whole image to the renderer, so that no image is
/// decoded twice.
protocol UncheckedImageLoader: AsyncEmblemImageLoader {
    /// Loads the image at `url` without decoding it.
    func loadUnchecked(from url: URL) async throws -> HeldImage
}

/// An image, with a token that tells the network loader that the bytes are still in memory.
struct HeldImage: Sendable {
    let image: Image
    var body: NetworkBody?
}
