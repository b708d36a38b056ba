import EmblemKit
import Foundation

/// The program of the quick start.
enum QuickStart {
    static func run() async throws {
        EmblemWorker.runIfAsked()

        let emblem = AsyncEmblem(url: URL(string: "https://cdn.example/acme.png"), layout: .large)
        let finished = try await emblem.render(scale: 2)
        try finished.image.pngData().write(to: URL(filePath: "acme.png"))
        print(finished.error.map { "a placeholder: \($0)" } ?? "acme.png")
    }
}
