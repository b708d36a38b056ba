import Foundation
import Notation
import Support
import Testing

@Suite("Records and documented promises", .ownThreads)
struct RecordTests {
    /// The schemas for users, and those of the tests.
    static let schemaFolders = ["Sources/EmblemKit/EmblemKit.docc/Schemas", "Tests/Schemas"]

    /// A script that checks a file, or each of its lines, against a schema and prints the errors.
    private static let validator = """
        import json, sys
        from jsonschema import Draft202012Validator as Validator
        schema = Validator(json.load(open(sys.argv[1])))
        text = open(sys.argv[2]).read()
        records = text.splitlines() if sys.argv[3] == 'lines' else [text]
        assert records
        for number, record in enumerate(records):
            for error in schema.iter_errors(json.loads(record)):
                print(number + 1, list(error.absolute_path), error.message)
        """

    /// Returns the schema errors of a file as lines.
    ///
    /// - Parameters:
    ///   - schema: The name of a schema in one of the folders, or the path of another.
    ///   - form: `whole` for one record, `lines` for one on each line.
    static func complaints(
        _ schema: String, _ path: String, form: String = "whole"
    ) throws -> String {
        let named = schemaFolders.map { Repository.root.appending(path: "\($0)/\(schema)").path }
            .first(where: FileManager.default.fileExists(atPath:))
        let check = try Tool.run(
            "/usr/bin/python3", ["-c", validator, named ?? schema, path, form])
        return check.status == 0 ? check.output : check.errors
    }

    @Test("every damaged or hostile file has its documented outcome, and the run continues")
    func brokenFiles() throws {
        let folder = try ScratchFolder()
        let unpacked = try Tool.run(
            "/usr/bin/tar",
            ["-xzf", Repository.path("Tests/Fixtures/broken.tar.gz"), "-C", folder.path])
        #expect(unpacked.status == 0, "\(unpacked.errors)")
        let run = try Tool.emblem(
            ["batch", "--list", "broken/broken.txt", "-o", "out", "--layout", "small"],
            in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let expected = try folder.json("broken/expected.json")
        let manifest = try ManifestText(folder)
        let members = try #require(expected.members)
        #expect(manifest.items.count == members.count)
        for item in manifest.items {
            let source = item["source"]?.stringValue ?? ""
            let outcome = item[path: ["error", "class"]]?.stringValue ?? "ok"
            #expect(outcome == expected[source]?.stringValue, "\(source)")
            #expect(item["outputs"]?.elements?.count == 1, "\(source)")
        }
    }
}
