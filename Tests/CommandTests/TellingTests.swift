import Support
import Testing

/// What a person at the terminal is told, and when.
@Suite("What the tool says")
struct TellingTests {
    @Test("--verbose gives each failure a line with its reason, --quiet none")
    func verbosity() throws {
        let folder = try Pictures.mixedFolder()
        try folder.write("source,mode\nin/acme.png,sideways\nin/gone.png,\n", to: "list.csv")
        let batch = ["batch", "--list", "list.csv", "-o", "out"]
        let verbose = try Tool.emblem(batch + ["-v"], in: folder.path)
        #expect(
            verbose.errors.contains(
                "bad_row  in/acme.png (line 2): mode: there is no \"sideways\"; there are fit, fill"
            ))
        #expect(verbose.errors.contains("not_found  in/gone.png: "))
        let quiet = try Tool.emblem(batch + ["-v", "-q"], in: folder.path)
        #expect(quiet.errors.isEmpty)
        let plain = try Tool.emblem(batch, in: folder.path)
        #expect(!plain.errors.contains("sideways"))
    }

    @Test(
        "a place that cannot be written to is found before the work, by a dry run too",
        arguments: [
            ["-o", "in/acme.png/out"], ["-o", "out", "--metrics", "none/m.txt"],
            ["-o", "out", "--depfile", "none/out.d"], ["-o", "out", "--trace", "none/t.json"],
        ])
    func unusablePlaces(arguments: [String]) throws {
        let folder = try Pictures.mixedFolder()
        for more in [[], ["--dry-run"]] {
            let run = try Tool.emblem(["batch", "in"] + arguments + more, in: folder.path)
            #expect(run.status == 73, "\(run.errors)")
            #expect(!folder.exists("out"))
        }
    }

    @Test("side files may stand in the output folder, which the run makes")
    func sideFilesInTheOutputFolder() throws {
        let folder = try Pictures.mixedFolder()
        let run = try Tool.emblem(
            [
                "batch", "in", "-o", "out/", "--trace", "out/t.json", "--metrics", "out/m.txt",
                "--depfile", "out/out.d",
            ], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        for name in ["t.json", "m.txt", "out.d"] { #expect(folder.exists("out/\(name)")) }
    }

    @Test("the environment can ask for a dry run")
    func dryRunInEnvironment() throws {
        let folder = try Pictures.mixedFolder()
        let run = try Tool.emblem(
            ["batch", "in", "-o", "out"], in: folder.path, environment: ["EMBLEM_DRY_RUN": "1"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(!folder.exists("out"))
    }
}
