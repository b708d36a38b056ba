import EmblemKit
import Foundation

/// Somebody whose pictures a server draws, in colours of their own.
struct Tenant: Sendable {
    let name: String
    let theme: Theme
}

/// A server of several tenants.
enum Tenants {
    static func theme() throws -> Theme {
        let tokens = ##"{"theme": {"color": {"background": {"brand": "#8A3B12"}}}}"##
        let autumn = try Theme(string: tokens, name: "autumn")
        return autumn
    }

    static func request(_ logo: URL?, of tenant: Tenant) async throws -> RenderedEmblem {
        let emblem = try await Theme.withCurrent(tenant.theme) {
            try await AsyncEmblem(url: logo, layout: .large).render(scale: 2)
        }
        return emblem
    }

    static func roomyAbove() -> Style<StateView.Settings> {
        let roomyAbove: Style<StateView.Settings> = {
            $0.insets = EdgeInsets(top: 64, leading: 24, bottom: 24, trailing: 24)
        }
        return roomyAbove
    }
}
