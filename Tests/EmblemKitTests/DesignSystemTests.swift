import EmblemKit
import FoundationEssentials
import Testing

/// Alone in changing what all share; others bring loaders of their own.
@Suite("The design system", .serialized)
struct DesignSystemTests {
    private func withLoader(
        _ loader: any AsyncEmblemImageLoader, _ body: () async throws -> Void
    ) async rethrows {
        let before = DesignSystem.shared.emblemImageLoader
        DesignSystem.shared.emblemImageLoader = loader
        defer { DesignSystem.shared.emblemImageLoader = before }
        try await body()
    }

    @Test("loads through the network until told otherwise")
    func standard() {
        #expect(DesignSystem.shared.emblemImageLoader is NetworkImageLoader)
    }

    @Test("its loader serves whoever brings none, and yields to those who do")
    func precedence() async throws {
        let shared = TestLoader(try TestPictures.image(10, 10))
        let own = TestLoader(try TestPictures.image(20, 20))
        try await withLoader(shared) {
            _ = try await AsyncEmblem(url: testURL()).render()
            for await phase in AsyncEmblem(url: try testURL()).phases() {
                #expect(phase.image?.width ?? 10 == 10)
            }
            for await outcome in EmblemBatch(urls: [try testURL()]) {
                #expect(outcome.status == .ok)
            }
            #expect(shared.count() == 3)
            var emblem = AsyncEmblem(url: try testURL())
            emblem.loader = own
            _ = try await emblem.render()
            var batch = EmblemBatch(urls: [try testURL()])
            batch.loader = own
            for await _ in batch {}
            #expect(shared.count() == 3 && own.count() == 2)
        }
    }

    @Test("can be set from many tasks while others use it")
    func concurrency() async throws {
        let image = try TestPictures.image()
        let loaders = (0..<8).map { _ in TestLoader(image) }
        let url = try testURL()
        try await withLoader(loaders[0]) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<200 {
                    group.addTask {
                        DesignSystem.shared.emblemImageLoader = loaders[index % 8]
                        let drawn = try await AsyncEmblem(url: url).render()
                        #expect(!drawn.isPlaceholder)
                    }
                }
                try await group.waitForAll()
            }
            #expect(loaders.map { $0.count() }.reduce(0, +) == 200)
        }
    }

    @Test("its renderer's theme is the one in which emblems are drawn")
    func theme() async throws {
        let before = DesignSystem.shared.renderer
        defer { DesignSystem.shared.renderer = before }
        let icon = AsyncEmblem(source: .icon(.lock), appearance: .category10)
        let plain = try await icon.render().image
        let tokens = """
            {"theme": {"color": {"emblem": {"category-10": {"background": "#00FF00"}}}}}
            """
        let renderer = try EmblemRenderer(theme: Array(tokens.utf8))
        DesignSystem.shared.renderer = renderer
        let themed = try await icon.render().image
        #expect(themed != plain)
        #expect(try themed == renderer.emblem(from: Image(icon: .lock), appearance: .category10))
    }
}
