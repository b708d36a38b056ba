import Testing
import Theming

@Suite("Light and dark in a file")
struct SchemeFormTests {
    private static let start = ##"{"theme":{"color":{"background":{"brand-subtle":"##

    @Test(
        "common ways to write both schemes are equivalent",
        arguments: [
            start + ##"{"light":"#111","dark":"#222"}}}}}"##,
            start + ##"{"$type":"color","light":{"$value":"#111"},"dark":{"$value":"#222"}}}}}}"##,
            start + ##"{"$value":{"light":"#111","dark":"#222"}}}}}}"##,
            ##"{"my":{"c":{"light":"#111","dark":"#222"}},"theme":{"color":{"background":{"##
                + ##""brand-subtle":"{my.c}"}}}}"##,
        ])
    func ways(text: String) throws {
        let theme = try layered(text)
        #expect(theme.brand(.light) == "#111111")
        #expect(theme.brand(.dark) == "#222222")
        #expect(try warnings(text).isEmpty)
    }

    @Test("scheme names above other groups are normal names at any depth")
    func nested() {
        var text = "\"#123\""
        for _ in 0..<60 { text = "{\"light\":\(text),\"dark\":\(text.count < 4_000 ? text : "1")}" }
        #expect(refusal("{\"my\":\(text)}") == nil)
    }

    @Test("a dimension that differs between schemes is reported, and the light one is used")
    func dimensions() throws {
        let text = ##"{"theme":{"dimension":{"radius":{"emblem":{"sm":{"light":3,"dark":5}}}}}}"##
        #expect(try layered(text).radius(of: .small) == 3)
        #expect(try warnings(text).count == 1)
        #expect(try warnings(text).first?.contains("using the light one") == true)
    }
}
