import EmblemKit
import Foundation

/// A loader that sends a token to one host over https, and to no other host.
struct TokenLoader: AsyncEmblemImageLoader {
    private let host: String
    private let trusted: NetworkImageLoader
    private let others: NetworkImageLoader

    init(host: String, token: String, base: NetworkImageLoader = .standard) throws {
        let header = try NetworkImageLoader.Header("Authorization", "Bearer \(token)")
        self.host = host
        trusted = base.adding([header])
        others = base
    }

    func loadImage(from url: URL) async throws -> Image {
        let isTrusted = url.scheme == "https" && url.host() == host
        return try await (isTrusted ? trusted : others).loadImage(from: url)
    }
}

/// A loader for a server that scales images.
struct ScalingLoader: AsyncEmblemImageLoader {
    let base: NetworkImageLoader

    func loadImage(_ request: EmblemImageRequest) async throws -> Image {
        let width = URLQueryItem(name: "w", value: "\(request.pixels ?? 512)")
        let url = request.url.appending(queryItems: [width])
        return Image(encoded: try await base.loadData(from: url))
    }

    func loadImage(from url: URL) async throws -> Image {
        try await loadImage(EmblemImageRequest(url: url))
    }
}

/// Settings and headers of the network loader.
enum Requests {
    static func settings() -> NetworkImageLoader.Settings {
        var settings = NetworkImageLoader.Settings()
        settings.allowedPrivate = ["minio.internal", "10.0.0.5:9000", "10.1.0.0/16"]
        return settings
    }

    static func authorize(_ emblem: inout AsyncEmblem, _ secret: String) throws {
        let token = try NetworkImageLoader.Header("Authorization", "Bearer \(secret)")
        emblem.loader = NetworkImageLoader.standard.adding([token])
    }
}
