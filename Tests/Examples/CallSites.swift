import EmblemKit
import Foundation

/// Call sites as users of other image libraries and of web frameworks write them. A comment says
/// where the library differs from what they would guess.
enum CallSites {
    /// A progress bar of a user.
    struct Bar {
        func set(_ fraction: Double?) { print(fraction ?? 0) }
    }

    static func components(_ logo: URL, _ bytes: Data, _ tokens: Data) async throws {
        let drawn = try await AsyncEmblem(url: logo, layout: .large).render(scale: 2)
        let theme = try Theme(name: "tokens", json: tokens)
        print(drawn.isPlaceholder, theme.name, Emblem.Layout.large.points)

        var emblem = AsyncEmblem(url: logo)
        emblem.decoding = Decoding(.strict)
        emblem.fitting.padding = .safe
        // The memberwise form `.init(trim: .auto, padding: .safe)` does not exist.
        emblem.fitting.trim = .auto
        // Instead of `emblem.badge("3")`: components are values with properties, not chains.
        emblem.badge = Badge(text: "3")
        print(try await emblem.render().image.width)

        // Instead of `AsyncEmblem(data:)`: every kind of source has one initialiser.
        let uploaded = AsyncEmblem(source: .data(bytes))
        print(try await uploaded.render().isPlaceholder)

        _ = try await Avatar(appearance: .name("Ada Lovelace")).render()
        let avatar = try await Avatar(name: "Ada Lovelace").render(scale: 2)
        print(avatar.appearance)
        // Instead of `StateView(title:)`: the texts of a state are its configuration.
        let state = StateView(GenericStateViewConfiguration(title: "Payment complete"))
        print(try state.render().width)
    }

    static func encoding(_ drawn: RenderedEmblem, accept: String?) async throws -> Response {
        let body = try await drawn.image.data(as: .webp)
        // Instead of `webpData(quality: .lossless)`: one function for all formats.
        let exact = try await drawn.image.data(as: .webp, quality: .lossless)
        print(body.count, exact.count)
        // Instead of `image.rgba`: pixels leave the library as a file.
        print(try await drawn.image.data(as: .png).count)
        // Instead of `drawn.encoded(for:)`: the server decides which formats it offers.
        guard let format = FileFormat(accepting: accept, from: [.avif, .webp, .png]) else {
            return Response(status: 406)
        }
        let reply = try await drawn.image.data(as: format)
        let headers = ["content-type": format.mediaType, "etag": "\(EntityTag(of: reply))"]
        return Response(status: 200, headers: headers, body: reply)
    }

    static func errors(_ drawn: RenderedEmblem, _ upload: Data) async throws -> Response {
        var cache = "max-age=86400"
        if let error = drawn.error as? EmblemError, error.isRetryable { cache = "max-age=60" }
        if case EmblemError.failedToLoad(let cause)? = drawn.error { print(cause.errorClass) }
        do {
            let image = try await Image(data: upload)
            let body = try await image.data(as: .png)
            return Response(status: 200, headers: ["cache-control": cache], body: body)
        } catch EmblemError.busy(let reason) {
            // The value is the reason. How long to wait is the server's decision.
            return Response(status: 503, headers: ["retry-after": "1", "x-reason": reason])
        } catch let error as any LocalizedError {
            print(error.errorDescription ?? "")
            throw EmblemError.failedToLoad(
                EmblemError.Cause(errorClass: "mine", status: 507, reason: "no room"))
        }
    }

    static func limits(_ logo: URL) async throws {
        var emblem = AsyncEmblem(url: logo)
        // Instead of `.init(pixelsLimit:timeout:)`: limits are set on the current ones.
        var decoding = Decoding.current
        decoding.pixelsLimit = 16_000_000
        decoding.timeout = .seconds(2)
        emblem.decoding = decoding
        let drawn = try await emblem.render(scale: 2)
        print(drawn.isPlaceholder)
    }

    static func loaders(_ token: String) throws -> NetworkImageLoader {
        var settings = NetworkImageLoader.Settings()
        // Instead of `allowedHosts`: all public hosts are allowed, and private ones by name.
        settings.allowedPrivate = ["10.0.0.5:9000"]
        // Instead of `NetworkImageLoader(headers: [:])`: a header may be invalid, so it throws.
        settings.headers = [try .init("Accept-Language", "en")]
        let loader = NetworkImageLoader(settings)
        return loader.adding([try .init("Authorization", "Bearer \(token)")])
    }

    static func batches(_ logos: [URL], to folder: URL, of tenant: Tenant) async throws {
        let batch = EmblemBatch(urls: logos)
        for await outcome in batch.prefix(3) { print(outcome.status) }
        let bar = Bar()
        // Instead of a `URL`: the folders of the library are paths.
        for try await step in batch.writing(to: folder.path) { bar.set(step.fraction) }
        try await Theme.withCurrent(tenant.theme) { try await batch.write(to: folder.path) }
    }

    static func lifecycle(_ services: [any Service]) async -> [any Service] {
        await DesignSystem.shared.shutdown()
        // Instead of `DesignSystem.shared.lifecycle`: the library does not depend on that package.
        return services + [EmblemService()]
    }
}
