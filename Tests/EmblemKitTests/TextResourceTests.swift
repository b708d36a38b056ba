import Support
import Testing

@Suite("Texts next to the program")
struct TextResourceTests {
    /// Runs a program with texts in its folder.
    private func main(_ texts: String, in place: String = "") throws -> String {
        let program = try ScratchFolder()
        let probe = try program.install(Tool.path(of: "KitProbe"), as: "KitProbe")
        try program.write(Array(texts.utf8), to: place + "Localizable.json")
        return try Tool.run(probe, ["texts"]).output
    }

    @Test("texts next to the program are those of the main bundle")
    func mainBundle() throws {
        let texts = #"{"DesignSystem.stateView.noResultsTitle": "Nichts da"}"#
        #expect(try main(texts) == "Nichts da\n")
        #expect(try main(texts, in: "App.resources/") == "Nichts da\n")
        #expect(try main("{}") == "No results to show\n")
        #expect(try main("{\n\"a\": }").contains("Localizable.json: line 2"))
    }
}
