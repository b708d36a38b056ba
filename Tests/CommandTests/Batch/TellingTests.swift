import Foundation
import Notation
import Raster
import Support
import Testing

@Suite("Messages of the tool", .ownThreads)
struct TellingTests {
    @Test("--verbose prints each failure with its reason, and --quiet prints none")
    func verbosity() throws {
        let folder = try Pictures.mixedFolder()
        try folder.write("source,mode\nin/acme.png,sideways\nin/gone.png,\n", to: "list.csv")
        let batch = ["batch", "--list", "list.csv", "-o", "out"]
        let verbose = try Tool.emblem(batch + ["-v"], in: folder.path)
        #expect(
            verbose.errors.contains(
                "bad_row  in/acme.png (line 2): mode: unknown value \"sideways\"; use fit, fill"
            ))
        #expect(verbose.errors.contains("not_found  in/gone.png: "))
        let quiet = try Tool.emblem(batch + ["-v", "--quiet"], in: folder.path)
        #expect(quiet.errors.isEmpty)
        let plain = try Tool.emblem(batch, in: folder.path)
        #expect(!plain.errors.contains("sideways"))
    }

    @Test(
        "a file that blocks an output is named without --verbose as well",
        arguments: [[], ["--quiet"]])
    func reasons(more: [String]) throws {
        let folder = try Pictures.mixedFolder()
        folder.makeFolder("out/large/acme.png")
        folder.makeFolder("out/large/wide.png")
        let batch = ["batch", "in/acme.png", "-o", "out"]
        let one = try Tool.emblem(batch + more, in: folder.path)
        let reason = "cannot write out/large/acme.png: a folder already exists there; move it"
        #expect(one.status == 1 && one.errors.contains("emblem: error: \(reason)"), "\(one.errors)")
        let two = try Tool.emblem(batch + ["in/wide.png"] + more, in: folder.path)
        #expect(
            two.errors.contains(
                "emblem: error: 2 items could not be written; the first one: cannot write"),
            "\(two.errors)")
        let json = try Tool.emblem(batch + ["--progress", "json"] + more, in: folder.path)
        let errors = try json.errors.split(separator: "\n").map {
            try JSONParser.parse(Array($0.utf8).span)
        }.filter { $0["level"]?.stringValue == "error" }
        #expect(
            errors.contains { $0["text"]?.stringValue?.hasPrefix(reason) == true },
            "\(json.errors)")
        let verbose = try Tool.emblem(batch + ["-v"], in: folder.path)
        #expect(verbose.errors.components(separatedBy: reason).count == 2, "\(verbose.errors)")
    }

    @Test("messages state why an emblem could not be written, and the manifest has a fixed text")
    func reasonsInRecords() throws {
        let folder = try Pictures.mixedFolder()
        folder.makeFolder("out/large/acme.png")
        let run = try Tool.emblem(
            ["batch", "in/acme.png", "in/wide.png", "-o", "out", "--quiet"], in: folder.path)
        #expect(run.status == 1, "\(run.errors)")
        let reason = "cannot write out/large/acme.png: a folder already exists there"
        let error = try ManifestText(folder).items[0]["error"]
        #expect(error?["message"]?.stringValue == "The emblem could not be written.")
        let unwritten = try folder.json("out/run.json")["unwritten"]?.elements
        #expect(unwritten?.count == 1)
        #expect(unwritten?.first?["message"]?.stringValue?.hasPrefix(reason) == true)
        for form in [[], ["--json"]] {
            let list = try Tool.emblem(["failures", "out"] + form, in: folder.path)
            #expect(list.status == 0 && list.output.contains(reason), "\(list)")
        }
        folder.remove("out/.emblem")
        let without = try Tool.emblem(["failures", "out"], in: folder.path)
        #expect(without.output.contains("write\tacme\tin/acme.png\tThe emblem could not be"))
    }

    @Test(
        "an unwritable place is found before the work begins, also by a dry run",
        arguments: [
            ["-o", "in/acme.png/out"], ["-o", "out", "--sheet", "none/s.png"],
            ["-o", "out", "--depfile", "none/out.d"], ["-o", "out", "--sheet", "in"],
            ["-o", "out", "--depfile", "in/"],
        ])
    func unusablePlaces(arguments: [String]) throws {
        let folder = try Pictures.mixedFolder()
        for more in [[], ["--dry-run"]] {
            let run = try Tool.emblem(["batch", "in"] + arguments + more, in: folder.path)
            #expect(run.status == 73, "\(run.errors)")
            #expect(!folder.exists("out"))
        }
    }

    @Test(
        "a side file that is also an input is refused under any name",
        arguments: ["--sheet", "--depfile"])
    func inputsAsSideFiles(option: String) throws {
        let folder = try Pictures.mixedFolder()
        try folder.write("in/wide.png\n", to: "list.txt")
        try folder.write("old", to: "old.txt")
        folder.link("link", to: "in/acme.png")
        for file in [
            "in/acme.png", "./in/../in/acme.png", "link", "list.txt", "in/vector.svg",
            "in/wide.png",
        ] {
            let before = try folder.read(file)
            let run = try Tool.emblem(
                [
                    "batch", "in/acme.png", "--list", "list.txt", "--placeholder", "in/vector.svg",
                    "-o", "out", option, file,
                ], in: folder.path)
            #expect(run.status == 64, "\(file): \(run.errors)")
            #expect(run.errors.contains("\(file) is an input of this run"), "\(run.errors)")
            #expect(try folder.read(file) == before)
        }
        let found = try Tool.emblem(
            ["batch", "in", "-o", "out", option, "link"], in: folder.path)
        #expect(found.status == 64, "\(found.errors)")
        #expect(!folder.exists("out"))
        let other = try Tool.emblem(
            ["batch", "in/acme.png", "-o", "out", option, "old.txt"], in: folder.path)
        #expect(other.status == 0, "\(other.errors)")
        #expect(try folder.text("old.txt") != "old")
    }

    @Test("side files may be in the output folder, which the run creates")
    func sideFilesInTheOutputFolder() throws {
        let folder = try Pictures.mixedFolder()
        let run = try Tool.emblem(
            [
                "batch", "in", "-o", "out/", "--sheet", "out/s.png", "--depfile",
                "out/out.d",
            ], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        for name in ["s.png", "out.d"] { #expect(folder.exists("out/\(name)")) }
    }

    @Test("a foreign file at the place of an output is moved away, and a message says so")
    func foreignFiles() throws {
        let folder = try Pictures.mixedFolder()
        try folder.write("mine", to: "out/small/acme.png")
        try folder.write("<p>mine</p>", to: "out/report.html")
        let batch = ["batch", "in/acme.png", "-o", "out", "--report"]
        let run = try Tool.emblem(batch, in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.errors.contains(
                "2 files, such as out/small/acme.png, were not created by emblem; "
                    + "moved them, this one to out/.emblem/replaced/small/acme.png"),
            "\(run.errors)")
        #expect(try folder.text("out/.emblem/replaced/small/acme.png") == "mine")
        #expect(try folder.text("out/.emblem/replaced/report.html") == "<p>mine</p>")
        #expect(try Tool.emblem(["verify", "out"], in: folder.path).status == 0)
        // Lint of targets is reported in the same way.
        try folder.write("{}", to: "dist/index.json")
        let site = batch + ["--target", "web=dist", "--layout", "small"]
        let web = try Tool.emblem(site, in: folder.path)
        #expect(web.status == 0 && web.errors.contains("dist/index.json was not created by emblem"))
        #expect(try folder.text("dist/.emblem/replaced/index.json") == "{}")
        let other = try Tool.emblem(site + ["--padding", "4"], in: folder.path)
        #expect(other.status == 0 && !other.errors.contains("not created by"), "\(other.errors)")
        let again = try Tool.emblem(batch + ["--padding", "2"], in: folder.path)
        #expect(again.status == 0 && !again.errors.contains("not created by"), "\(again.errors)")
    }

    @Test(
        "a quiet run reports a foreign file that it moved away",
        arguments: ["--quiet", "--progress=json"])
    func foreignFilesQuietly(option: String) throws {
        let folder = try Pictures.mixedFolder()
        try folder.write("mine", to: "out/small/acme.png")
        let batch = ["batch", "in/acme.png", "-o", "out", option]
        let run = try Tool.emblem(batch, in: folder.path)
        let text = "out/small/acme.png was not created by emblem; moved it to "
        #expect(run.status == 0 && run.errors.contains(text), "\(run.errors)")
        if option != "--quiet" {
            for line in run.errors.split(separator: "\n") {
                #expect(throws: Never.self, "\(line)") {
                    try JSONParser.parse(Array(line.utf8).span)
                }
            }
        }
        let again = try Tool.emblem(batch + ["--padding", "2"], in: folder.path)
        #expect(again.status == 0 && !again.errors.contains(text), "\(again.errors)")
    }

    @Test(
        "--json makes all of standard error JSON lines, and the summary with the exit code is last",
        arguments: [
            (["in", "-o", "out", "--strict", "-v", "--layout", "small"], 1),
            (["in", "-o", "out", "--quiet"], 0), (["in", "-o", "out", "--layout", "foo"], 64),
            (["nowhere", "-o", "out"], 66),
            (["in", "-o", "out", "--scale", "1", "--scale", "2"], 0),
        ] as [([String], Int32)])
    func allJSON(_ words: [String], _ status: Int32) throws {
        let folder = try Pictures.mixedFolder()
        for form in [["--progress", "json"], ["--progress=json"]] {
            let run = try Tool.emblem(["batch"] + form + words, in: folder.path)
            #expect(run.status == status, "\(run)")
            let records = try run.errors.split(separator: "\n").map {
                try JSONParser.parse(Array($0.utf8).span)
            }
            let last = try #require(records.last)
            #expect(last["type"]?.stringValue == "summary", "\(run.errors)")
            #expect(last["exit"]?.intValue == Int(status))
            let hasError = records.contains { $0["level"]?.stringValue == "error" }
            #expect(hasError == (status != 0), "\(run.errors)")
            guard status <= 1 else { continue }
            #expect(last["manifest"]?.stringValue == "out/manifest.ndjson")
            #expect(last[path: ["errors", "truncated"]]?.intValue == 1)
        }
    }

    @Test("the plan of a dry run is text, one line, or JSON lines that end with a summary")
    func plan() throws {
        let folder = try Pictures.mixedFolder()
        let dry = ["batch", "in/acme.png", "in/wide.png", "-o", "out", "--dry-run"]
        let quiet = try Tool.emblem(dry + ["--quiet"], in: folder.path)
        #expect(quiet.status == 0 && quiet.output == "2 items, 8 files in out\n", "\(quiet)")
        let run = try Tool.emblem(dry + ["--progress", "json", "--scale", "1,2"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let records = try run.output.split(separator: "\n").map {
            try JSONParser.parse(Array($0.utf8).span)
        }
        #expect(records.map { $0["type"]?.stringValue } == ["item", "item", "summary"])
        let names = records.first?["outputs"]?.elements?.compactMap(\.stringValue) ?? []
        #expect(names.count == 8 && names.contains("medium/acme@2x.png"), "\(names)")
        #expect(records.last?["files"]?.intValue == 16)
    }

    @Test(
        "the version and the help have every usual option name",
        arguments: [
            (["-V"], "emblem "), (["--version"], "emblem "),
            (["help", "help"], "batch"), (["help"], "batch"), (["-h"], "batch"), ([], "batch"),
        ])
    func usualNames(_ words: [String], _ sign: String) throws {
        let run = try Tool.emblem(words)
        #expect(run.status == 0 && run.output.contains(sign), "\(run)")
    }

    @Test("an option before the command is refused with its correct place")
    func optionFirst() throws {
        let run = try Tool.emblem(["--layout", "small", "batch", "a.png"])
        #expect(run.status == 64, "\(run)")
        #expect(run.errors.contains("must follow the command"), "\(run.errors)")
        #expect(run.errors.contains("emblem batch … --layout"), "\(run.errors)")
    }

    @Test("a variable that version 0.1 read has no effect, and a warning names it")
    func oldVariables() throws {
        let folder = try Pictures.mixedFolder()
        let run = try Tool.emblem(
            ["batch", "in", "-o", "out"], in: folder.path,
            environment: [
                "EMBLEM_LAYOUT": "small", "EMBLEM_DRY_RUN": "1", "EMBLEM_NO_CONFIG": "1",
                "EMBLEM_PROGRAM": "emblem",
            ])
        #expect(run.status == 0 && folder.exists("out/large"), "\(run.errors)")
        for text in [
            "EMBLEM_LAYOUT has no effect; write \"layout\" to emblem.json\n",
            "EMBLEM_DRY_RUN has no effect; type --dry-run\n",
            "EMBLEM_NO_CONFIG has no effect; use --config none\n",
        ] {
            #expect(run.errors.contains("warning: " + text), "\(run.errors)")
        }
        #expect(!run.errors.contains("EMBLEM_PROGRAM"), "\(run.errors)")
    }

    @Test(
        "verify and failures say how to finish an interrupted run",
        arguments: ["verify", "failures"])
    func unfinished(command: String) throws {
        let folder = try Pictures.mixedFolder()
        let never = try Tool.emblem([command, "out"], in: folder.path)
        #expect(never.status == 66 && never.errors.contains("Run 'emblem batch … -o out' first"))
        // The process was killed between its last image and its manifest.
        let run = try Tool.emblem(["batch", "in/acme.png", "-o", "out"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        folder.remove("out/manifest.ndjson")
        let ended = try Tool.emblem([command, "out"], in: folder.path)
        #expect(
            ended.status == 66 && ended.errors.contains("again with the same inputs"),
            "\(ended.errors)")
        let again = ["batch", "in/acme.png", "-o", "out"]
        #expect(try Tool.emblem(again, in: folder.path).status == 0)
        #expect(try Tool.emblem([command, "out"], in: folder.path).status == 0)
    }

    @Test(
        "a run that is stopped before it changes a file leaves the previous manifest",
        arguments: ["verify", "failures"])
    func unfinishedAgain(command: String) throws {
        let (socket, port) = LocalSocket.listen()
        defer { close(socket) }
        let folder = try Pictures.mixedFolder()
        let first = try Tool.emblem(["batch", "in/acme.png", "-o", "out"], in: folder.path)
        #expect(first.status == 0, "\(first.errors)")
        let running = try Tool.start(
            Tool.path(of: "emblem"),
            ["batch", "in/acme.png", "http://127.0.0.1:\(port)/a.png", "-o", "out"] + Web.open,
            in: folder.path)
        #expect(LocalSocket.wasReached(socket, within: 10_000))
        running.send(SIGINT)
        #expect(running.wait().status == 130)
        let ended = try Tool.emblem([command, "out"], in: folder.path)
        #expect(ended.status == 0, "\(ended.errors)")
    }

    @Test("failures notes on standard error that no item failed")
    func noFailures() throws {
        let folder = try Pictures.mixedFolder()
        let run = try Tool.emblem(["batch", "in/acme.png", "-o", "out"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let cases: [([String], String)] = [
            ([], "emblem: note: no item of out failed\n"),
            (["--class", "dns"], "emblem: note: no item of out failed with class dns\n"),
            (["--quiet"], ""), (["--quiet", "--class", "dns"], ""),
        ]
        for (more, words) in cases {
            let list = try Tool.emblem(["failures", "out"] + more, in: folder.path)
            #expect(list.status == 0 && list.output.isEmpty, "\(list)")
            #expect(list.errors == words)
        }
        let array = try Tool.emblem(["failures", "out", "--json"], in: folder.path)
        #expect(array.status == 0 && array.output == "[]\n", "\(array)")
    }

    @Test("failures lists warnings after failures, and notes each remedy once")
    func warnings() throws {
        let folder = try Pictures.mixedFolder()
        for name in ["small", "tiny"] {
            try folder.write(Pictures.disc(.black, width: 9, height: 9), to: "in/\(name).png")
        }
        let run = try Tool.emblem(
            [
                "batch", "in/text.png", "in/small.png", "in/tiny.png", "-o", "out", "--layout",
                "small",
            ],
            in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let list = try Tool.emblem(["failures", "out"], in: folder.path)
        let lines = list.output.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("not_image\ttext\tin/text.png\t"), "\(list)")
        for name in ["small", "tiny"] {
            #expect(lines.dropFirst().contains("tiny-source\t\(name)\tin/\(name).png"), "\(list)")
        }
        #expect(
            list.errors.contains(
                "note: not_image (1): Look at the source; it is often an HTML page.\n")
                && list.errors.contains("note: tiny-source (2): Use a larger picture, or an SVG.\n")
        )
        let quiet = try Tool.emblem(["failures", "out", "--quiet"], in: folder.path)
        #expect(quiet.output == list.output && quiet.errors.isEmpty)
        let one = try Tool.emblem(["failures", "out", "--class", "not_image"], in: folder.path)
        #expect(one.output == lines[0] + "\n", "\(one)")
    }

    @Test("help errors prints the class, cause and remedy of every failure, also as JSON")
    func errorClasses() throws {
        let table = try Tool.emblem(["help", "errors"])
        let listed = try Tool.emblem(["help", "errors", "--json"])
        let rows = try #require(try JSONParser.parse(Array(listed.output.utf8).span).elements)
        #expect(rows.count > 25)
        for row in rows {
            let name = try #require(row["class"]?.stringValue)
            let mark = row["retryable"] == .bool(true) ? " *" : ""
            #expect(
                table.output.contains("\n  \(name)\(mark)  ") || name == "missing_url", "\(name)")
            #expect(row["cause"]?.stringValue?.hasSuffix(".") == true)
            #expect(row["remedy"]?.stringValue?.hasSuffix(".") == true)
        }
        #expect(try Tool.emblem(["help", "errors", "--csv"]).status == 64)
    }
}
