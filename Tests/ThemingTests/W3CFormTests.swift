import Raster
import Testing
import Theming

@Suite("The W3C form of 2025.10")
struct W3CFormTests {
    /// Returns a theme with the brand background `value` and `others` as further members.
    private func brand(_ value: String, _ others: String = "") throws -> String {
        try layered(
            "{" + others + ##""theme":{"color":{"background":{"brand-subtle":"##
                + "\(value)}}}}"
        ).brand()
    }

    @Test(
        "colours of other colour spaces are converted to sRGB",
        arguments: [
            ("srgb-linear", "1, 0.2158605, 0", "#FF8000"), ("hsl", "0, 100, 50", "#FF0000"),
            ("hsl", "-150, 50, 40", "#336699"),
            ("hwb", "210, 20, 40", "#336699"), ("hwb", "0, 80, 80", "#808080"),
            ("oklab", "0.62796, 0.22486, 0.12585", "#FF0000"),
            ("oklch", "0.62796, 0.25768, 29.234", "#FF0000"),
            ("lab", "54.29, 80.82, 69.89", "#FF0000"), ("lch", "54.29, 106.85, 40.85", "#FF0000"),
            ("display-p3", "0.9175, 0.2003, 0.1386", "#FF0000"),
            ("xyz-d65", "0.41239, 0.21264, 0.01933", "#FF0000"),
            ("xyz-d50", "0.43607, 0.22249, 0.01392", "#FF0000"),
            ("lab", "none, none, none", "#000000"),
        ].map { ($0.0, $0.1.replacing("none", with: "\"none\""), $0.2) })
    func spaces(space: String, components: String, expected: String) throws {
        #expect(
            try brand(
                "{\"$value\":{\"colorSpace\":\"\(space)\",\"components\":[\(components)]}}")
                == expected)
    }

    @Test("a colour outside sRGB uses its hex value, or the nearest colour")
    func outside() throws {
        let green = ##"{"colorSpace":"display-p3","components":[0,1,0]"##
        #expect(try brand(green + ##","hex":"#00f900"}"##) == "#00F900")
        #expect(try brand(green + "}") == "#00FF00")
    }

    @Test(
        "components outside their colour space are invalid",
        arguments: [
            ("hsl", "0, 101, 0"), ("oklab", "2, 0, 0"), ("lch", "50, -1, 0"),
            ("display-p3", "1.1, 0, 0"), ("xyz-d65", "1e300, 0, 0"), ("lab", "50, 0"),
            ("lab", "50, \"x\", 0"),
        ])
    func badComponents(space: String, components: String) {
        let value = "{\"colorSpace\":\"\(space)\",\"components\":[\(components)]}"
        let text = ##"{"theme":{"color":{"background":{"brand-subtle":\##(value)}}}}"##
        #expect(refusal(text)?.contains("bad colour") == true)
    }

    @Test("a token with a value and child tokens is reported")
    func both() throws {
        #expect(
            try warnings(
                ##"{"theme":{"color":{"foreground":{"default":{"$value":{"colorSpace":"srgb","##
                    + ##""components":[0,0,0]},"pale":"#fff"}}}}}"##) == [
                    "my.json:1: theme.color.foreground.default: "
                        + "ignoring pale: a token with $value cannot have other tokens."
                ])
    }

    @Test("members that belong to other versions of the form are skipped")
    func skipped() throws {
        #expect(
            try brand(
                ##"{"$value":"{my.a}","$extensions":{"mode":{"dark":"#222"}}}"##,
                ##""my":{"$root":"#fff","$extends":"{x}","a":"#123456"},"##) == "#123456")
        let pointer = ##"{"theme":{"color":{"background":{"brand":{"$ref":"#/a"}}}}}"##
        #expect(refusal(pointer)?.contains("expected a colour, found a group") == true)
    }

    @Test("a type other than colour and dimension cannot replace one of them")
    func types() {
        let text =
            ##"{"theme":{"color":{"foreground":{"default":"##
            + ##"{"$type":"shadow","$value":"#fff"}}}}}"##
        #expect(refusal(text)?.contains("expected a colour, found the type shadow") == true)
        let alias =
            ##"{"theme":{"color":{"foreground":{"default":{"$type":"dimension","##
            + ##""$value":"{theme.color.foreground.subtle}"}}}}}"##
        #expect(refusal(alias)?.contains("expected a colour, found a dimension") == true)
    }
}
