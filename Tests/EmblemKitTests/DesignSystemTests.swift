import EmblemKit
import FoundationEssentials
import Testing

extension SharedStateTests {
    /// Tests of the shared loader, theme and styles.
    @Suite("The design system")
    struct DesignSystemTests {
        private func withLoader(
            _ loader: any AsyncEmblemImageLoader, _ body: () async throws -> Void
        ) async rethrows {
            let before = DesignSystem.shared.emblemImageLoader
            DesignSystem.shared.emblemImageLoader = loader
            defer { DesignSystem.shared.emblemImageLoader = before }
            try await body()
        }

        @Test("the loader of the design system is used unless a component has its own")
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

        @Test("concurrent changes to parts of a setting are all kept")
        func update() async {
            let before = DesignSystem.shared.decoding
            defer { DesignSystem.shared.decoding = before }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<500 {
                            DesignSystem.shared.update { $0.decoding.timeout += .milliseconds(1) }
                            // A change of another part must not overwrite the timeout.
                            DesignSystem.shared.update { $0.decoding.memoryLimit = 1 << 30 }
                        }
                    }
                }
            }
            #expect(DesignSystem.shared.decoding.timeout == before.timeout + .seconds(4))
        }

        @Test("emblems are drawn in the theme of the design system")
        func theme() async throws {
            let before = DesignSystem.shared.theme
            defer { DesignSystem.shared.theme = before }
            let icon = AsyncEmblem(source: .icon(.lock), appearance: .category10)
            let plain = try await icon.render().image
            let tokens = """
                {"theme": {"color": {"emblem": {"category-10": {"background": "#00FF00"}}}}}
                """
            let theme = try Theme(name: "own", json: tokens.utf8)
            var own = icon
            own.theme = theme
            DesignSystem.shared.theme = theme
            let themed = try await icon.render().image
            #expect(themed != plain)
            #expect(try await themed == own.render().image)
        }

        @Test("the design system provides the measures and texts of the current theme")
        func measures() throws {
            let before = DesignSystem.shared.theme
            defer { DesignSystem.shared.theme = before }
            let system = DesignSystem.shared
            let spacer = system.spacer
            #expect(
                [spacer.xs, spacer.sm, spacer.md, spacer.lg, spacer.xl, spacer.xxl]
                    == [4, 8, 12, 16, 24, 32])
            let radius = system.cornerRadius
            #expect([radius.sm, radius.md, radius.lg, radius.xl] == [4, 8, 12, 16])
            #expect(Emblem.Layout.allCases.map { radius.emblem($0) } == [8, 12, 16, 20])
            #expect(system.typography.title.size > system.typography.subtitle.size)
            #expect(system.typography.title.weight == .semibold)
            #expect(system.typography.subtitle.color == Theme.colors.foreground.subtle)
            let tokens = """
                {"theme": {"dimension": {"radius": {"xl": 33},
                 "spacing": {"xxl": 50}}}}
                """
            system.theme = try Theme(name: "odd", json: Array(tokens.utf8))
            #expect(system.cornerRadius.xl == 33 && system.spacer.xxl == 50)
            #expect(Theme.current.name == "odd")
        }

        @Test("a shared style is applied before the style of a component")
        func styles() {
            let before = DesignSystem.shared.styles
            defer { DesignSystem.shared.styles = before }
            // Only this serialised suite uses these two styles.
            DesignSystem.shared.styles.tertiaryButton = { $0.padding = 77 }
            DesignSystem.shared.styles.stateView = { $0.thirdButton.cornerRadius = 7 }
            func settings(_ style: @escaping Style<StateView.Settings>) -> StateView.Settings {
                StateView(
                    params: StateViewInitParams(
                        configuration: NoResultsStateViewConfiguration(), style: style)
                ).settings
            }
            #expect(settings { _ in }.thirdButton.padding == 77)
            #expect(settings { _ in }.thirdButton.cornerRadius == 7)
            #expect(settings { $0.thirdButton.cornerRadius = 9 }.thirdButton.cornerRadius == 9)
        }
    }
}
