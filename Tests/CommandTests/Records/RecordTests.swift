import Foundation
import Notation
import Raster
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
        // Debian's own Python, which has the package that the Makefile installs.
        let check = try Tool.run(
            "/usr/bin/python3", ["-c", validator, named ?? schema, path, form])
        return check.status == 0 ? check.output : check.errors
    }

    @Test(
        "the records of a run follow their schemas",
        arguments: [
            ("manifest-1.schema.json", "manifest.ndjson", "lines"),
            ("run-1.schema.json", "run.json", "whole"),
            ("journal-3.schema.json", ".emblem/journal.ndjson", "lines"),
        ])
    func recordsFollowSchemas(schema: String, file: String, form: String) throws {
        let folder = try Pictures.mixedFolder()
        try folder.write(
            "source,id,label,extra\nin/acme.png,a,Acme,1\nin/gone.png,b,Gone,2\n"
                + "in/vector.svg,c,,\nin/acme.png,d,,\n,e,,\n", to: "list.csv")
        let run = try Tool.emblem(
            [
                "batch", "in", "--list", "list.csv", "-o", "out", "--scheme", "both", "--scale",
                "1,1.5",
            ],
            in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let complaints = try Self.complaints(schema, folder.path("out/\(file)"), form: form)
        #expect(complaints.isEmpty, "\(complaints)")
    }

    @Test("the record of a run that was only partly written follows its schema")
    func partsFollowSchemas() throws {
        let folder = try Pictures.mixedFolder()
        folder.makeFolder("out/small/acme.png")
        let run = try Tool.emblem(["batch", "in", "-o", "out"], in: folder.path)
        #expect(run.status == 1, "\(run.errors)")
        let record = try folder.json("out/run.json")
        #expect(record["unwritten"]?.elements?.count == 1)
        #expect(try Self.complaints("run-1.schema.json", folder.path("out/run.json")) == "")
    }

    @Test(
        "the target records of a run follow their schema",
        arguments: [
            ("manifest-1.schema.json", "out/manifest.ndjson", "lines"),
            ("journal-3.schema.json", "out/.emblem/journal.ndjson", "lines"),
            ("web-1.schema.json", "site/index.json", "whole"),
        ])
    func targetsFollowSchemas(schema: String, file: String, form: String) throws {
        let folder = try TargetSet.folder()
        try TargetSet.run(["--target", "xcassets,web=site", "--scheme", "both"], in: folder)
        #expect(try Self.complaints(schema, folder.path(file), form: form) == "")
    }

    @Test("the record of a measurement follows its schema")
    func benchFollowsSchema() throws {
        let folder = try Pictures.mixedFolder()
        let run = try Tool.emblem(
            ["bench", "in", "--rounds", "2", "--jobs", "2", "--export-json", "b.json"],
            in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try Self.complaints("bench-1.schema.json", folder.path("b.json")) == "")
    }

    @Test("every damaged or hostile file has its documented outcome, and the run continues")
    func brokenFiles() throws {
        let folder = try ScratchFolder()
        let made = try Tool.run(
            Tool.path(of: "emblem-dataset"), ["--broken", "-o", folder.path("set")])
        #expect(made.status == 0, "\(made.errors)")
        let run = try Tool.emblem(
            ["batch", "--list", "set/broken/broken.txt", "-o", "out", "--layout", "small"],
            in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let expected = try folder.json("set/broken/expected.json")
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

    @Test("the depfile names every file that is read and no missing one")
    func dependencies() throws {
        let folder = try Pictures.mixedFolder()
        let rows = "in/gone.png,in/wide.png,in/vector.svg\nin/wide.png,,\n"
        try folder.write("source,alternatives,placeholder\n\(rows)", to: "my list.csv")
        let run = try Tool.emblem(
            [
                "batch", "--list", "my list.csv", "-o", "out", "--depfile", "out.d",
                "--placeholder", "in/acme.png",
            ], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let files = ["my\\ list.csv", "in/acme.png", "in/wide.png", "in/vector.svg"]
        let rule = (["out/manifest.ndjson:"] + files).joined(separator: " \\\n  ") + "\n"
        let empty = files.map { "\n\($0):\n" }.joined()
        #expect(try folder.text("out.d") == rule + empty)
    }

    @Test("an option without effect on any output is not recorded in the manifest")
    func idleOptions() throws {
        let folder = try Pictures.mixedFolder()
        let idle = ["--quality", "50"]
        for (out, more) in [("plain", []), ("idle", idle)] {
            let run = try Tool.emblem(["batch", "in", "-o", out] + more, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
        }
        let plain = try folder.read("plain/manifest.ndjson")
        #expect(try folder.read("idle/manifest.ndjson") == plain)
    }

    /// Returns the shell blocks in the README, one command a line.
    private static func readmeCommands() throws -> [String] {
        let text = try String(
            contentsOf: Repository.root.appending(path: "README.md"), encoding: .utf8)
        return text.components(separatedBy: "```sh\n").dropFirst().flatMap { block in
            (block.components(separatedBy: "```").first ?? "").split(separator: "\n")
                .map { $0.split(separator: "#").first.map(String.init) ?? "" }
                .map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { !$0.isEmpty }
        }
    }

    @Test("every command of the README works as printed")
    func readme() throws {
        let commands = try Self.readmeCommands()
        #expect(commands.filter { $0.hasPrefix("emblem ") }.count >= 12)
        let makefile = try String(
            contentsOf: Repository.root.appending(path: "Makefile"), encoding: .utf8)
        let folder = try ScratchFolder()
        try FileManager.default.createSymbolicLink(
            at: URL(filePath: folder.path("Datasets")),
            withDestinationURL: Repository.root.appending(path: "Datasets"))
        // The README's URLs, replaced by a server on this machine.
        let addresses = (0..<3).map { "m\($0),\(Web.server.url("files/disc-\($0).png"))\n" }
        try folder.write("id,url\n" + addresses.joined(), to: "merchants.csv")
        try folder.write(
            "merchant_id;logo_url\n7;Datasets/samples/logos/wesinva.png\n", to: "export.csv")
        let environment = [
            "EMBLEM_ALLOW_PRIVATE": "1", "XDG_CACHE_HOME": folder.path("cache"),
        ]
        let tools = URL(filePath: Tool.path(of: "emblem")).deletingLastPathComponent().path
        for command in commands {
            if let target = command.split(separator: " ").dropFirst().first,
                command.hasPrefix("make ")
            {
                #expect(makefile.contains("\n\(target):"), "\(command)")
                continue
            }
            let run = try Tool.run(
                "/bin/bash", ["-c", "PATH=\(tools):$PATH; \(command)"], in: folder.path,
                environment: environment)
            #expect(run.status == 0, "\(command): \(run.errors)")
        }
    }

    @Test("the program of the README that drives a stream receives its picture")
    func readmeProgram() throws {
        let text = try String(
            contentsOf: Repository.root.appending(path: "README.md"), encoding: .utf8)
        let blocks = text.components(separatedBy: "```python\n").dropFirst()
        let program = try #require(blocks.first?.components(separatedBy: "```").first)
        let folder = try ScratchFolder()
        try folder.write(Pictures.disc(.black, width: 60, height: 40), to: "logo.png")
        try folder.write(
            program + "print([(key, data[1:4]) for key, data in images.items()])\n", to: "drive.py")
        let tools = URL(filePath: Tool.path(of: "emblem")).deletingLastPathComponent().path
        let modules = Repository.root.appending(path: "Sources/Python").path
        let run = try Tool.run(
            "/bin/bash", ["-c", "PATH=\(tools):$PATH; PYTHONPATH=\(modules) python3 drive.py"],
            in: folder.path)
        #expect(run.output == "[('logo', b'PNG')]\n", "\(run)")
    }

    @Test("help, manual and completions have the same texts")
    func helpManualCompletions() throws {
        let help = try Tool.emblem(["help", "batch"])
        #expect(help.status == 0)
        let manual = try Tool.emblem(["man"])
        for flag in ["--layout", "--scale", "--memory", "--placeholder", "--max-failures"] {
            #expect(help.output.contains(flag))
            #expect(manual.output.contains(flag.replacing("-", with: "\\-")))
            for shell in ["bash", "zsh", "fish"] {
                let script = try Tool.emblem(["completions", shell])
                #expect(script.output.contains(flag.dropFirst(2)), "\(shell) \(flag)")
            }
        }
        let version = try Tool.emblem(["--version"])
        #expect(version.output == "emblem 0.2.0\n")
    }
}
