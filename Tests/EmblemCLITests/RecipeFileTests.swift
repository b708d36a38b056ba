import EmblemCLI
import Flags
import Foundation
import Notation
import Testing

@Suite("Files of --recipe")
struct RecipeFileTests {
    private static func complaint(_ json: String) -> String? {
        do throws(UsageError) {
            _ = try RecipeFile(name: "looks.json", Array(json.utf8).span)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("the looks of a file keep their order, and the key $schema is no look")
    func order() throws {
        let text = #"{"$schema": "x", "og": {"height": 630}, "card": {}, "a-1": {"scale": [1, 2]}}"#
        let file = try RecipeFile(name: "looks.json", Array(text.utf8).span)
        #expect(file.looks.map(\.name) == ["og", "card", "a-1"])
    }

    @Test(
        "a fault in a file is an error with the line, the look and the member",
        arguments: [
            ("", "looks.json is not JSON"),
            ("[]", "looks.json must be a JSON object, not an array"),
            ("{}", "looks.json has 0 looks; it needs 1 to 64"),
            (#"{"$schema": "x"}"#, "looks.json has 0 looks"),
            ("{\n\"Card\": {}}", #"looks.json line 2, "Card": the name of a look has 1 to 40"#),
            (#"{"../a": {}}"#, "the name of a look has"),
            (#"{"": {}}"#, "the name of a look has"),
            (
                #"{"a": {}, "a": {}}"#,
                "looks.json: line 1, column 11: the name \"a\" is given twice"
            ),
            (
                #"{"looks": {"card": {}}}"#,
                "looks.json line 1, \"looks\" is not a look: it holds looks.\nRemove the level looks"
            ),
            (#"{"card": {"scale": []}}"#, #""card.scale" is an empty array"#),
            (#"{"card": 4}"#, #"looks.json line 1, "card" is a number, not an object"#),
            (
                "{\"card\": {\n\"paddin\": 4}}",
                "looks.json line 2, \"card.paddin\" is not an option that a look can set.\n"
                    + "Did you mean 'padding'?"
            ),
            (#"{"card": {"qqqqq": 4}}"#, "A look can set layout, height, scale"),
            (
                #"{"card": {"theme": "a.json"}}"#,
                "\"card.theme\" cannot differ between looks.\nRemove the member, and type --theme"
            ),
            (#"{"card": {"placeholder": "none"}}"#, #""card.placeholder" cannot differ"#),
            (#"{"card": {"component": "avatar"}}"#, #""card.component" cannot differ"#),
            (#"{"card": {"padding": {}}}"#, #""card.padding" is an object"#),
            (#"{"card": {"linear": "yes"}}"#, #""card.linear" is a string"#),
            (#"{"card": {"padding": [1]}}"#, #""card.padding" is an array"#),
        ])
    func faults(json: String, expected: String) {
        let complaint = Self.complaint(json) ?? "none"
        #expect(complaint.contains(expected), "\(complaint)")
    }

    @Test("a file with more than 64 looks or 1 MiB is refused")
    func limits() {
        func file(_ count: Int) -> String {
            "{\((0..<count).map { "\"l\($0)\": {}" }.joined(separator: ","))}"
        }
        #expect(Self.complaint(file(64)) == nil)
        #expect(Self.complaint(file(65))?.contains("has 65 looks") == true)
        let long = #"{"card": {}"# + String(repeating: " ", count: 1 << 20) + "}"
        #expect(Self.complaint(long)?.contains("is not JSON") == true)
    }

    @Test("the schema of recipes has the options of a look with their values")
    func schema() throws {
        let path = "Sources/EmblemKit/EmblemKit.docc/Schemas/recipe-1.schema.json"
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let bytes = [UInt8](try Data(contentsOf: root.appending(path: path)))
        let schema = try JSONParser.parse(bytes.span)
        let look = schema[path: ["additionalProperties", "properties"]]
        for flag in RecipeFile.flags {
            let member = ConfigurationSchema.property([flag])
            #expect(look?[flag.name] == member.value, "\(flag.name): \(member.value.text)")
        }
        #expect(look?.members?.map(\.name) == RecipeFile.flags.map(\.name))
    }
}
