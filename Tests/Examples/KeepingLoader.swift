import EmblemKit
import Foundation

/// A loader that keeps every image that it loads.
actor KeepingLoader: AsyncEmblemImageLoader {
    private let base: any AsyncEmblemImageLoader
    private var kept: [URL: Image] = [:]

    init(_ base: any AsyncEmblemImageLoader) {
        self.base = base
    }

    func loadImage(from url: URL) async throws -> Image {
        if let image = kept[url] { return image }
        let image = try await base.loadImage(from: url)
        kept[url] = image
        return image
    }
}
