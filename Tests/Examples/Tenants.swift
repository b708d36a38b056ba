import EmblemKit
import Foundation

/// A tenant of the server, with a theme.
struct Tenant: Sendable {
    let name: String
    let theme: Theme
}

/// A merchant in a tenant's list.
struct Merchant: Sendable {
    let id: String
    let name: String
    let logo: URL?
    let news: Int
}

/// A user of a tenant.
struct Person: Sendable {
    let name: String
    let portrait: URL?
}

/// A server with several tenants.
enum Tenants {
    static func theme() throws -> Theme {
        let tokens = ##"{"theme": {"color": {"background": {"brand": "#8A3B12"}}}}"##
        let autumn = try Theme(name: "autumn", json: tokens.utf8)
        return autumn
    }

    static func request(_ logo: URL?, of tenant: Tenant) async throws -> RenderedEmblem {
        let emblem = try await Theme.withCurrent(tenant.theme) {
            try await AsyncEmblem(url: logo, layout: .large).render(scale: 2)
        }
        return emblem
    }

    static func limited(_ logo: URL?) async throws -> RenderedEmblem {
        var decoding = Decoding.current
        decoding.pixelsLimit = 16_000_000
        let emblem = try await Decoding.withCurrent(decoding) {
            try await AsyncEmblem(url: logo).render(scale: 2)
        }
        return emblem
    }

    static func limitProgram() {
        DesignSystem.shared.decoding.queueLimit = 200
        DesignSystem.shared.decoding.timeout = .seconds(10)
    }

    static func list(_ merchants: [Merchant], of tenant: Tenant) async {
        let items = merchants.map { merchant in
            EmblemItem(
                url: merchant.logo, id: merchant.id, label: merchant.name,
                badge: merchant.news > 0 ? Badge(text: "\(merchant.news)") : nil)
        }
        var batch = EmblemBatch(items)
        batch.theme = tenant.theme
        for await outcome in batch {
            print(outcome.item.id ?? "", outcome.status, outcome.progress)
        }
    }

    static func users(_ people: [Person]) async {
        var batch = AvatarBatch(people.map { EmblemItem(url: $0.portrait, label: $0.name) })
        batch.layouts = [.small, .large]
        for await outcome in batch {
            print(outcome.progress, outcome.status, outcome.avatars.map(\.image.width))
        }
    }

    static func roomyAbove() -> Style<StateView.Settings> {
        let roomyAbove: Style<StateView.Settings> = {
            $0.insets = EdgeInsets(top: 64, leading: 24, bottom: 24, trailing: 24)
        }
        return roomyAbove
    }
}
