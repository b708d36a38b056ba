import Raster
import Testing
import Theming

@Suite("Theme files on top of the built-in theme")
struct LayeringTests {
    @Test("a value that a theme file omits is unchanged")
    func partial() throws {
        let theme = try layered(##"{"theme":{"dimension":{"radius":{"emblem":{"sm":3.5}}}}}"##)
        #expect(theme.radius(of: .small) == 3.5)
        #expect(theme.radius(of: .medium) == 12)
        #expect(theme.brand() == Theme.builtIn.brand())
        #expect(try layered("{}").digest == Theme.builtIn.digest)
        #expect(theme.digest != Theme.builtIn.digest)
        #expect(theme.digest.utf8.count == 64)
    }

    @Test("a changed token changes the tokens that refer to it")
    func follows() throws {
        let theme = try layered(
            ##"{"theme":{"color":{"background":{"brand-subtle":"#abc"}}}}"##)
        #expect(theme.brand() == "#AABBCC")
        #expect(theme.brand(.dark) == "#AABBCC")
        #expect(theme.emblemColors(.brand, .light).border.hex == "#AABBCC")
        #expect(theme.emblemColors(.info, .light) == Theme.builtIn.emblemColors(.info, .light))
    }

    @Test(
        "a colour is accepted in every documented form",
        arguments: [
            (##""#123""##, "#112233"),
            (##""#a1b2c3""##, "#A1B2C3"),
            (##""#a1b2c380""##, "#A1B2C380"),
            (##""{theme.color.background.danger}""##, "#C62828"),
            (##""{my.red}""##, "#FF0000"),
            (##""{my.again}""##, "#FF0000"),
            (##"{"$value":"#123456"}"##, "#123456"),
            (
                ##"{"$type":"color","$value":"#123456","$description":"x","$extensions":{}}"##,
                "#123456"
            ),
            (##"{"$value":"{my.red}"}"##, "#FF0000"),
            (##"{"$value":"{my.w3c}"}"##, "#00FF00"),
            (##"{"$value":{"colorSpace":"srgb","components":[1,0.5,0]}}"##, "#FF8000"),
            (##"{"colorSpace":"srgb","components":[1,"none",0.2],"alpha":0.5}"##, "#FF003380"),
            (
                ##"{"$value":{"colorSpace":"srgb","components":[0,0,0],"alpha":1,"hex":"#fff"}}"##,
                "#000000"
            ),
            (
                ##"{"$value":{"colorSpace":"rec2020","components":[0.6,0.2,30],"hex":"#c04030"}}"##,
                "#C04030"
            ),
            (
                ##"{"$value":{"colorSpace":"display-p3","components":[1,0,0],"alpha":0,"hex":"#f00"}}"##,
                "#FF000000"
            ),
            (##"{"light":"#111","dark":"#222"}"##, "#111111"),
            (##"{"light":{"$value":"#333"},"dark":"#222"}"##, "#333333"),
            (##"{"$value":{"light":"#444","dark":"{my.red}"}}"##, "#444444"),
        ])
    func colors(value: String, expected: String) throws {
        let theme = try layered(
            ##"{"my":{"red":"#f00","again":"{my.red}","w3c":{"$type":"color","$value":"#0f0"}},"##
                + ##""theme":{"color":{"emblem":{"brand":{"background":"##
                + value + "}}}}}")
        #expect(theme.brand() == expected)
    }

    @Test(
        "a dimension is accepted in every documented form",
        arguments: [
            ("9", 9), ("9.5", 9.5), (##""9px""##, 9), (##""9""##, 9), (##""9pt""##, 9),
            (##"{"$value":{"value":9,"unit":"px"}}"##, 9),
            (##"{"$value":{"value":0.5,"unit":"rem"},"$type":"dimension"}"##, 8),
            (##"{"$type":"number","$value":7}"##, 7), (##"{"value":6,"unit":"dp"}"##, 6),
            (##""{theme.dimension.spacing.lg}""##, 16), ("0", 0),
        ])
    func dimensions(value: String, expected: Double) throws {
        let theme = try layered(
            ##"{"theme":{"dimension":{"radius":{"emblem":{"md":"## + value + "}}}}}")
        #expect(theme.radius(of: .medium) == expected)
    }

    @Test("a value without schemes applies to both, and a value with a scheme only to that one")
    func schemes() throws {
        let path = ##"{"theme":{"color":{"background":{"brand-subtle":"##
        let both = try layered(path + ##""#123"}}}}"##)
        #expect(both.brand(.light) == "#112233")
        #expect(both.brand(.dark) == "#112233")
        let dark = try layered(path + ##"{"dark":"#123"}}}}}"##)
        #expect(dark.brand(.light) == Theme.builtIn.brand(.light))
        #expect(dark.brand(.dark) == "#112233")
        let light = try layered(path + ##"{"light":"#123"}}}}}"##)
        #expect(light.brand(.light) == "#112233")
        #expect(light.brand(.dark) == Theme.builtIn.brand(.dark))
        let own = try layered(
            ##"{"my":{"c":{"light":"#111"}},"theme":{"color":{"background":{"##
                + ##""brand-subtle":"{my.c}"}}}}"##)
        #expect(own.brand(.dark) == "#111111")
    }

    @Test("names with dots equal nested groups")
    func names() throws {
        #expect(
            try layered(##"{"theme.color.emblem.brand.background":"#123"}"##).brand() == "#112233")
        #expect(
            try layered(
                ##"{"my":"#456","theme.color.emblem":{"brand.background":"{my}"}}"##
            ).brand() == "#445566")
    }

    @Test("a token inherits its type from its group")
    func types() throws {
        #expect(
            try layered(
                ##"{"theme":{"color":{"$type":"color","emblem":{"brand":{"##
                    + ##""background":{"$value":"#123"}}}}}}"##
            ).brand() == "#112233")
    }

    @Test("several theme files can be combined")
    func twice() throws {
        let first = try layered(
            ##"{"my":{"c":"#111"},"theme":{"color":{"background":{"##
                + ##""brand-subtle":"{my.c}"}}}}"##)
        let second = try first.layering(Array(##"{"my":{"c":"#222"}}"##.utf8), name: "b.json")
        #expect(second.theme.brand() == "#222222")
        #expect(second.warnings.isEmpty)
    }

    @Test("unused tokens are reported, and referenced ones are not")
    func unknown() throws {
        #expect(
            try warnings(
                ##"{"my":{"c":"#111","d":"{my.e}","e":12}, "theme":{"color":{"##
                    + ##""background":{"brand-subtle":"{my.c}"}}}}"##) == [
                    "my.json:1: my.d: unknown token.", "my.json:1: my.e: unknown token.",
                ])
        #expect(
            try warnings("{\n\"color\": {\n\"background\": {\n\"brand\": \"#111\"}}}") == [
                "my.json:4: color.background.brand: unknown token; "
                    + "use theme.color.background.brand."
            ])
        #expect(try warnings(##"{"theme":{"$description":"fine"}}"##).isEmpty)
        let nearest = [
            "theme.emblem.brand.background": "theme.color.emblem.brand.background",
            "emblem.brand.border": "theme.color.emblem.brand.border",
            "theme.color.emblem.brand.backgruond": "theme.color.emblem.brand.background",
            "theme.colors.emblem.categroy-1.border": "theme.color.emblem.category-1.border",
            "theme.dimension.radius.emblem.huge": "",
            "theme.color.palette.blue": "", "brand": "",
        ]
        for (path, near) in nearest {
            let hint = near.isEmpty ? "" : "; use \(near)"
            #expect(
                try warnings("{\"\(path)\":\"{theme.color.background.brand}\"}")
                    == ["my.json:1: \(path): unknown token\(hint)."])
        }
        #expect(try warnings(##"{"font":{"$type":"fontFamily","$value":["Inter"]}}"##).count == 1)
        #expect(try warnings(##"{"font":{"dark":null}}"##).count == 1)
    }

    @Test("a translucent background is checked on the surface below it")
    func translucentBackground() throws {
        // Nearly transparent black leaves a pale background, on which white is illegible.
        let theme = try layered(
            ##"{"theme":{"color":{"emblem":{"brand":"##
                + ##"{"background":"#00000008","foreground":"#FFFFFF"}}}}}"##)
        let pair = theme.pairs(.light).first {
            $0.foreground == "theme.color.emblem.brand.foreground"
        }
        #expect(try #require(pair).ratio < 2)
    }
}
