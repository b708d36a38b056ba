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

    /// Returns texts that differ from the default of a recipe.
    private static func samples(_ option: LookOption) -> [String] {
        switch option.kind {
        case .toggle: ["true"]
        case .choice(let words): words.filter { $0 != option.defaultText && $0 != "same" }
        case .decimal: ["3.25"]
        case .inset: ["3.25", "12.5%", "safe"]
        case .point: ["0.5,0.25", "1,0"]
        case .choiceOrColor(let words):
            words.filter { $0 != option.defaultText } + ["#0A5FFF", "#abc"]
        case .count: ["7K"]
        case .quality: ["33", "lossless"]
        case .text:
            ["3:danger", "3:danger@top-left", "none", "initials", "initials:JD", "icon:globe"]
        default: []
        }
    }

    private static func parts(_ recipe: Recipe) -> [String: String] {
        var parts: [String: String] = [:]
        for child in Mirror(reflecting: recipe).children {
            parts[child.label ?? ""] = "\(child.value)"
        }
        return parts
    }

    /// Returns the recipes that the sample texts produce from `plain`.
    private static func changed(by option: LookOption) -> [(text: String, recipe: Recipe)] {
        samples(option).compactMap { text in
            guard case .value(let edit) = try? option.read(text) else { return nil }
            var recipe = plain
            edit(&recipe)
            return (text, recipe)
        }
    }

    @Test("each part of a recipe but its variants and codecs is set by one look option")
    func everyPart() {
        let plain = Self.parts(Self.plain)
        var setters: [String: [String]] = [:]
        for option in LookOption.all {
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
        #expect(Set(LookOption.all.map(\.name)).count == LookOption.all.count)
    }

    @Test("a changed look option is recorded and survives the wire", arguments: LookOption.all)
    func changes(option: LookOption) throws {
        let changed = Self.changed(by: option)
        #expect(!changed.isEmpty)
        for (text, recipe) in changed {
            #expect(recipe != Self.plain, "\(option.name) \(text)")
            #expect(option.record(recipe) != option.record(Self.plain), "\(option.name) \(text)")
            for other in LookOption.all where other.name != option.name {
                #expect(
                    other.record(recipe) == other.record(Self.plain),
                    "\(option.name) \(text) changes what is said of \(other.name)")
            }
            var writer = WireWriter()
            writer.put(recipe)
            var reader = WireReader(writer.bytes)
            #expect(try reader.recipe() == recipe, "\(option.name) \(text)")
            try reader.finish()
        }
    }

    @Test(
        "the default of a recipe is the default that the help states",
        arguments: LookOption.all.filter { $0.defaultText != nil })
    func defaults(option: LookOption) throws {
        let usual = try #require(option.defaultText)
        #expect(option.kind.problem(with: usual) == nil, "\(option.name)")
        guard case .value(let edit) = try option.read(usual) else {
            Issue.record("the default of \(option.name) is a file")
            return
        }
        var recipe = Recipe(variants: [])
        edit(&recipe)
        #expect(recipe == Recipe(variants: []), "\(option.name)")
    }

    @Test("a record states each look option once")
    func recorded() {
        #expect(
            LookOption.recorded.map(\.name).sorted() == LookOption.all.map(\.name).sorted())
        #expect(
            LookOption.recorded.map(\.member).prefix(4) == [
                "look", "mode", "gravity", "focus",
            ])
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
    func roundTrip(choice: PlaceholderChoice) throws {
        guard case .value(let read) = try PlaceholderChoice.reading(choice.spelling) else {
            Issue.record("\(choice.spelling) is read as a file")
            return
        }
        #expect(read == choice)
    }

    @Test("any other placeholder is a file, named by the part after its last slash")
    func files() throws {
        for path in ["logos/own.png", "./a b", "icons:globe", "None", "initials-x"] {
            guard case .file(let asked, let made) = try PlaceholderChoice.reading(path) else {
                Issue.record("\(path) is no file")
                continue
            }
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            #expect(asked == path && made([1]) == .picture(name: name, bytes: [1]))
        }
    }

    @Test(
        "a placeholder that names nothing has an error for each reason",
        arguments: [
            ("", PlaceholderFault.nothing), ("initials:", .noLetters),
            ("initials: \u{200B}", .noLetters),
            ("icon:", .unknownIcon("")), ("icon:moon", .unknownIcon("moon")),
        ])
    func faults(text: String, fault: PlaceholderFault) {
        #expect(throws: fault) { try PlaceholderChoice.reading(text) }
    }
}
