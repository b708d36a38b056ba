import Codecs
import Notation
import Raster
import Support
import Testing

struct ManifestText {
    let lines: [JSON]

    init(_ folder: ScratchFolder, _ out: String = "out") throws {
        lines = try folder.text("\(out)/manifest.ndjson").split(separator: "\n").map {
            try JSONParser.parse(Array($0.utf8).span)
        }
    }

    var items: [JSON] { lines.filter { $0["type"]?.stringValue == "item" } }
    var summary: JSON? { lines.last }

    func item(_ id: String) -> JSON? { items.first { $0["id"]?.stringValue == id } }

    func errorClass(_ id: String) -> String? {
        item(id)?[path: ["error", "class"]]?.stringValue
    }
}

@Suite("emblem batch", .ownThreads)
struct BatchTests {
    @Test("a folder becomes a complete set of emblems in four layouts")
    func folderBecomesSet() throws {
        let folder = try Pictures.mixedFolder()
        let run = try Tool.emblem(["batch", "in", "-o", "out"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let ids = ["acme", "sub/photo", "sub/small", "text", "vector", "wide", "zz-cut"]
        for layout in ["small", "medium", "large", "xLarge"] {
            #expect(folder.tree("out/\(layout)") == ids.map { "\($0).png" })
        }
        let manifest = try ManifestText(folder)
        // The items are in byte order of their relative paths.
        #expect(
            manifest.items.compactMap { $0["id"]?.stringValue }
                == ["acme", "sub/photo", "sub/small", "text", "vector", "wide", "zz-cut"])
        #expect(manifest.errorClass("text") == "not_image")
        #expect(manifest.errorClass("zz-cut") == "truncated")
        #expect(manifest.item("text")?["placeholder"]?.stringValue == "icon:account-balance")
        #expect(manifest.summary?["ok"]?.intValue == 5)
        #expect(manifest.summary?["placeholder"]?.intValue == 2)
        #expect(manifest.summary?["outputs"]?.intValue == 28)
    }

    @Test("each output has the height of its layout multiplied by its scale")
    func heights() throws {
        let folder = try Pictures.mixedFolder()
        let run = try Tool.emblem(
            ["batch", "in/wide.png", "-o", "out", "--scale", "1,1.5,2,3"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let heights = [("small", 40), ("medium", 48), ("large", 64), ("xLarge", 80)]
        for (layout, height) in heights {
            for (suffix, factor) in [("", 1.0), ("@1.5x", 1.5), ("@2x", 2), ("@3x", 3)] {
                let bytes = try folder.read("out/\(layout)/wide\(suffix).png")
                let header = try ImageDecoder.header(of: bytes.span, limits: DecodeLimits())
                let side = Int(Double(height) * factor)
                #expect(header.size == PixelSize(width: side, height: side))
            }
        }
    }

    @Test("repeated runs, and runs with one and two jobs, give the same bytes")
    func sameBytes() throws {
        let folder = try Pictures.mixedFolder()
        let common = ["--scale", "1,2", "--scheme", "both"]
        for (out, jobs) in [("a", "1"), ("b", "2"), ("c", "2")] {
            let run = try Tool.emblem(
                ["batch", "in", "-o", out, "--jobs", jobs] + common, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
        }
        for out in ["b", "c"] {
            let names = folder.tree(out).filter { $0 != "run.json" }
            #expect(names == folder.tree("a").filter { $0 != "run.json" })
            for name in names {
                #expect(try folder.read("a/\(name)") == folder.read("\(out)/\(name)"), "\(name)")
            }
        }
    }

    @Test("--strict exits with 1 if a placeholder was used or an item has no output")
    func strictness() throws {
        let folder = try Pictures.mixedFolder()
        let strict = try Tool.emblem(["batch", "in", "-o", "a", "--strict"], in: folder.path)
        #expect(strict.status == 1)
        let none = try Tool.emblem(
            ["batch", "in", "-o", "b", "--placeholder", "none"], in: folder.path)
        #expect(none.status == 1)
        let manifest = try ManifestText(folder, "b")
        #expect(manifest.item("text")?["status"]?.stringValue == "failed")
        #expect(manifest.item("text")?["outputs"]?.elements?.isEmpty == true)
        #expect(!folder.exists("b/small/text.png"))
        let good = try Tool.emblem(
            ["batch", "in/acme.png", "-o", "c", "--strict"], in: folder.path)
        #expect(good.status == 0)
    }

    @Test("--max-failures exits with 1 if more items have no picture")
    func maxFailures() throws {
        let folder = try Pictures.mixedFolder()
        let over = try Tool.emblem(
            ["batch", "in", "-o", "a", "--max-failures", "1"], in: folder.path)
        #expect(over.status == 1)
        #expect(
            over.errors.contains(
                "2 items are without a new picture, 28.6 % of 7 items (--max-failures 1)\n"))
        // Every input has a record.
        #expect(try ManifestText(folder, "a").items.count == 7)
        let under = try Tool.emblem(
            ["batch", "in", "-o", "b", "--max-failures", "50%"], in: folder.path)
        #expect(under.status == 0, "\(under.errors)")
    }

    @Test("a pattern that the shell did not expand gets a hint")
    func quotedPattern() throws {
        let folder = try Pictures.mixedFolder()
        let run = try Tool.emblem(["batch", "in/*.png", "-o", "out"], in: folder.path)
        #expect(run.status == 66 && run.errors.contains("remove the quotes"), "\(run.errors)")
    }

    @Test(
        "usage errors exit with 64, name the correction and write nothing",
        arguments: [
            (["batch", "in"], ["-o OUT"]),
            (["batch", "in", "-o", "out", "--layuot", "small"], ["--layuot", "--layout"]),
            (["batch", "in", "-o", "out", "--layout", "huge"], ["--layout", "huge", "xLarge"]),
            (["batch", "in", "-o", "out", "--jobs", "0"], ["--jobs", "1024"]),
            (["batch", "in", "-o", "out", "--memory", "much"], ["--memory", "512M"]),
            (["batch", "in", "-o", "out", "--scale", "2,7"], ["--scale", "1, 1.5, 2, 3"]),
            (["batch", "in", "-o", "out", "--quality", "0"], ["--quality", "1 to 100"]),
            (
                ["batch", "in", "-o", "out", "--placeholder", "icon:nothing"],
                ["icon:nothing", "photo"]
            ),
            (["batch", "in", "-o", "out", "--name", "{id}"], ["--name", "{layout}"]),
            (
                ["batch", "in", "-o", "out", "--name", "../{layout}/{id}.{ext}"],
                ["--name", "../{layout}/{id}.{ext}"]
            ),
            (
                ["batch", "in", "-o", "out", "--format", "jpeg", "--quality", "lossless"],
                ["--quality", "JPEG", "1 to 100"]
            ),
            (["batch", "-o", "out"], ["--list FILE"]),
            (["bach"], ["'bach'", "'batch'"]),
        ])
    func usageErrors(arguments: [String], told: [String]) throws {
        let folder = try Pictures.mixedFolder()
        let run = try Tool.emblem(arguments, in: folder.path)
        #expect(run.status == 64, "\(run.errors)")
        for words in told { #expect(run.errors.contains(words), "\(words): \(run.errors)") }
        #expect(run.output.isEmpty)
        #expect(!folder.exists("out"))
    }

    @Test("a missing input exits with 66, and a broken list or theme with 65")
    func missingAndMalformed() throws {
        let folder = try Pictures.mixedFolder()
        try folder.write("id,label\na,b\n", to: "list.csv")
        try folder.write("[{\"source\": ", to: "list.json")
        try folder.write(
            ##"{"theme": {"color": {"background": {"brand": "#12"}}}}"##, to: "theme.json")
        let cases: [([String], Int32)] = [
            (["batch", "nowhere", "-o", "out"], 66),
            (["batch", "--list", "nowhere.csv", "-o", "out"], 66),
            (["batch", "--list", "list.csv", "-o", "out"], 65),
            (["batch", "--list", "list.json", "-o", "out"], 65),
            (["batch", "in", "--theme", "theme.json", "-o", "out"], 65),
            (["batch", "in", "--theme", "nowhere.json", "-o", "out"], 66),
            (["batch", "in", "--placeholder", "nowhere.png", "-o", "out"], 66),
            (["batch", "in", "--placeholder", "in/text.png", "-o", "out"], 65),
        ]
        for (arguments, status) in cases {
            let run = try Tool.emblem(arguments, in: folder.path)
            #expect(run.status == status, "\(arguments): \(run.errors)")
            #expect(!folder.exists("out"), "\(arguments)")
        }
    }

    @Test("an output folder that cannot be created exits with 73")
    func outputFolderCannotBeMade() throws {
        let folder = try Pictures.mixedFolder()
        for out in ["in/acme.png", "in/acme.png/out", "/proc/emblem"] {
            let run = try Tool.emblem(["batch", "in", "-o", out], in: folder.path)
            #expect(run.status == 73, "\(out): \(run.errors)")
            #expect(run.errors.contains("cannot"))
        }
    }

    @Test("a dry run shows the plan and writes nothing")
    func dryRun() throws {
        let folder = try Pictures.mixedFolder()
        let run = try Tool.emblem(
            ["batch", "in", "-o", "out", "--dry-run", "--scale", "1,2"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(!folder.exists("out"))
        #expect(run.output.contains("medium/acme@2x.png"))
        #expect(run.output.contains("in/sub/photo.jpg"))
    }

    @Test("batch accepts a picture on standard input and one in a data: URI")
    func inlineSources() throws {
        let folder = try ScratchFolder()
        let png = try Pictures.disc(.black, width: 50, height: 50)
        let stdin = try Tool.emblem(["batch", "-", "-o", "out"], in: folder.path, input: png)
        #expect(stdin.status == 0, "\(stdin.errors)")
        #expect(folder.exists("out/medium/stdin.png"))
        let uri = "data:image/png;base64," + Base64.encode(png.span)
        let data = try Tool.emblem(["batch", uri, "-o", "data"], in: folder.path)
        #expect(data.status == 0, "\(data.errors)")
        let id = try ManifestText(folder, "data").items.first?["id"]?.stringValue ?? ""
        #expect(id.hasPrefix("data-"))
        #expect(id.utf8.count == 13)
    }

    @Test("an existing file of another kind fails its item and is kept")
    func nameInTheWay() throws {
        let folder = try Pictures.mixedFolder()
        try folder.write("mine", to: "out/medium/acme.png/keep")
        let run = try Tool.emblem(["batch", "in/acme.png", "-o", "out"], in: folder.path)
        #expect(run.status == 1)
        #expect(try ManifestText(folder).errorClass("acme") == "write")
        #expect(try folder.text("out/medium/acme.png/keep") == "mine")
    }
}
