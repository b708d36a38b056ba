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
            ("hsl", "210, 50, 40", "#336699"), ("hsl", "-150, 50, 40", "#336699"),
            ("hwb", "210, 20, 40", "#336699"), ("hwb", "0, 80, 80", "#808080"),
            ("oklab", "1, 0, 0", "#FFFFFF"), ("oklab", "0.62796, 0.22486, 0.12585", "#FF0000"),
            ("oklch", "0.62796, 0.25768, 29.234", "#FF0000"), ("oklch", "0, 0, 0", "#000000"),
            ("lab", "54.29, 80.82, 69.89", "#FF0000"), ("lch", "54.29, 106.85, 40.85", "#FF0000"),
            ("lab", "100, 0, 0", "#FFFFFF"), ("display-p3", "1, 1, 1", "#FFFFFF"),
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

    @Test("a root token is found by its name and by the name of its group")
    func root() throws {
        let group = ##""my":{"$root":{"$value":"#123456"},"pale":{"$value":"#fff"}},"##
        for value in ["{my.$root}", "{my}"] {
            #expect(try brand("\"\(value)\"", group) == "#123456")
        }
        for pointer in ["#/my/$root", "#/my/$root/$value", "#/m%79"] {
            #expect(try brand(##"{"$ref":"\##(pointer)"}"##, group) == "#123456")
        }
        let inside = try layered(
            ##"{"theme":{"color":{"background":{"brand-subtle":{"$root":"#456","dark":"#000"}}}}}"##
        )
        #expect(inside.brand() == "#445566")
    }

    @Test("parts of a value may refer to other tokens")
    func parts() throws {
        let base =
            ##""a":{"$value":{"colorSpace":"srgb","components":[0.2,0.4,0.6],"alpha":0.5}},"##
            + ##""size":{"$value":{"value":7,"unit":"px"}},"##
        #expect(
            try brand(
                ##"{"$value":{"colorSpace":"srgb","components":["##
                    + ##"{"$ref":"#/a/$value/components/2"},{"$ref":"#/a/$value/components/1"},0],"##
                    + ##""alpha":{"$ref":"#/a/$value/alpha"}}}"##, base) == "#99660080")
        let theme = try layered(
            "{" + base + ##""theme":{"dimension":{"radius":{"emblem":{"sm":{"$value":"##
                + ##"{"value":{"$ref":"#/size/$value/value"},"unit":"px"}}}}}}}"##)
        #expect(theme.radius(of: .small) == 7)
    }

    @Test("a JSON pointer reads ~1 as a slash, ~0 as a tilde, and ~01 as the text ~1")
    func pointerEscapes() throws {
        let names =
            ##"{"a/b":{"$type":"color","$value":"#111111"},"##
            + ##""a~1b":{"$type":"color","$value":"#222222"},"##
        for (pointer, color) in [("#/a~1b", "#111111"), ("#/a~01b", "#222222")] {
            let theme = try layered(
                names + ##""theme":{"color":{"emblem":{"brand":{"background":"##
                    + ##"{"$value":{"$ref":"\##(pointer)/$value"}}}}}}}"##)
            #expect(theme.brand() == color, "\(pointer)")
        }
    }

    @Test(
        "a missing part is an unknown reference",
        arguments: ["#/a/$value/components/9", "#/a/$value/x", "#/b/$value/hex", "#/a/$value/self"])
    func missingPart(pointer: String) {
        let text =
            ##"{"a":{"$value":{"colorSpace":"srgb","components":[0,0,0],"##
            + ##""self":{"$ref":"#/a/$value/components/0"}}},"##
            + ##""theme":{"color":{"foreground":{"default":{"$value":{"$ref":"\##(pointer)"}}}}}}"##
        let found = refusal(text) ?? ""
        #expect(found.hasPrefix("my.json:1: "), "\(found)")
    }

    @Test("values that grow exponentially through their parts end with an error")
    func explosion() {
        var text = ##"{"a0":{"$value":{"x":1}}"##
        for index in 1...40 {
            let reference = ##"{"$ref":"#/a\##(index - 1)/$value/x"}"##
            text += ##","a\##(index)":{"$value":{"x":[\##(reference),\##(reference)]}}"##
        }
        text += ##","theme":{"color":{"foreground":{"default":{"$ref":"#/a40/$value/x"}}}}}"##
        #expect(refusal(text)?.contains("more than 4096 references") == true)
    }

    @Test("a group inherits tokens of another group, and its own tokens override them")
    func inheritance() throws {
        for target in [
            ##""$extends":"{my.base}""##, ##""$extends":"#/my/base""##, ##""$ref":"#/my/base""##,
        ] {
            let theme = try layered(
                ##"{"my":{"base":{"$type":"color","background":{"$value":"#111"},"##
                    + ##""foreground":{"$value":"#eee"}}},"theme":{"color":{"emblem":{"brand":{"##
                    + target + ##","foreground":{"$value":"#ddd"}}}}}}"##)
            #expect(theme.brand() == "#111111")
            #expect(theme.emblemColors(.brand, .light).foreground.hex == "#DDDDDD")
        }
    }

    @Test("a group inherits from a group of the theme below, also through several groups")
    func inheritanceInSteps() throws {
        let theme = try layered(
            ##"{"a":{"$ref":"#/b"},"b":{"$extends":"{theme.color.emblem.info}","border":"#123"},"##
                + ##""theme":{"color":{"emblem":{"brand":{"$extends":"{a}"}}}}}"##)
        let info = Theme.builtIn.emblemColors(.info, .light)
        #expect(theme.emblemColors(.brand, .light).background == info.background)
        #expect(theme.emblemColors(.brand, .light).border.hex == "#112233")
        #expect(
            theme.emblemColors(.brand, .dark).foreground
                == Theme.builtIn.emblemColors(.info, .dark).foreground)
    }

    @Test(
        "a group that cannot be inherited is an error",
        arguments: [
            (##"{"a":{"$extends":"{b}"}}"##, "my.json:1: a: unknown reference {b}."),
            (##"{"a":{"x":1,"$extends":"{a}"}}"##, "form a cycle"),
            (##"{"a":{"$extends":"{b}"},"b":{"$extends":"{a}"}}"##, "form a cycle"),
            (##"{"a":{"x":1,"b":{"$extends":"{a}"}}}"##, "form a cycle"),
            (
                ##"{"a":{"$extends":"{t}"},"t":{"$value":1}}"##,
                "wrong type: expected a group, found the token {t}."
            ),
        ])
    func badInheritance(text: String, expected: String) {
        #expect(refusal(text)?.contains(expected) == true)
    }

    @Test("inheritance that grows without bound is refused")
    func growth() {
        var text = ##"{"g0":{"t":1,"u":2,"v":3,"w":4}"##
        for index in 1...30 {
            text +=
                ##","g\##(index)":{"a":{"$extends":"{g\##(index - 1)}"},"##
                + ##""b":{"$extends":"{g\##(index - 1)}"}}"##
        }
        #expect(refusal(text + "}")?.contains("more than 200000 tokens") == true)
    }

    @Test("older forms are accepted with a warning that names the new form")
    func olderForms() throws {
        #expect(
            try warnings(
                ##"{"my":{"c":{"$value":"#ff800080"},"n":{"$type":"dimension","$value":8}},"##
                    + "\n" + ##""theme":{"color":{"foreground":{"default":"{my.c}"}},"##
                    + ##""dimension":{"spacing":{"xs":{"$value":"0.5rem"},"sm":"9px","##
                    + ##""md":"{my.n}","lg":16}}}}"##) == [
                    "my.json:1: my.c: since format 2025.10 this $value is an object; write "
                        + ##"{"colorSpace": "srgb", "components": [1, 0.502, 0], "##
                        + ##""alpha": 0.502, "hex": "#ff8000"}."##,
                    "my.json:1: my.n: since format 2025.10 a dimension has a unit; write "
                        + ##"{"value": 8, "unit": "px"}."##,
                    "my.json:2: theme.dimension.spacing.xs: since format 2025.10 this $value is an object; "
                        + ##"write {"value": 0.5, "unit": "rem"}."##,
                    "my.json:2: theme.dimension.spacing.sm: a plain dimension needs no unit; "
                        + "write 9.",
                ])
        #expect(try warnings(##"{"theme":{"color":{"foreground":{"default":"#123"}}}}"##).isEmpty)
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
