import EmblemKit
import Foundation

/// The snippets of the documentation as functions that tests run.
enum Examples {
    static func render(_ logo: URL?, to file: URL) async throws {
        let emblem = AsyncEmblem(url: logo, layout: .large)
        let finished = try await emblem.render(scale: 2)
        try finished.image.pngData().write(to: file)
    }

    static func local(_ path: String) async throws -> RenderedEmblem {
        let row = AsyncEmblem(
            source: .local(name: path), placeholder: .icon(.wallet), appearance: .category3)
        return try await row.render()
    }

    static func theme(_ tokens: [UInt8]) throws {
        Theme.register(try Theme(name: "autumn", json: tokens))
        Theme.switchTo("autumn")
        let brand = Theme.colors.background.brand.light.hex
        print(brand)
    }

    static func themes(in folder: URL) {
        Theme.folders = [folder]
        Theme.switchTo("night")  // folder/night.json
        let color = Theme.colors.emblem(.success).background
        print(Theme.current.name, color.light.hex, color.dark.hex)
    }

    static func phases(_ logo: URL?) async {
        for await phase in AsyncEmblem(url: logo).phases() {
            switch phase {
            case .empty: print("loading")
            case .success(let picture): print("loaded \(picture.width) x \(picture.height)")
            case .failure(let error): print("failed: \(error)")
            }
        }
    }

    static func batch(_ logos: [URL?]) async {
        var batch = EmblemBatch(urls: logos)
        batch.layouts = [.small, .large]
        batch.scales = [1, 2]
        for await outcome in batch {
            let sizes = outcome.emblems.map { "\($0.image.width)" }
            print(outcome.index, outcome.status, sizes.joined(separator: " "))
        }
    }

    static func isolation() async {
        DesignSystem.shared.decoding.isolation = .strict
        DesignSystem.shared.update { $0.decoding.timeout = .seconds(10) }
        print(await DesignSystem.shared.decoding.settle())
    }

    static func cache(in folder: String) {
        var settings = NetworkImageLoader.Settings()
        settings.cache = NetworkImageLoader.Cache(folder: folder)
        let network = NetworkImageLoader(settings)
        DesignSystem.shared.emblemImageLoader = CachingImageLoader(network, bytesLimit: 128 << 20)
    }
}
