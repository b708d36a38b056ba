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

    @Test(
        "an error in a string file is named with its line",
        arguments: [
            ("{\"a\": \"b\"\n\"c\": \"d\"}", 2), ("\"a\" = \"b\";", 1), ("[]", 1), ("", 1),
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
