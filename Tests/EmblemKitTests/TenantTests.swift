import EmblemKit
import FoundationEssentials
import Support
import Testing

@Suite("Themes of tenants")
struct TenantTests {
    private static func theme(_ shade: String) throws -> Theme {
        try Theme(
            string: ##"{"theme":{"color":{"emblem":{"danger":{"background":"\##(shade)"}}}}}"##,
            name: shade)
    }

    private func ground(_ image: Image) throws -> [UInt8] {
        try TestPictures.pixel(image.width / 2, 2, of: image)
    }

    @Test("two tenants draw 10,000 times at the same time without a wrong colour")
    func tenants() async throws {
        let ending = try await apart {
            try Tool.run(Tool.path(of: "KitProbe"), ["tenants", "10000", "600"])
        }
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(
            ending.output.split(separator: "\n") == [
                "10000 in this program, 0 wrong", "600 by workers, 0 wrong",
                "600 of batches, 0 wrong", "switched",
            ], "\(ending.output)")
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
            string: #"{"theme":{"dimension":{"spacing":{"xxl":51}}}}"#, name: "roomy")
        let params = StateViewInitParams(
            configuration: NoResultsStateViewConfiguration(),
            style: { $0.padding = DesignSystem.shared.spacer.xxl })
        #expect(StateView(params: params, theme: theme).settings.padding == 51)
        #expect(StateView(params: params).settings.padding == DesignSystem.shared.spacer.xxl)
    }

    @Test("a theme from text or bytes may hold some of the tokens, for light and dark screens")
    func texts() throws {
        let text = """
            {"theme": {"color": {"emblem": {"danger": {
              "background": {"light": "#0A0B0C", "dark": "#0D0E0F"}}}}}}
            """
        for theme in [
            try Theme(string: text, name: "t"), try Theme(data: Data(text.utf8), name: "t"),
        ] {
            let color = theme.colors.emblem(.danger).background
            #expect(color.light.hex == "#0A0B0C" && color.dark.hex == "#0D0E0F", "\(color)")
            #expect(theme.colors.background.brand == Theme.builtIn.colors.background.brand)
            let (same, other) = (try Theme(string: text, name: "t"), try Theme(string: text))
            #expect(theme == same && theme != other && theme != .builtIn)
            #expect(theme.name == "t" && other.name == "theme")
        }
    }

    @Test(
        "a theme from text is refused with the message of a file, with its name as the path",
        arguments: [
            #"{"theme":"#, #"{"theme":{"color":{"background":{"brand":"red"}}}}"#,
            #"{"theme":{"color":{"background":{"brand":"{theme.none}"}}}}"#,
        ])
    func wrong(text: String) throws {
        let folder = try ScratchFolder()
        let file = try folder.write(Array(text.utf8), to: "t.json")
        func words(_ make: () throws -> Theme) throws -> String {
            let error = try #require(#expect(throws: EmblemError.self) { _ = try make() })
            guard case .theme(let reason) = error else { throw OwnError(word: "\(error)") }
            return reason
        }
        let inFile = try words { try Theme(contentsOf: URL(filePath: file)) }
        #expect(inFile.contains(file))
        let plain = inFile.replacing(file, with: "tenant 7")
        #expect(try words { try Theme(string: text, name: "tenant 7") } == plain)
        #expect(try words { try Theme(data: Data(text.utf8), name: "tenant 7") } == plain)
    }
}
