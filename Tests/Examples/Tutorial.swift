import EmblemKit
import Foundation

/// The program of the quick start and the steps of the tutorial.
enum Tutorial {
    static func gettingStarted() async throws {
        EmblemWorker.runIfAsked()

        let emblem = AsyncEmblem(url: URL(string: "https://cdn.example/acme.png"), layout: .large)
        let finished = try await emblem.render(scale: 2)
        try finished.image.pngData().write(to: URL(filePath: "acme.png"))
        print(finished.error.map { "a placeholder: \($0)" } ?? "acme.png")
    }

    static func emblem() async throws {
        EmblemWorker.runIfAsked()

        let emblem = AsyncEmblem(source: .local(name: "logo.png"), layout: .xLarge)
        let finished = try await emblem.render(scale: 2)
        try finished.image.pngData().write(to: URL(filePath: "emblem.png"))
    }

    static func placeholder() async throws {
        EmblemWorker.runIfAsked()

        let emblem = AsyncEmblem(
            source: .local(name: "none.png"), placeholder: .icon(.wallet), appearance: .category3,
            layout: .xLarge)
        let finished = try await emblem.render(scale: 2)
        try finished.image.pngData().write(to: URL(filePath: "placeholder.png"))
        if let error = finished.error { print(error) }
    }

    static func badge() throws {
        EmblemWorker.runIfAsked()

        let badge = Badge(text: "New", appearance: .success)
        try badge.render(scale: 2).pngData().write(to: URL(filePath: "badge.png"))
    }

    static func worn() async throws {
        EmblemWorker.runIfAsked()

        var emblem = AsyncEmblem(source: .local(name: "logo.png"), layout: .xLarge)
        emblem.badge = Badge(text: "3", appearance: .danger)
        let finished = try await emblem.render(scale: 2)
        try finished.image.pngData().write(to: URL(filePath: "worn.png"))
    }

    static func initials() async throws {
        EmblemWorker.runIfAsked()

        let ada = Avatar(layout: .large, appearance: .name("Ada Lovelace"))
        let finished = try await ada.render(scale: 2)
        try finished.image.pngData().write(to: URL(filePath: "initials.png"))
    }

    static func avatar() async throws {
        EmblemWorker.runIfAsked()

        var ada = Avatar(layout: .large, appearance: .image(.local(name: "logo.png")))
        ada.fallbacks = [.name("Ada Lovelace")]
        let finished = try await ada.render(scale: 2)
        try finished.image.pngData().write(to: URL(filePath: "avatar.png"))
    }

    static func failure() throws {
        EmblemWorker.runIfAsked()

        let view = StateView(
            params: StateViewInitParams(
                configuration: LoadingFailureStateViewConfiguration { print("again") }))
        try view.render(scale: 2).pngData().write(to: URL(filePath: "failure.png"))
    }

    static func done() throws {
        EmblemWorker.runIfAsked()

        let done = GenericStateViewConfiguration(
            iconName: "check", title: "Payment complete",
            firstButtonConfiguration: ButtonConfiguration(title: "Done"))
        let view = StateView(
            params: StateViewInitParams(configuration: done, style: { $0.appearance = .success }))
        try view.render(scale: 2).pngData().write(to: URL(filePath: "done.png"))
        try view.html().write(to: URL(filePath: "done.html"), atomically: true, encoding: .utf8)
    }

    static func shimmer() throws {
        EmblemWorker.runIfAsked()

        let shimmer = Shimmer(layout: .xLarge)
        try shimmer.webpData(scale: 2).write(to: URL(filePath: "loading.webp"))
    }

    /// Runs all steps in a folder that has a `logo.png`.
    static func all() async throws {
        try await emblem()
        try await placeholder()
        try badge()
        try await worn()
        try await initials()
        try await avatar()
        try failure()
        try done()
        try shimmer()
    }
}
