import EmblemKit
import FoundationEssentials

/// A batch that is written into a folder.
enum Writing {
    struct Merchant: Sendable {
        let logo: URL?
        let id: String
    }

    static func write(_ merchants: [Merchant]) async throws {
        var batch = EmblemBatch(merchants.map { EmblemItem(url: $0.logo, id: $0.id) })
        batch.layouts = [.medium, .xLarge]
        let written = try await batch.write(to: "emblems", format: .webp)
        print(written.ok, "of", written.items, "in", written.manifest)
    }

    static func follow(_ merchants: [Merchant], in folder: String) async throws {
        let batch = EmblemBatch(merchants.map { EmblemItem(url: $0.logo, id: $0.id) })
        let run = batch.writing(to: folder)
        for try await step in run { print(step) }
        let written = try await run.value
        print(written.ok, "of", written.items)
    }
}
