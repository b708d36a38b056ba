import Foundation
import Testing

@Suite("The reference pages")
struct ReferencePageTests {
    private static let catalog = "Sources/EmblemKit/EmblemKit.docc"

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
    }

    /// Returns the fields without a description, from which the pages of the records are made.
    private static func undescribed(_ value: Any?) -> [String] {
        guard let schema = value as? [String: Any] else { return [] }
        let fields = schema["properties"] as? [String: [String: Any]] ?? [:]
        let parts = schema["$defs"] as? [String: Any] ?? [:]
        return fields.filter { $0.value["description"] == nil }.map(\.key)
            + fields.values.flatMap(undescribed) + parts.values.flatMap(undescribed)
            + undescribed(schema["items"])
    }

    @Test(
        "every field of a record is described in its schema",
        arguments: ["manifest-1.schema.json", "run-1.schema.json"])
    func fields(schema: String) throws {
        let data = try Data(
            contentsOf: SourceTree.root.appending(path: "\(Self.catalog)/Schemas/\(schema)"))
        #expect(Self.undescribed(try JSONSerialization.jsonObject(with: data)).isEmpty)
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
