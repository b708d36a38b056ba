import Glibc
import Notation
import Raster
import Support
import Testing

@Suite("A set of emblems", .ownThreads)
struct SetTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try Pictures.discFolder()
    }

    private func batch(_ arguments: String...) throws -> Tool.Ending { try batch(arguments) }

    private func batch(_ arguments: [String]) throws -> Tool.Ending {
        try Tool.emblem(
            ["batch"] + arguments + ["-o", "out", "--layout", "small"], in: folder.path)
    }

    @Test("a run reports outputs that it no longer produces, and removes them if asked")
    func pruning() throws {
        #expect(try batch("in").status == 0)
        folder.remove("in/b.png")
        #expect(
            try batch("in").errors.contains(
                "1 file of earlier runs is no longer produced; delete it"))
        let check = try Tool.emblem(["verify", "out"], in: folder.path)
        #expect(check.status == 0)
        #expect(check.output.contains("small/b.png: in no manifest"))
        let plan = try batch("in", "--prune", "--dry-run")
        #expect(
            plan.output.contains(
                "Would delete 1 file of earlier runs:\n  pruned: small/b.png"))
        #expect(folder.exists("out/small/b.png"))
        #expect(try batch("in", "--prune").errors.contains("Deleted 1 file of earlier runs."))
        #expect(!folder.exists("out/small/b.png") && folder.exists("out/small/a.png"))
        #expect(try batch("in", "--prune", "--limit", "1").status == 64)
    }

    @Test("a repeated run changes nothing in a set, including its journal and file times")
    func again() throws {
        // The image is in the list itself, so the age of a file does not matter.
        let disc = try Pictures.disc(.black, width: 9, height: 9)
        let text = Base64.encode(disc.span)
        try folder.write("source,id\n\"data:image/png;base64,\(text)\",disc\n", to: "list.csv")
        #expect(try batch("--list", "list.csv").status == 0)
        let files = ["out/.emblem/journal.ndjson", "out/manifest.ndjson", "out/small/disc.png"]
        func state() -> [[Int]] {
            files.map { name in
                var facts = stat()
                guard unsafe stat(folder.path(name), &facts) == 0 else { return [] }
                return [facts.st_size, facts.st_mtim.tv_nsec, Int(facts.st_ino)]
            }
        }
        let first = state()
        for _ in 0..<2 {
            #expect(try batch("--list", "list.csv").errors.contains("1 item unchanged (reused)"))
            #expect(state() == first)
        }
    }

    @Test("a set is not replaced by another component")
    func otherSet() throws {
        #expect(try batch("in").status == 0)
        let manifest = try folder.text("out/manifest.ndjson")
        let run = try batch("in", "--component", "avatar")
        #expect(
            run.status == 64 && run.errors.contains("the output folder belongs to another set"))
        #expect(try folder.text("out/manifest.ndjson") == manifest)
        #expect(try batch("in", "--component", "avatar", "--force").status == 0)
    }

    @Test("a run prints changed options since the last run in one line")
    func changes() throws {
        #expect(try !batch("in").errors.contains("since the last run"))
        #expect(try !batch("in").errors.contains("since the last run"))
        let run = try batch("in", "--padding", "4")
        #expect(run.errors.contains("since the last run into out: --padding was 0 and is now 4"))
        #expect(try !batch("in", "--padding", "2", "--quiet").errors.contains("since"))
        let other = try batch("in", "--padding", "2", "--target", "xcassets")
        #expect(
            other.errors.contains(
                "since the last run into out: --target was not given and is now xcassets")
        )
    }

    @Test("a run warns about rows that share an id, and about names that a new file contests")
    func names() throws {
        try folder.write("source,id\nin/a.png,x\nin/b.png,x\n", to: "list.csv")
        let run = try batch("--list", "list.csv")
        #expect(run.errors.contains("the id \"x\" is used for different emblems (rows 1, 2)"))
        try folder.write("source,id\nin/a.png,x\nin/b.png,X\n", to: "list.csv")
        #expect(
            try batch("--list", "list.csv").errors.contains(
                "the id \"x\", in several spellings, is used for different emblems (rows 1, 2)"))
        try folder.write("source,id\nin/a.png,y\n", to: "list.csv")
        #expect(try batch("--list", "list.csv").errors.contains("is used for") == false)
        try folder.write("source,id\nin/a.png,y\nin/b.png,y\n", to: "list.csv")
        let again = try batch("--list", "list.csv")
        #expect(again.errors.contains("the name \"y\" is now ambiguous"))
    }

    @Test("a run prints ids that need the same name in one line with their rows")
    func contested() throws {
        func lines(_ rows: String...) throws -> [String] {
            try folder.write("source,id\n" + rows.joined(separator: "\n") + "\n", to: "list.csv")
            let run = try batch("--list", "list.csv", "--force")
            #expect(run.status == 0)
            return run.errors.split(separator: "\n").map(String.init)
                .filter { $0.contains("want") || $0.contains("is used for") }
        }
        let two = try lines("in/a.png,Acme Bank", "in/b.png,acme-bank")
        #expect(two.count == 1, "\(two)")
        let words =
            "the id \"Acme Bank\" (row 1) and the id \"acme-bank\" (row 2) want the same name; "
        #expect(two.first?.contains(words + "their files are called Acme-Bank-") == true, "\(two)")
        let three = try lines("in/a.png,x y", "in/a.png,x-y", "in/b.png,x y")
        #expect(three.count == 1, "\(three)")
        let source = try lines("in/a.png,b", "in/b.png,")
        #expect(source.count == 1, "\(source)")
        #expect(
            source.first?.contains(
                "the id \"b\" (row 1) and the source \"in/b.png\" (row 2) want the same name")
                == true,
            "\(source)")
        let alone = try lines("in/a.png,x", "in/b.png,x")
        #expect(alone.count == 1 && alone[0].contains("is used for different emblems (rows 1, 2)"))
    }

    @Test("a run reports the number of files in a folder without an image extension")
    func skipped() throws {
        #expect(try !batch("in").errors.contains("skipped"))
        try folder.write("read me", to: "in/README.txt")
        #expect(
            try batch("in").errors.contains(
                "skipped 1 file without an image extension, such as README.txt\n"))
        #expect(try folder.json("out/run.json")["skipped_files"]?.intValue == 1)
    }

    @Test("a run reports a link to a folder as a link and not as a file")
    func linkedFolder() throws {
        folder.link("in/more", to: "../elsewhere")
        try folder.write("read me", to: "elsewhere/README.txt")
        let errors = try batch("in").errors
        #expect(
            errors.contains("1 symbolic link is not followed, such as more; name their folders"))
        #expect(!errors.contains("skipped"), "\(errors)")
    }

    @Test("a run has an item for each picture name in a folder, readable or not")
    func unreadableNames() throws {
        let folder = try ScratchFolder()
        try folder.write(try Pictures.disc(.black, width: 20, height: 20), to: "in/good.png")
        folder.link("in/broken.png", to: "nowhere.png")
        folder.link("in/loop.png", to: "loop.png")
        folder.link("in/zero.png", to: "/dev/zero")
        folder.makeFIFO("in/pipe.png")
        let run = try Tool.emblem(["batch", "in", "-o", "out", "--strict"], in: folder.path)
        #expect(run.status == 1, "\(run.errors)")
        let classes = try ManifestText(folder).items.map {
            $0[path: ["error", "class"]]?.stringValue ?? "ok"
        }
        #expect(classes == ["not_found", "ok", "unreadable", "unreadable", "unreadable"])
    }

    @Test("a run skips emblems of any run as sources and reports it")
    func nested() throws {
        func items(_ arguments: String...) throws -> (errors: String, count: Int) {
            let run = try Tool.emblem(
                ["batch", "in", "--layout", "small"] + arguments, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            let out = arguments[1]
            let manifest = try ManifestText(folder, out)
            return (run.errors, manifest.items.count)
        }
        let first = try items("-o", "in/one")
        #expect(!first.errors.contains("skipped output folders"), "\(first.errors)")
        let second = try items("-o", "in/one")
        #expect(second.count == first.count)
        #expect(second.errors.contains("skipped output folders: in/one"))
        let other = try items("-o", "in/two")
        #expect(
            other.count == first.count && other.errors.contains("skipped output folders: in/one"))
        let both = try items("-o", "in/two")
        #expect(both.count == first.count && both.errors.contains("1 more folder"))
    }

    @Test("a run refuses its output folder as its only source under any name")
    func ownFolder() throws {
        folder.link("other", to: "in")
        for (input, out) in [("in", "in"), ("./in/", "in"), ("other", "in"), (".", ".")] {
            let run = try Tool.emblem(["batch", input, "-o", out], in: folder.path)
            #expect(run.status == 64, "\(input): \(run.errors)")
            #expect(
                run.errors.contains("\(input) is both input and output")
                    && run.errors.contains("another output folder with -o"), "\(run.errors)")
        }
        #expect(!folder.exists("in/manifest.ndjson") && !folder.exists("in/.emblem"))
        // A shell pattern names the folder together with others.
        #expect(try batch("in").status == 0)
        let again = try batch("in", "out")
        #expect(
            again.status == 0 && again.errors.contains("skipped output folders: out"),
            "\(again.errors)")
        #expect(try ManifestText(folder).items.count == 3)
        let site = try batch("web", "--target", "web=web")
        #expect(site.status == 66, "\(site.errors)")
        folder.makeFolder("web")
        #expect(try batch("web", "--target", "web=web").status == 64)
    }

    @Test("a run explains how to pass a list that was named as a source")
    func likelyList() throws {
        try folder.write("a,https://127.0.0.1/a.png\n", to: "logos.csv")
        let run = try batch("in", "logos.csv")
        #expect(
            run.errors.contains(
                "emblem: note: 1 source has the name of a list but was read as an image; to read a "
                    + "list, type --list logos.csv\n"), "\(run.errors)")
        #expect(try !batch("in").errors.contains("name of a list"))
        // A path for --list, which is one word in a shell.
        try folder.write("a,https://127.0.0.1/a.png\n", to: "my logos.csv")
        let plain = try batch("in", "my logos.csv")
        #expect(plain.errors.contains("type --list 'my logos.csv'\n"), "\(plain.errors)")
        let address = "file://\(folder.path("my logos.csv").replacing(" ", with: "%20"))"
        let named = try batch("in", address)
        #expect(
            named.errors.contains("type --list '\(folder.path("my logos.csv"))'\n"),
            "\(named.errors)")
    }

    @Test("a run names a folder without pictures, or with only the set itself")
    func emptyFolders() throws {
        folder.makeFolder("none")
        try folder.write("read me", to: "notes/README.txt")
        let empty = try batch("none")
        #expect(empty.status == 0, "\(empty.errors)")
        #expect(
            empty.errors.contains("emblem: note: no images in none\n"), "\(empty.errors)"
        )
        let both = try batch("in", "none", "notes/")
        #expect(both.status == 0, "\(both.errors)")
        #expect(
            both.errors.contains("no images in none and 1 more folder"),
            "\(both.errors)")
        #expect(try !batch("in").errors.contains("no images in"))
        #expect(try !batch("none", "--quiet").errors.contains("no images in"))
        folder.makeFolder("around/out")
        let around = try Tool.emblem(["batch", "around", "-o", "around/out"], in: folder.path)
        #expect(around.status == 0, "\(around.errors)")
        #expect(around.errors.contains("no images in around"), "\(around.errors)")
        #expect(around.errors.contains("skipped the output folder around/out"), "\(around.errors)")
    }

    @Test("a run accepts a foreign list with --columns")
    func dialects() throws {
        try folder.write("logo;nr\nin/a.png;7\nin/b.png;8\n", to: "list.csv")
        let plain = try batch("--list", "list.csv")
        #expect(plain.status == 65 && plain.errors.contains("--columns source=logo"))
        let run = try batch("--list", "list.csv", "--columns", "source=logo,id=nr")
        #expect(run.status == 0 && folder.exists("out/small/7.png"))
        for (option, value) in [
            ("--columns", "sauce=logo"), ("--columns", "source"), ("--columns", "id=a,id=b"),
            ("--columns", "id=1"),
        ] {
            #expect(try batch("--list", "list.csv", option, value).status == 64, "\(value)")
        }
        #expect(try batch("--list", "list.csv", "--columns", "source=lego").status == 65)
        try folder.write("url|id\nin/a.png|9\n", to: "list.dat")
        #expect(try batch("--list", "list.dat").status == 0 && folder.exists("out/small/9.png"))
        try folder.write("{\"items\": [\"in/a.png\"]}", to: "list.json")
        let envelope = try batch("--list", "list.json")
        #expect(envelope.status == 65 && envelope.errors.contains("jq .items"))
    }

    @Test("a run suggests the missing scheme of a URL")
    func schemes() throws {
        try folder.write("in/a.png\nwww.shop.example/logo.png\n", to: "list.txt")
        let run = try batch("--list", "list.txt")
        #expect(run.errors.contains("write https://www.shop.example/logo.png"))
        let argument = try batch("www.shop.example/logo.png")
        #expect(argument.status == 66)
        #expect(argument.errors.contains("write https://www.shop.example/logo.png"))
    }
}
