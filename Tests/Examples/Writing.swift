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
}
