import EmblemKit
import Foundation

/// A loader that sends a token to one host over https, and to no other host.
struct TokenLoader: AsyncEmblemImageLoader {
    private let host: String
    private let trusted: NetworkImageLoader
    private let others: NetworkImageLoader

    init(
        host: String, token: String,
        settings: NetworkImageLoader.Settings = NetworkImageLoader.Settings()
    ) throws {
        var trusting = settings
        trusting.headers.append(
            try NetworkImageLoader.Header("Authorization", "Bearer \(token)"))
        self.host = host
        trusted = NetworkImageLoader(trusting)
        others = NetworkImageLoader(settings)
    }

    func loadImage(from url: URL) async throws -> Image {
        let isTrusted = url.scheme == "https" && url.host() == host
        return try await (isTrusted ? trusted : others).loadImage(from: url)
    }
}
