import Glibc
import Notation
import Support
import Testing

@Suite("emblem bench", .ownThreads)
struct BenchTests {
    private static let quick = ["--rounds", "1", "--quiet"]
    /// The tolerance for two runs of the same work on a machine that other tests keep busy.
    private static let generous = "5000%"

    /// Runs a benchmark in a given folder, so that the test can check that no files remain.
    private func bench(
        _ arguments: [String], in folder: ScratchFolder
    ) throws -> Tool.Ending {
        folder.makeFolder("scratch")
        let run = try Tool.emblem(
            ["bench"] + Self.quick + arguments, in: folder.path,
            environment: ["TMPDIR": folder.path("scratch")])
        #expect(folder.names(in: "scratch").isEmpty, "\(run.errors)")
        return run
    }

    @Test("bench measures custom pictures as a table and a record")
    func ownPictures() throws {
        let folder = try Pictures.mixedFolder()
        let run = try bench(
            ["in", "--jobs", "2", "--layout", "small", "--export-json", "b.json"], in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("emblem batch in -o OUT --jobs 2 --layout small\n"))
        #expect(run.output.contains("\n2 jobs "))
        #expect(run.errors.contains("2 of 7 items have no image"))
        let results = try #require(try folder.json("b.json")["results"]?.elements)
        #expect(results.map { $0[path: ["parameters", "jobs"]]?.stringValue } == ["2"])
        #expect(results.allSatisfy { $0["items"]?.intValue == 7 && $0["outputs"]?.intValue == 7 })
    }

