import Artwork
import Testing

@Suite("String files")
struct StringsFileTests {
    private func read(_ text: String) throws -> [String: String] {
        try StringsFile.read(Array(text.utf8))
    }

    @Test("a string file may be flat or nested JSON")
    func json() throws {
        let flat = try read(#"{"stateView.noResultsTitle": "Nichts gefunden", "n": 3}"#)
        #expect(flat == ["stateView.noResultsTitle": "Nichts gefunden"])
        let nested = try read(#"{"stateView": {"noResultsTitle": "Rien"}}"#)
        #expect(StateTexts(nested)[.noResults, .title] == "Rien")
        #expect(StateTexts(nested)[.noResults, .subtitle]?.hasPrefix("We couldn't") == true)
    }

    @Test("a string file may have Apple's format with comments and escapes")
    func lines() throws {
        let text = """
            /* Shown when "nothing" loads;
               twice */
            "stateView.loadingFailureTitle" = "Geht \\"nicht\\"\\n\\U00e4";
            // a comment
            stateView.noConnectionButton = "Nochmal";
            "empty" = "";
            """
        let words = try read(text)
        #expect(words["stateView.loadingFailureTitle"] == "Geht \"nicht\"\nä")
        #expect(words["stateView.noConnectionButton"] == "Nochmal")
        #expect(words["empty"] == "")
        #expect(words.count == 3)
    }

    @Test("a string file may be UTF-16 in both byte orders")
    func utf16() throws {
        let units = Array("\"k\" = \"é→\";".utf16)
        func bytes(_ unit: UInt16) -> [UInt8] { [UInt8(unit & 255), UInt8(unit >> 8)] }
        let little: [UInt8] = [0xFF, 0xFE] + units.flatMap { bytes($0) }
        let big: [UInt8] = [0xFE, 0xFF] + units.flatMap { bytes($0).reversed() }
        #expect(try StringsFile.read(little) == ["k": "é→"])
        #expect(try StringsFile.read(big) == ["k": "é→"])
    }

    @Test(
        "an error in a string file is named with its line",
        arguments: [
            ("\"a\" = \"b\"\n\"c\" = \"d\";", 2), ("\"a\" \"b\";", 1), ("\n\n\"a\" = ;", 3),
            ("\"a\" = \"b", 1), ("/* no end\n", 1), ("\"a\" = \"\\Uzz\";", 1), ("\"", 1),
            ("a = \"\\", 1), ("= \"b\";", 1),
        ])
    func errors(text: String, line: Int) throws {
        let error = #expect(throws: StringsError.self) { try read(text) }
        #expect(error?.line == line)
        #expect(error?.description.isEmpty == false)
    }

    @Test("random bytes in a string file never trap")
    func noise() {
        var state: UInt64 = 7
        for round in 0..<2000 {
            let bytes = (0..<(round % 40)).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1
                let letters = Array("\"\\=;/*{}:[]ab\n\u{FF}".utf8) + [0xFF, 0xFE]
                return letters[Int(state >> 33) % letters.count]
            }
            do throws(StringsError) {
                _ = try StringsFile.read(bytes)
            } catch {
                #expect(error.line > 0)
            }
        }
    }
}
