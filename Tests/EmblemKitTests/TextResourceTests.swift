import EmblemKit
import FoundationEssentials
import Support
import Testing

@Suite("Texts in a resource folder")
struct TextResourceTests {
    private let folder: ScratchFolder
    private var resources: URL { URL(filePath: folder.path) }

    init() throws {
        folder = try ScratchFolder()
        for (prefix, word) in [
            ("de.lproj/", "Deutsch"), ("pt-BR.lproj/", "Brasil"), ("Base.lproj/", "Base"),
            ("", "Plain"),
        ] {
            try folder.write(
                Array("\"word\" = \"\(word)\";".utf8), to: prefix + "Localizable.strings")
        }
        try folder.write(Array(#"{"word": "Tisch"}"#.utf8), to: "de.lproj/Other.json")
    }

    @Test(
        "a resource folder provides texts in the first available language, or in the base one",
        arguments: [
            (["de"], "Deutsch"), (["de-AT", "pt"], "Deutsch"), (["fr", "pt-BR"], "Brasil"),
            (["pt"], "Base"), ([], "Base"), (["../de", "fr"], "Base"),
        ])
    func languages(languages: [String], word: String) throws {
        #expect(try TextBundle(resources: resources, languages: languages)["word"] == word)
    }

    @Test("a resource folder provides texts of the folder itself or of another table, or none")
    func places() throws {
        let plain = try ScratchFolder()
        #expect(try TextBundle(resources: URL(filePath: plain.path)) == [:])
        try plain.write(Array("\"a\" = \"b\";".utf8), to: "Localizable.strings")
        #expect(try TextBundle(resources: URL(filePath: plain.path))["a"] == "b")
        let table = try TextBundle(resources: resources, languages: ["de"], table: "Other")
        #expect(table["word"] == "Tisch")
    }

    @Test("texts of a resource folder that cannot be read name their file")
    func broken() throws {
        let file = try folder.write(Array("\"a\" \"b\";".utf8), to: "fr.lproj/Localizable.strings")
        let error = #expect(throws: EmblemError.self) {
            try TextBundle(resources: resources, languages: ["fr"])
        }
        #expect("\(error as Any)".contains(file))
    }

    /// Runs a program with texts in its folder, in the environment's language.
    private func main(_ language: String, _ texts: String) throws -> Tool.Ending {
        let program = try ScratchFolder()
        let probe = try program.install(Tool.path(of: "KitProbe"), as: "KitProbe")
        try program.write(Array(texts.utf8), to: "de.lproj/Localizable.strings")
        return try Tool.run(
            probe, ["texts"],
            environment: ["LANG": language, "LC_ALL": "", "LC_MESSAGES": "", "LANGUAGE": ""])
    }

    @Test("texts next to the program are those of the main bundle")
    func mainBundle() throws {
        let texts = "\"DesignSystem.stateView.noResultsTitle\" = \"Nichts da\";"
        #expect(try main("de_AT.UTF-8", texts).output == "Nichts da\n")
        #expect(try main("C", texts).output == "No results to show\n")
        let broken = try main("de_DE.UTF-8", "\"a\" \"b\";").output
        #expect(broken.contains("de.lproj/Localizable.strings: line 1"), "\(broken)")
    }
}
