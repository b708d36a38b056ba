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
            start + ##"{"$value":"#111","$extensions":{"mode":{"dark":"#222"}}}}}}}"##,
            start
                + ##"{"$value":"#333","$extensions":{"mode":{"light":"#111","dark":"#222"}}}}}}}"##,
            start
                + ##"{"$value":"#111","$extensions":{"com.figma":{"modes":{"Dark":"#222"}}}}}}}}"##,
            ##"{"light":{"theme":{"color":{"background":{"brand-subtle":"#111"}}}},"##
                + ##""dark":{"theme.color.background.brand-subtle":"#222"}}"##,
            ##"{"$description":"x","theme":{"light":{"color":{"background":{"brand-subtle":"##
                + ##"{"$value":"#111"}}}},"dark":{"color":{"background":{"brand-subtle":"#222"}}}}}"##,
            ##"{"my":{"light":{"c":"#111"},"dark":{"c":"#222"}},"##
                + ##""theme":{"color":{"background":{"brand-subtle":"{my.c}"}}}}"##,
            ##"{"my":{"light":"#111","dark":"#222"},"theme":{"color":{"background":{"##
                + ##""brand-subtle":{"light":"{my.light}","dark":"{my.dark}"}}}}}"##,
            ##"{"my":{"light":{"c":"#111"},"dark":{"c":"#222"}},"theme":{"color":{"background":{"##
                + ##""brand-subtle":{"light":"{my.light.c}","dark":"{my.dark.c}"}}}}}"##,
        ])
    func ways(text: String) throws {
        let theme = try layered(text)
        #expect(theme.brand(.light) == "#111111")
        #expect(theme.brand(.dark) == "#222222")
        #expect(try warnings(text).allSatisfy { $0.contains("2025.10") })
    }

    @Test("a group for one scheme leaves the other unchanged")
    func oneScheme() throws {
        let theme = try layered(
            ##"{"dark":{"theme":{"color":{"background":{"brand-subtle":"#222"}}}}}"##)
        #expect(theme.brand(.light) == Theme.builtIn.brand(.light))
        #expect(theme.brand(.dark) == "#222222")
    }

    @Test("scheme names nested in a scheme are normal names at any depth")
    func nested() {
        var text = "\"#123\""
        for _ in 0..<60 { text = "{\"light\":\(text),\"dark\":\(text.count < 4_000 ? text : "1")}" }
        #expect(refusal("{\"my\":\(text)}") == nil)
    }

    @Test("an error inside the group of a scheme names the whole path")
    func path() {
        let text = "{\"dark\":{\n\"theme\":{\"color\":{\"foreground\":{\n\"subtle\":\"red\"}}}}}"
        #expect(
            refusal(text)
                == "my.json:3: dark.theme.color.foreground.subtle: bad colour red; "
                + "write #RGB, #RRGGBB or #RRGGBBAA.")
    }

    @Test("a dimension that differs between schemes is reported, and the light one is used")
    func dimensions() throws {
        let text = ##"{"theme":{"dimension":{"radius":{"emblem":{"sm":{"light":3,"dark":5}}}}}}"##
        #expect(try layered(text).radius(of: .small) == 3)
        #expect(try warnings(text).count == 1)
        #expect(try warnings(text).first?.contains("using the light one") == true)
    }
}
