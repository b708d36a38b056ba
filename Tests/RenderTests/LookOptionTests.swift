import Artwork
import Codecs
import Notation
import Raster
import Render
import Testing
import Theming

@Suite("The options of the look")
struct LookOptionTests {
    /// A recipe in which every option can change an output.
    private static let plain: Recipe = {
        var recipe = Recipe(variants: [Variant(layout: .small, scale: 1, scheme: .light)])
        recipe.output = .same
        return recipe
    }()

    private static let samples = [
        "true", "3.25", "12.5%", "safe", "0.5,0.25", "#0A5FFF", "7K", "33", "lossless",
        "3:danger@top-left", "none", "initials:JD", "icon:globe", "logos", "fill", "top", "info",
        "auto", "continuous", "never", "webp", "small",
    ]

    private static func parts(_ recipe: Recipe) -> [String: String] {
        var parts: [String: String] = [:]
        for child in Mirror(reflecting: recipe).children {
            parts[child.label ?? ""] = "\(child.value)"
        }
        return parts
    }

    /// Returns the recipes that the sample texts produce from `plain`.
    private static func changed(by option: LookOption) -> [(text: String, recipe: Recipe)] {
        samples.compactMap { text in
            guard let edit = option.edit(text) else { return nil }
            var recipe = plain
            edit(&recipe)
            return recipe == plain ? nil : (text, recipe)
        }
    }

    @Test("each part of a recipe but its variants and codecs is set by one look option")
    func everyPart() {
        let plain = Self.parts(Self.plain)
        var setters: [String: [String]] = [:]
        for option in Recipe.options {
            var touched: Set<String> = []
            for (_, recipe) in Self.changed(by: option) {
                for (name, text) in Self.parts(recipe) where plain[name] != text {
                    touched.insert(name)
                }
            }
            #expect(touched.count == 1, "\(option.name) changes \(touched.sorted())")
            for name in touched { setters[name, default: []].append(option.name) }
        }
        for name in plain.keys where name != "variants" && name != "codecs" {
            #expect(setters[name]?.count == 1, "\(name) is set by \(setters[name] ?? [])")
        }
        #expect(Set(Recipe.options.map(\.name)).count == Recipe.options.count)
    }

    @Test("a changed look option is recorded and survives the wire", arguments: Recipe.options)
    func changes(option: LookOption) throws {
        let changed = Self.changed(by: option)
        #expect(!changed.isEmpty)
        for (text, recipe) in changed {
            #expect(recipe != Self.plain, "\(option.name) \(text)")
            #expect(option.record(recipe) != option.record(Self.plain), "\(option.name) \(text)")
            for other in Recipe.options where other.name != option.name {
                #expect(
                    other.record(recipe) == other.record(Self.plain),
                    "\(option.name) \(text) changes what is said of \(other.name)")
            }
        }
    }
}

@Suite("The spelling of placeholders")
struct PlaceholderTests {
    @Test(
        "a placeholder is read back from its spelling",
        arguments: BuiltInIcon.allCases.map { PlaceholderChoice.icon($0) } + [
            .none, .initials, .letters(Initials(checked: "JD")),
            .letters(Initials(checked: "م\u{200C}ع")),
        ])
    func roundTrip(choice: PlaceholderChoice) {
        #expect(PlaceholderChoice(spelling: choice.spelling) == choice)
    }

    @Test("any other placeholder is a file, named by the part after its last slash")
    func files() throws {
        for path in ["logos/own.png", "./a b", "icons:globe", "None", "initials-x"] {
            var choice = try #require(PlaceholderChoice(spelling: path))
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            choice.load { $0 == path ? [1] : [] }
            #expect(choice == .picture(name: name, bytes: [1]))
        }
    }

    @Test(
        "a placeholder that names nothing is refused",
        arguments: ["", "initials:", "initials: \u{200B}", "icon:", "icon:moon"])
    func faults(text: String) {
        #expect(PlaceholderChoice(spelling: text) == nil)
        #expect(Recipe.option(\.placeholder).problem(text) != nil)
    }
}
