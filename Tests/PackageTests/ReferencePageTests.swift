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
        let page = try Self.text("\(Self.catalog)/ExitCodes.md")
            .matches(of: /\n\| ([0-9]+) \|/).map { String($0.1) }
        #expect(manual.count >= 12)
        #expect(page == manual)
    }

    @Test("the page of the configuration lists the options that emblem.json cannot set")
    func configuration() throws {
        let sources = try SourceTree.swiftFiles(in: "Sources/EmblemCLI/Options")
        let kept = sources.flatMap { $0.text.split(separator: "\n    package static ").dropFirst() }
            .filter {
                $0.contains("isInConfiguration: false") && !$0.contains("isInEnvironment: false")
            }
            .compactMap { $0.firstMatch(of: /"([a-z][a-z-]*)"/).map { String($0.1) } }
        #expect(kept.count >= 15)
        let section =
            try Self.text("\(Self.catalog)/Configuration.md")
            .components(separatedBy: "### Options that a file cannot set").last ?? ""
        let listed = section.matches(of: /\n\| [a-z ]+ \| (`.*`) \|/)
            .flatMap { row in row.1.matches(of: /`([a-z-]+)`/).map { String($0.1) } }
        // A run reads these two from the command line only.
        #expect(Set(listed).subtracting(["watch", "json"]) == Set(kept))
    }

    @Test("every variable that a page names sets an option or is one of four others")
    func variables() throws {
        let options = try SourceTree.swiftFiles(in: "Sources/EmblemCLI/Options").map(\.text)
            .joined()
        let others: Set = ["EMBLEM_PLUGIN", "EMBLEM_PROGRAM", "EMBLEM_WARNINGS", "EMBLEM_WORKER"]
        var count = 0
        for page in try SourceTree.files(in: Self.catalog, endings: ["md"]) {
            for match in page.text.matches(of: /EMBLEM_[A-Z_]+/)
            where !others.contains("\(match.0)") {
                count += 1
                let name = match.0.dropFirst(7).lowercased().replacing("_", with: "-")
                let isOption = options.contains("\"\(name)\"")
                #expect(isOption, "\(page.path): \(match.0)")
            }
        }
        #expect(count >= 3)
    }
}
