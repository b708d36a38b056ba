import EmblemKit
import Foundation

/// The components in the documentation, except state views.
enum Components {
    static func badge(_ file: URL) throws {
        let badge = Badge(text: "New", appearance: .success)
        try badge.render(scale: 2).pngData().write(to: file)
    }

    static func emblem(_ logo: URL?, to file: URL) async throws {
        var emblem = AsyncEmblem(url: logo, appearance: .category2, layout: .xLarge)
        emblem.badge = Badge(text: "3", appearance: .danger)
        emblem.accessibility.label = "Acme Bank, three new messages"
        let dark = try await emblem.render(scale: 3, scheme: .dark)
        let webp = try await dark.image.data(as: .webp)
        try webp.write(to: file.appendingPathExtension("webp"))
        try await emblem.svg().write(
            to: file.appendingPathExtension("svg"), atomically: true, encoding: .utf8)
    }

    static func avatar(_ file: URL) async throws {
        let avatar = Avatar(layout: .large, appearance: .initials("JD"))
        let finished = try await avatar.render(scale: 2)
        try finished.image.pngData().write(to: file)
    }

    static func portrait(_ portrait: URL?) async throws -> RenderedAvatar {
        let ada = Avatar(url: portrait, name: "Ada Lovelace", layout: .medium)
        return try await ada.render()
    }

    static func shimmer(_ logo: URL?, to file: URL) async throws {
        let shimmer = AsyncEmblem(url: logo, layout: .large).shimmer
        try await shimmer.data(as: .webp, scale: 2).write(to: file)
    }

    static func loading(_ logo: URL?) async throws {
        let emblem = AsyncEmblem(url: logo)
        for await phase in emblem.phases() {
            let shown =
                switch phase {
                case .empty: try emblem.shimmer.frame(0)
                case .success, .failure: try await emblem.render(phase).image
                }
            print(shown.width)
        }
    }

    static func logos(_ logos: [URL?]) async {
        var batch = EmblemBatch(urls: logos)
        batch.fitting.trim = .auto
        batch.fitting.padding = .safe
        for await outcome in batch { print(outcome.index, outcome.lint) }
    }

    static func look(_ logos: [URL?]) async {
        var batch = EmblemBatch(urls: logos)
        batch.look = .photos
        for await outcome in batch { print(outcome.index, outcome.status) }
    }

    static func schemes(_ logos: [URL?]) async {
        var batch = EmblemBatch(urls: logos)
        batch.schemes = [.light, .dark]
        batch.bytesLimit = 32 << 20
        for await outcome in batch {
            guard let light = outcome.emblem(.medium),
                let dark = outcome.emblem(.medium, scheme: .dark)
            else { continue }
            print(outcome.index, light != dark)
        }
    }

    static func system() {
        let system = DesignSystem.shared
        system.styles.stateView = { $0.padding = DesignSystem.shared.spacer.xxl }
        print(system.spacer.md, system.cornerRadius.lg, system.typography.title.size)
    }
}
