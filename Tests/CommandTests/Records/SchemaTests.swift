import Foundation
import Notation
import Support
import Testing

@Suite("JSON schemas", .ownThreads)
struct SchemaTests {
    @Test("every JSON schema is valid, and its $id is its name")
    func soundness() throws {
        let paths = try RecordTests.schemaFolders.flatMap { name in
            let folder = Repository.root.appending(path: name).path
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
                "\(folder)/\($0)"
            }
        }
        #expect(paths.count > 12)
        let check = """
            import json, sys
            from jsonschema import Draft202012Validator
            for path in sys.argv[1:]:
                schema = json.load(open(path))
                Draft202012Validator.check_schema(schema)
                print(schema['$id'])
            """
        let run = try Tool.run("/usr/bin/python3", ["-c", check] + paths)
        #expect(run.status == 0, "\(run.errors)")
        let identifiers = paths.map { path in
            let name = path.split(separator: "/").last ?? ""
            return "urn:emblem:schema:\(name.dropLast(".schema.json".count))"
        }
        #expect(run.output.split(separator: "\n").map(String.init) == identifiers)
    }

    @Test(
        "the JSON output of each command follows its schema",
        arguments: [
            ("plan-1", "lines", "batch in --list rows.ndjson -o other --dry-run --progress json"),
            ("plan-1", "lines", "batch in -o out --dry-run --progress json --prune"),
            ("verify-1", "whole", "verify out --json"),
            ("failures-1", "whole", "failures out --json"),
            ("inspect-1", "lines", "inspect in/acme.png in/zz-cut.png in/vector.svg --json"),
            ("tokens-1", "whole", "theme theme.json --json"),
            ("formats-1", "whole", "formats --json"),
        ])
    func commands(schema: String, form: String, command: String) throws {
        let folder = try Self.exampleFolder()
        let run = try Tool.emblem(command.split(separator: " ").map(String.init), in: folder.path)
        #expect(run.status <= 2, "\(run.errors)")
        try folder.write(run.output, to: "output.json")
        let path = folder.path("output.json")
        #expect(try RecordTests.complaints("\(schema).schema.json", path, form: form) == "")
    }

    @Test("the progress of a run and the records of a stream follow their schemas")
    func progress() throws {
        let folder = try Self.exampleFolder()
        let batch = try Tool.emblem(
            ["batch", "in", "-o", "more", "--progress", "json"], in: folder.path)
        try folder.write(batch.errors, to: "progress.json")
        #expect(
            try RecordTests.complaints(
                "progress-1.schema.json", folder.path("progress.json"), form: "lines") == "")
        let rows = "{\"source\":\"in/gone.png\",\"key\":[1]}\n{\"source\":7}\n"
        let stream = try Tool.emblem(
            ["stream", "--placeholder", "none", "--summary"], in: folder.path,
            input: Array(rows.utf8))
        #expect(stream.output.split(separator: "\n").count == 3)
        try folder.write(stream.output, to: "frames.json")
        #expect(
            try RecordTests.complaints(
                "stream-1.schema.json", folder.path("frames.json"), form: "lines") == "")
    }

    @Test("the example inputs follow their schemas")
    func inputs() throws {
        let folder = try Self.exampleFolder()
        for (schema, file, form) in [
            ("row-1", "rows.ndjson", "lines"), ("theme-1", "theme.json", "whole"),
            ("list-1", "list.json", "whole"),
        ] {
            let path = folder.path(file)
            let complaints = try RecordTests.complaints(
                "\(schema).schema.json", path, form: form)
            #expect(complaints == "", "\(file)")
        }
        let run = try Tool.emblem(
            ["batch", "--list", "list.json", "-o", "fine", "--theme", "theme.json"],
            in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("emblem man --schema prints a valid schema of every option of emblem.json")
    func configuration() throws {
        let folder = try ScratchFolder()
        let printed = try Tool.emblem(["man", "--schema"])
        #expect(printed.status == 0)
        try folder.write(printed.output, to: "schema.json")
        let schema = try folder.json("schema.json")
        #expect(schema["$id"]?.stringValue == "urn:emblem:schema:configuration-1")
        let keys = (schema["properties"]?.members ?? []).map(\.name)
        #expect(Set(keys).count == keys.count && keys.first == "$schema")
        for key in ["layout", "report", "max-bytes", "cache"] { #expect(keys.contains(key)) }
        for key in ["allow-private", "force", "sandbox"] { #expect(!keys.contains(key)) }
    }

    @Test(
        "the schema of emblem.json refuses what the tool refuses",
        arguments: [
            (#"{"layout": "small, large", "scale": [1, 1.5], "max-bytes": "5M"}"#, true),
            (#"{"$schema": "./emblem.schema.json", "quality": "lossless", "jobs": "4"}"#, true),
            (#"{"list": ["a.csv"], "report": true, "timeout": "500ms", "prune": "80%"}"#, true),
            (#"{"layout": "tiny"}"#, false), (#"{"report": "true"}"#, false),
            (#"{"allow-private": true}"#, false), (#"{"layuot": "small"}"#, false),
            (#"{"looks": {}}"#, false), (#"{"quality": 101}"#, false),
            (#"{"look": "shop"}"#, false), (#"{"scale": [5]}"#, false),
        ])
    func configurations(text: String, isFine: Bool) throws {
        let folder = try Pictures.discFolder()
        try folder.write("source\nin/a.png\n", to: "a.csv")
        try folder.write(try Tool.emblem(["man", "--schema"]).output, to: "schema.json")
        try folder.write(text, to: "emblem.json")
        let complaints = try RecordTests.complaints(
            folder.path("schema.json"), folder.path("emblem.json"))
        #expect(complaints.isEmpty == isFine, "\(complaints)")
        let run = try Tool.emblem(["batch", "in", "-o", "out", "--dry-run"], in: folder.path)
        #expect((run.status == 0) == isFine, "\(run.errors)")
    }

    /// Creates a folder with an input for each schema, and the output of a run with failures.
    private static func exampleFolder() throws -> ScratchFolder {
        let folder = try Pictures.mixedFolder()
        try folder.write(
            #"""
            {"source": "in/acme.png", "id": 7, "label": "Acme", "layout": "small", "extra": [1]}
            "in/wide.png"
            {"url": "in/gone.png", "name": "gone", "alternatives": ["in/none.png", "in/void.png"]}

            """#, to: "rows.ndjson")
        try folder.write(
            #"["in/wide.png", {"Source": "in/acme.png", "badge": "3:danger", "mode": null}]"#,
            to: "list.json")
        try folder.write(
            #"""
            {"$schema": "./theme.schema.json", "palette": {"$type": "color", "leaf": {"$value": "#147f3d"}},
             "theme": {"color.background": {"brand": "{palette.leaf}",
               "brand-subtle": {"light": "#E3F6EC", "dark": "#123524"}},
               "dimension": {"radius": {"emblem": {"sm": {"$value": {"value": 4, "unit": "px"}}}}}}}
            """#, to: "theme.json")
        try folder.write(
            #"{"$schema": "./emblem.schema.json", "layout": ["small"], "scale": 2, "strict": false}"#,
            to: "emblem.json")
        folder.makeFolder("cache")
        let run = try Tool.emblem(
            ["batch", "in", "--list", "rows.ndjson", "-o", "out", "--quiet"], in: folder.path)
        try #require(run.status == 0, "\(run.errors)")
        return folder
    }
}