    @Test(
        "each kind of bench preset runs without pictures",
        arguments: [("one", 1), ("duplicates", 171), ("rerun", 120)] as [(String, Int)])
    func presets(name: String, items: Int) throws {
        let folder = try ScratchFolder()
        let run = try bench(
            ["--preset", name, "--jobs", "2", "--export-json", "b.json"], in: folder)
        #expect(run.status == 0, "\(run.errors)")
        let json = try folder.json("b.json")
        let result = try #require(json["results"]?.elements?.first)
        #expect(result["items"]?.intValue == items)
        #expect(result["exit_codes"]?.text == "[0]")
        #expect(json["preset"]?.stringValue == name)
        for member in ["tool", "machine", "versions", "kernels"] { #expect(json[member] != nil) }
    }

    @Test("bench --base exits with 0 if equal, 2 if slower, and 65 or 66 for a bad base")
    func comparison() throws {
        let folder = try Pictures.mixedFolder()
        let arguments = ["in", "--jobs", "1", "--layout", "small"]
        let first = try bench(arguments + ["--export-json", "base.json"], in: folder)
        #expect(first.status == 0, "\(first.errors)")
        let same = try bench(
            arguments + ["--compare", "base.json", "--tolerance", Self.generous], in: folder)
        #expect(same.status == 0 && same.output.contains("within tolerance"), "\(same.output)")

        let result = #"{"command":"x","median":0.000001,"parameters":{"jobs":"1"}}"#
        try folder.write(#"{"results":[\#(result)]}"#, to: "quick.json")
        let slower = try bench(arguments + ["--compare", "quick.json"], in: folder)
        #expect(slower.status == 2 && slower.output.contains("regression: time"))

        try folder.write("{}", to: "empty.json")
        try folder.write(result.replacing("\"1\"", with: "\"9\""), to: "no.json")
        try folder.write(
            #"{"results":[\#(result.replacing("\"1\"", with: "\"9\""))]}"#, to: "other.json")
        for name in ["empty.json", "no.json", "other.json", "in/acme.png"] {
            let run = try bench(arguments + ["--compare", name], in: folder)
            #expect(run.status == 65 && run.errors.contains(name), "\(run.errors)")
            #expect(run.output.isEmpty)
        }
        let other = try bench(arguments + ["--compare", "other.json"], in: folder)
        #expect(
            other.errors.contains("none of the measured cases (1 job), but jobs 9\n"),
            "\(other.errors)")
        #expect(try bench(arguments + ["--compare", "gone.json"], in: folder).status == 66)
    }

    /// Returns a base for the seven items of `in`, changed by `edit`.
    private func base(
        in folder: ScratchFolder, _ edit: (String) -> String = { $0 }
    ) throws -> [String] {
        let arguments = ["in", "--jobs", "1", "--layout", "small"]
        let first = try bench(arguments + ["--export-json", "base.json"], in: folder)
        #expect(first.status == 0, "\(first.errors)")
        try folder.write(edit(try folder.text("base.json")), to: "base.json")
        return arguments + ["--compare", "base.json", "--tolerance", Self.generous]
    }

    @Test("a picture that can no longer be read is a regression of the benchmark at any speed")
    func lostPicture() throws {
        let folder = try Pictures.mixedFolder()
        let arguments = try base(in: folder)
        #expect(try bench(arguments, in: folder).status == 0)
        try folder.write("no picture", to: "in/acme.png")
        let run = try bench(arguments, in: folder)
        #expect(run.status == 2 && run.output.contains("items without a picture"), "\(run.output)")
        #expect(run.output.contains("3 of 7 items have no image; in the base 2."))
    }

    @Test(
        "a base with other options or another number of items is 65")
    func otherCommand() throws {
        let folder = try Pictures.mixedFolder()
        let arguments = try base(in: folder)
        for other in [["--format", "webp"], ["--limit", "3"]] {
            let refused = try bench(arguments + other, in: folder)
            #expect(refused.status == 65 && refused.output.isEmpty, "\(refused.errors)")
            #expect(refused.errors.contains("'--jobs 1 --layout small' and are now '--jobs 1 "))
        }
        try folder.write(try folder.read("in/acme.png"), to: "in/more.png")
        let more = try bench(arguments, in: folder)
        #expect(more.status == 65 && more.errors.contains("the base has 7 items and this run 8"))
    }

    @Test("bench reports another machine, a single round and cases that only the base has")
    func otherMachine() throws {
        let folder = try Pictures.mixedFolder()
        let arguments = try base(in: folder) { text in
            text.replacing("\"cores\": ", with: "\"cores\": 9")
                .replacing(
                    "\"results\": [",
                    with: """
                        "results": [{"command": "x", "median": 1, "parameters": {"jobs": "64"}},
                        """)
        }
        let run = try bench(arguments, in: folder)
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(
            run.errors.contains("base.json was measured on another machine: cores 9"),
            "\(run.errors)")
        #expect(run.errors.contains("--rounds 1 cannot distinguish"))
        #expect(run.output.contains("jobs 64: only the base has this case."))
    }

    @Test("a regression does not overwrite a base that --export-json names too")
    func keptBase() throws {
        let folder = try Pictures.mixedFolder()
        let arguments = try base(in: folder)
        let text = try folder.text("base.json")
        try folder.write("no picture", to: "in/acme.png")
        let export = ["--export-json", "./base.json"]
        let worse = try bench(arguments + export, in: folder)
        #expect(
            worse.status == 2 && worse.errors.contains("the base was not replaced"),
            "\(worse.errors)")
        #expect(try folder.text("base.json") == text)
        try folder.write(
            text.replacing("\"without_picture\": 2", with: "\"without_picture\": 3"),
            to: "base.json")
        #expect(try bench(arguments + export, in: folder).status == 0)
        #expect(try folder.text("base.json").contains("\"without_picture\": 3"))
    }

    @Test(
        "bench reports what it cannot measure before it runs anything",
        arguments: [
            (["-"], 64), (["--list", "-"], 64), (["in", "--preset", "duplicates"], 64),
            (["--preset", "fast"], 64), (["--jobs", "0"], 64), (["--jobs", "1,2"], 64),
            (["--tolerance", "-1%"], 64), (["--tolerance", "speed=1%"], 64),
            (["--rounds", "0"], 64), (["gone"], 66),
            (["in", "--export-json", "none/b.json"], 73),
            (["in/text.png", "--theme", "in/text.png"], 65),
        ] as [([String], Int32)])
    func refusals(arguments: [String], status: Int32) throws {
        let folder = try Pictures.mixedFolder()
        let run = try bench(arguments, in: folder)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.output.isEmpty && !run.errors.isEmpty)
    }

    @Test("secrets of a command line are not recorded by bench")
    func secrets() throws {
        let folder = try Pictures.mixedFolder()
        let run = try bench(
            ["in", "--header", "X-Key: s3cret", "--jobs", "1", "--export-json", "b.json"],
            in: folder)
        #expect(run.status == 0 && !run.output.contains("s3cret"), "\(run.errors)")
        #expect(try !folder.text("b.json").contains("s3cret"))
    }

    @Test(
        "a signal stops bench in order and leaves no files",
        arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func stopped(signal: Int32, status: Int32) throws {
        let folder = try ScratchFolder()
        folder.makeFolder("scratch")
        let run = try Tool.start(
            Tool.path(of: "emblem"),
            ["bench", "--preset", "one", "--rounds", "1000"],
            in: folder.path, environment: ["TMPDIR": folder.path("scratch")])
        // Wait until a run is in progress.
        #expect(Waiting.until { folder.tree("scratch").count >= 3 })
        run.send(signal)
        let end = run.wait()
        #expect(end.status == status, "\(end.errors)")
        #expect(folder.names(in: "scratch").isEmpty)
        #expect(end.errors.contains("Interrupted"))
    }
}
