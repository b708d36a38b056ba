import Artwork
import Codecs
import Targets
import Testing
import Theming

@Suite("Names that targets take")
struct NameTests {
    @Test(
        "the default formats and scales of a target are valid for it",
        arguments: TargetKind.allCases)
    func usual(kind: TargetKind) {
        for format in kind.defaultFormats {
            #expect(kind.allowedFormats?.contains(format) ?? true)
        }
        for scale in kind.defaultScales { #expect(kind.allowedScales?.contains(scale) ?? true) }
        #expect(!kind.holdsOneFormat || kind.defaultFormats.count == 1)
    }

    @Test(
        "a resource name has only lower-case letters, digits and underscores",
        arguments: [
            ("acme", "acme"), ("Acme-Bank", "acme_bank"), ("a..b", "a_b"), ("9lives", "9lives"),
            ("Bücher", "b_cher"), ("日本", "item"), ("_x_", "x"), ("a/b", "a_b"),
            ("ÅNGSTRÖM", "ngstr_m"), ("K", "k"),
        ])
    func resources(name: String, expected: String) {
        #expect(LegalName.android.text(LegalName.android.wanted(name)) == expected)
    }

    @Test("every token of the theme has a distinct resource name", arguments: Component.allCases)
    func tokens(component: Component) {
        let tokens = ThemeTokens(.builtIn, layouts: component.layouts, schemes: [.light, .dark])
        let sheet = WebSite(tokens, layouts: component.layouts).documents[1].head.bytes
        let root = String(decoding: sheet, as: UTF8.self).prefix { $0 != "}" }
        let names = root.split(separator: "\n").compactMap { line in
            line.contains("--emblem-") ? line.split(separator: ":").first : nil
        }
        #expect(names.count > 100 && Set(names).count == names.count)
    }
}
