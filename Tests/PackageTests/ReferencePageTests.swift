import Foundation
import Testing

@Suite("The reference pages")
struct ReferencePageTests {
    private static let catalog = "Sources/EmblemKit/EmblemKit.docc"

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
    }

    /// Returns the words that a page sets in code, without its blocks of code.
    private static func codeWords(of page: String) throws -> Set<String> {
        let prose = try text("\(catalog)/\(page)").replacing(/(?s)```.*?```/, with: "")
        return Set(
            prose.matches(of: /`([^`\n]+)`/).flatMap { span in
                span.1.matches(of: /[A-Za-z0-9_-]+/).map { String($0.0) }
            })
    }

    /// Adds the names of all fields of a schema, and the words that their values are chosen from.
    private static func collect(_ value: Any, into names: inout Set<String>) {
        if let list = value as? [Any] {
            for element in list { collect(element, into: &names) }
        }
        for (key, part) in value as? [String: Any] ?? [:] {
            // The page Reference lists the error classes; another test compares them.
            if key == "errorClass" { continue }
            if key == "properties" { names.formUnion((part as? [String: Any] ?? [:]).keys) }
            if key == "required" || key == "enum" { names.formUnion(part as? [String] ?? []) }
            collect(part, into: &names)
        }
    }

    @Test(
        "the page of a record names every field and value of its schema",
        arguments: [
            ("manifest-1.schema.json", "Manifest.md", 60),
            ("run-1.schema.json", "RunRecord.md", 80),
        ])
    func fields(schema: String, page: String, least: Int) throws {
        let data = try Data(
            contentsOf: SourceTree.root.appending(path: "\(Self.catalog)/Schemas/\(schema)"))
        var names: Set<String> = []
        Self.collect(try JSONSerialization.jsonObject(with: data), into: &names)
        #expect(names.count >= least)
        let missing = try names.subtracting(Self.codeWords(of: page))
        #expect(missing.isEmpty, "\(page): \(missing.sorted())")
    }

    @Test("the page of exit codes has the codes of the manual page")
    func exitCodes() throws {
        let manual = try Self.text("Sources/Flags/ManualPage.swift")
            .matches(of: /\.B ([0-9][0-9, ]*)\n/)
            .flatMap { $0.1.split { !$0.isNumber }.map(String.init) }
        let page = try Self.text("\(Self.catalog)/Reference.md")
            .matches(of: /\n\| ([0-9]+) \|/).map { String($0.1) }
        #expect(manual.count >= 12)
        #expect(page == manual)
    }
}
