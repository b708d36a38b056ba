import Testing
import Theming

@Suite("Errors in themes")
struct ThemeErrorTests {
    private static let brand = ##"{"theme":{"color":{"emblem":{"brand":{"background":"##
    private static let small = ##"{"theme":{"dimension":{"height":{"emblem":{"sm":"##
    private static let brandPath = "my.json:1: theme.color.emblem.brand.background: "
    private static let smallPath = "my.json:1: theme.dimension.height.emblem.sm: "
    private static let forms = "; write #RGB, #RRGGBB or #RRGGBBAA."

    @Test(
        "an invalid value is reported with its file, line, path and reason",
        arguments: [
            (brand + ##""{no.where}""##, brandPath + "unknown reference {no.where}."),
            (
                brand + ##""{theme.color.emblem.brand.background}""##,
                brandPath + "the references form a cycle: theme.color.emblem.brand.background -> "
                    + "theme.color.emblem.brand.background."
            ),
            (brand + "12", brandPath + "wrong type: expected a colour, found a number."),
            (brand + "null", brandPath + "wrong type: expected a colour, found null."),
            (brand + "[]", brandPath + "wrong type: expected a colour, found an array."),
            (brand + "true", brandPath + "wrong type: expected a colour, found a boolean."),
            (brand + "{}", brandPath + "wrong type: expected a colour, found a group."),
            (
                brand + ##"{"x":"#fff"}"##,
                brandPath + "wrong type: expected a colour, found a group."
            ),
            (brand + ##""red""##, brandPath + "bad colour red" + forms),
            (brand + ##""#12""##, brandPath + "bad colour #12" + forms),
            (brand + ##""#12345g""##, brandPath + "bad colour #12345g" + forms),
            (brand + ##""""##, brandPath + "bad colour " + forms),
            (brand + ##""{}""##, brandPath + "bad colour {}" + forms),
            (
                brand + ##"{"colorSpace":"srgb","components":[2,0,0]}"##,
                brandPath + ##"bad colour {"colorSpace":"srgb","components":[2,0,0]}"## + forms
            ),
            (
                brand + ##"{"colorSpace":"srgb","components":[0,0]}"##,
                brandPath + ##"bad colour {"colorSpace":"srgb","components":[0,0]}"## + forms
            ),
            (
                brand + ##"{"colorSpace":"a98-rgb","components":[0,0,0]}"##,
                brandPath + ##"bad colour {"colorSpace":"a98-rgb","components":[0,0,0]}; "##
                    + "add a \"hex\" value, or use one of srgb, hsl, hwb, lab, lch, "
                    + "oklab, oklch, srgb-linear, display-p3, xyz-d50, xyz-d65."
            ),
            (
                brand + ##"{"colorSpace":"a98-rgb","components":[0,0,0],"hex":"red"}"##,
                brandPath
                    + ##"bad colour {"colorSpace":"a98-rgb","components":[0,0,0],"hex":"red"}"##
                    + forms
            ),
            (
                brand + ##"{"colorSpace":"srgb","components":[0,0,0],"alpha":2}"##,
                brandPath + ##"bad colour {"colorSpace":"srgb","components":[0,0,0],"alpha":2}"##
                    + forms
            ),
            (
                brand + ##"{"$type":"dimension","$value":"#fff"}"##,
                brandPath + "wrong type: expected a colour, found a dimension."
            ),
            (
                brand + ##"{"$type":"number","$value":3}"##,
                brandPath + "wrong type: expected a colour, found a number."
            ),
            (
                brand + ##""{theme.dimension.spacing.md}""##,
                brandPath + "wrong type: expected a colour, found a reference to "
                    + "{theme.dimension.spacing.md}, which is a dimension."
            ),
            (
                small + ##""#fff""##,
                smallPath + "wrong type: expected a dimension, found the text \"#fff\"."
            ),
            (
                small + ##""4em""##,
                smallPath + "wrong type: expected a dimension, found the text \"4em\"."
            ),
            (
                small + ##"{"value":4,"unit":"em"}"##,
                smallPath
                    + "wrong type: expected a dimension in px or rem, found the unit \"em\"."
            ),
            (
                small + ##"{"$type":"color","$value":4}"##,
                smallPath + "wrong type: expected a dimension, found a colour."
            ),
            (
                small + ##""{theme.color.foreground.default}""##,
                smallPath + "wrong type: expected a dimension, found a reference to "
                    + "{theme.color.foreground.default}, which is a colour."
            ),
            (small + "0", smallPath + "0 is out of range; allowed is 1 to 2048."),
            (small + "-4", smallPath + "-4 is out of range; allowed is 1 to 2048."),
            (small + "1e300", smallPath + "1e+300 is out of range; allowed is 1 to 2048."),
        ])
    func values(start: String, expected: String) {
        #expect(refusal(start + String(repeating: "}", count: 5)) == expected)
    }

    @Test("an error names the line of the value and the file of its layer")
    func lines() {
        let text = """
            {
              "my": { "a": "{my.b}",
                "b": "{my.c}",
                "c": { "$value": "{my.a}" } },
              "theme": { "color": { "emblem": { "brand": {
                "foreground": "{my.a}"
              } } } }
            }
            """
        #expect(
            refusal(text)
                == "my.json:4: my.c: the references form a cycle: "
                + "theme.color.emblem.brand.foreground -> my.a -> my.b -> my.c -> my.a.")
        let schemes = """
            { "theme": { "color": { "foreground": { "subtle": {
              "light": "#000",
              "dark": "#xyz"
            } } } } }
            """
        #expect(
            refusal(schemes)
                == "my.json:3: theme.color.foreground.subtle: bad colour #xyz" + Self.forms)
    }

    @Test("a reference cannot set a height to 0")
    func reference() {
        let text = ##"{"my":{"z":0},"theme":{"dimension":{"height":{"emblem":{"sm":"{my.z}"}}}}}"##
        #expect(refusal(text) == Self.smallPath + "0 is out of range; allowed is 1 to 2048.")
    }

    @Test("an error for invalid JSON, or JSON without an object, has a position")
    func json() {
        #expect(refusal("{\n  \"a\": }")?.hasPrefix("my.json:2: not JSON, column 8: ") == true)
        #expect(refusal("")?.hasPrefix("my.json:1: not JSON") == true)
        #expect(
            refusal("[]")
                == "my.json:1: (root): wrong type: expected an object, found an array.")
        #expect(refusal("{\"a\":1,\"a\":2}")?.contains("twice") == true)
    }

    @Test("a very long chain of references is refused like a cycle")
    func chain() {
        var text = "{\"my\":{\"a0\":\"#fff\""
        for index in 1...100 { text += ",\"a\(index)\":\"{my.a\(index - 1)}\"" }
        text += "},\"theme\":{\"color\":{\"foreground\":{\"default\":\"{my.a100}\"}}}}"
        #expect(refusal(text)?.contains("form a cycle") == true)
    }

    @Test("control characters of a theme file never reach the message")
    func hostile() {
        let text = "{\"theme\":{\"color\":{\"foreground\":{\"default\":\"{\\u001b[31m}\"}}}}"
        #expect(refusal(text)?.utf8.contains(0x1B) == false)
    }
}
