import EmblemKit
import FoundationEssentials
import Support
import Testing

@Suite("Themes of tenants")
struct TenantTests {
    private static func theme(_ shade: String) throws -> Theme {
        let json = ##"{"theme":{"color":{"emblem":{"danger":{"background":"\##(shade)"}}}}}"##
        return try Theme(name: shade, json: json.utf8)
    }

    private func ground(_ image: Image) throws -> [UInt8] {
        try TestPictures.pixel(image.width / 2, 2, of: image)
    }

    @Test("the theme of a component precedes that of its task, which precedes the program's")
    func precedence() async throws {
        let (own, tasks) = (try Self.theme("#010203"), try Self.theme("#040506"))
        var emblem = AsyncEmblem(source: .icon(.lock), appearance: .danger)
        try await Theme.withCurrent(tasks) { () async throws in
            #expect(Theme.current == tasks)
            #expect(Theme.colors.emblem(.danger).background.light.hex == "#040506")
            #expect(DesignSystem.shared.theme.name != tasks.name)
            #expect(try await ground(emblem.render().image) == [4, 5, 6, 255])
            emblem.theme = own
            #expect(try await ground(emblem.render().image) == [1, 2, 3, 255])
            #expect(try await emblem.svg().contains("#010203"))
            #expect(try ground(emblem.shimmer.frame(0)) == [1, 2, 3, 255])
            let inner = Theme.withCurrent(own) { Theme.current }
            #expect(inner == own && Theme.current == tasks)
        }
        #expect(Theme.current.name != tasks.name)
    }

    @Test("the theme of a tenant applies to child tasks and not to detached tasks")
    func inheritance() async throws {
        let tasks = try Self.theme("#040506")
        let names = await Theme.withCurrent(tasks) {
            async let child = Theme.current.name
            let task = await Task { Theme.current.name }.value
            let detached = await Task.detached { Theme.current.name }.value
            return [await child, task, detached == tasks.name ? "leaked" : "apart"]
        }
        #expect(names == [tasks.name, tasks.name, "apart"])
    }

    @Test("the closure of a tenant's theme keeps the type of its error")
    func errors() async throws {
        let theme = try Self.theme("#040506")
        let thrown = #expect(throws: EmblemError.self) {
            try Theme.withCurrent(theme) { () throws(EmblemError) in
                try Badge(text: " ").render()
            }
        }
        #expect(thrown.map { "\($0)".contains("character") } == true)
        await #expect(throws: OwnError(word: "late")) {
            try await Theme.withCurrent(theme) { () async throws(OwnError) in
                throw OwnError(word: "late")
            }
        }
    }

    @Test("a style reads the measures of the theme in which its view is drawn")
    func styles() throws {
        let theme = try Theme(
            name: "roomy", json: #"{"theme":{"dimension":{"spacing":{"xxl":51}}}}"#.utf8)
        let params = StateViewInitParams(
            configuration: NoResultsStateViewConfiguration(),
            style: { $0.padding = DesignSystem.shared.spacer.xxl })
        #expect(StateView(params: params, theme: theme).settings.padding == 51)
        #expect(StateView(params: params).settings.padding == DesignSystem.shared.spacer.xxl)
    }
}
