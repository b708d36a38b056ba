import FoundationEssentials
import Transport

/// Loads the pictures of emblems.
///
/// Write one to add a cache, headers or a source of your own, and set it for all emblems
/// (``DesignSystem/emblemImageLoader``), for one batch (``EmblemBatch/loader``) or for one emblem
/// (``AsyncEmblem/loader``). It is called from several tasks at once.
public protocol AsyncEmblemImageLoader: Sendable {
    /// The picture at `url`.
    ///
    /// What is thrown here arrives in ``AsyncImagePhase/failure(_:)`` as it is. When the task is
    /// cancelled, give up soon and throw `CancellationError`.
    func loadImage(from url: URL) async throws -> Image
}

/// A loader of ours that can leave the check of a whole picture to whoever draws it, so that no
/// picture is decoded twice.
protocol UncheckedImageLoader: AsyncEmblemImageLoader {
    /// The picture at `url`, at which nobody has looked.
    func loadUnchecked(from url: URL) async throws -> HeldImage
}

/// A picture, and what tells the network loader that its bytes are still in memory.
struct HeldImage: Sendable {
    let image: Image
    var body: NetworkBody?
}
