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

    @Test("a file in the way that no run made is kept, and told of")
    func foreignFiles() throws {
        let folder = try Pictures.mixedFolder()
        try folder.write("mine", to: "out/small/acme.png")
        try folder.write("<p>mine</p>", to: "out/report.html")
        let batch = ["batch", "in/acme.png", "-o", "out", "--report"]
        let run = try Tool.emblem(batch, in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.errors.contains(
                "2 files in the way were made by no run, such as out/small/acme.png; they are kept, "
                    + "it as out/.emblem/replaced/small/acme.png"), "\(run.errors)")
        #expect(try folder.text("out/.emblem/replaced/small/acme.png") == "mine")
        #expect(try folder.text("out/.emblem/replaced/report.html") == "<p>mine</p>")
        #expect(try Tool.emblem(["verify", "out"], in: folder.path).status == 0)
        // So it is with what targets say of their pictures.
        try folder.write("{}", to: "dist/index.json")
        let site = batch + ["--as", "web=dist", "--layout", "small"]
        let web = try Tool.emblem(site, in: folder.path)
        #expect(web.status == 0 && web.errors.contains("dist/index.json was made by no run"))
        #expect(try folder.text("dist/.emblem/replaced/index.json") == "{}")
        let other = try Tool.emblem(site + ["--padding", "4"], in: folder.path)
        #expect(other.status == 0 && !other.errors.contains("by no run"), "\(other.errors)")
        let again = try Tool.emblem(batch + ["--padding", "2"], in: folder.path)
        #expect(again.status == 0 && !again.errors.contains("by no run"), "\(again.errors)")
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
