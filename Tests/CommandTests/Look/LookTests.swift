import Codecs
import Notation
import Support
import Testing

@Suite("Commands that only read", .ownThreads)
struct LookTests {
    private let folder: ScratchFolder

    init() throws { folder = try Pictures.mixedFolder() }

    private func json(_ arguments: [String], status: Int32 = 0) throws -> [JSON] {
        let run = try Tool.emblem(arguments + ["--json"], in: folder.path)
        #expect(run.status == status, "\(run.errors)")
        let text = run.output
        let lines = text.hasPrefix("{\n") ? [text] : text.split(separator: "\n").map(String.init)
        return try lines.map { line in
            let bytes = Array(line.utf8)
            return try JSONParser.parse(bytes.span)
        }
    }

    @Test("formats reports what is read and written, by which library and within which limits")
    func formats() throws {
        let run = try Tool.emblem(["formats"])
        #expect(run.status == 0 && run.output.contains("webp") && run.output.contains("libjpeg"))
        let record = try #require(try json(["formats"]).first)
        #expect(record["reads"]?.elements?.count == ImageFormat.allCases.count)
        #expect(record["writes"]?.elements?.count == OutputFormat.allCases.count)
        #expect(record[path: ["codecs", "system", "reads", "png"]]?.stringValue == "libpng")
        #expect(record[path: ["codecs", "fast", "writes", "png"]]?.stringValue != "libpng")
        #expect(run.output.contains("system reads png") && run.output.contains("libpng"))
        #expect(record[path: ["limits", "pixels"]]?.intValue == 50_000_000)
        let fonts = try #require(record["fonts"]?.elements)
        #expect(fonts.count == 5 && run.output.contains("font     fonts-inter"))
        #expect(fonts.allSatisfy { $0["found"]?.intValue == $0["files"]?.intValue })
    }

    @Test("inspect reports the type of each file and how a batch would treat it")
    func inspect() throws {
        let names = ["in/acme.png", "in/sub/photo.jpg", "in/text.png", "in/zz-cut.png"]
        let records = try json(["inspect"] + names, status: 1)
        #expect(records.map { $0["format"]?.stringValue } == ["png", "jpeg", nil, "png"])
        #expect(
            records.map { $0["outcome"]?.stringValue }
                == ["ok", "ok", "placeholder", "placeholder"])
        #expect(records[0]["width"]?.intValue == 200)
        let run = try Tool.emblem(["inspect"] + names, in: folder.path)
        #expect(run.status == 1 && run.output.contains("200 x 200 px"))
        #expect(run.output.contains("not_image") && run.output.contains("truncated"))
        let missing = try json(["inspect", "in/nothing.png"], status: 66)
        #expect(missing.first?[path: ["error", "class"]]?.stringValue == "not_found")
        for (source, advice) in [
            ("https://user:pw@cdn.example/a.png", "curl"), ("data:,x", "standard input"),
        ] {
            let address = try Tool.emblem(["inspect", "in/acme.png", source], in: folder.path)
            #expect(address.status == 64 && address.errors.contains(advice), "\(address.errors)")
            #expect(address.output.isEmpty && !address.errors.contains("pw"))
        }
    }

    @Test(
        "inspect exits with 1 for a file that is not a complete picture",
        arguments: [("acme.png", 0), ("text.png", 1), ("zz-cut.png", 1), ("sub", 1)]
            as [(String, Int32)])
    func inspectedGate(_ name: String, _ status: Int32) throws {
        let run = try Tool.emblem(["inspect", "in/\(name)"], in: folder.path)
        #expect(run.status == status, "\(run)")
        let both = try Tool.emblem(["inspect", "in/\(name)", "in/acme.png"], in: folder.path)
        #expect(both.status == status, "\(both)")
    }

    @Test("inspect refuses a picture that needs more memory than batch allows")
    func inspectedMemory() throws {
        var muxer = HEIFMuxer()
        let setUp = HEIFMuxer.box("av1C", [0x81, 0, 0x0C, 0])
        _ = muxer.add("av01", [0], [setUp, HEIFMuxer.size(7000, 7000)])
        try folder.write(muxer.bytes(brand: "avif"), to: "large.avif")
        let record = try #require(try json(["inspect", "large.avif"], status: 1).first)
        #expect(record["width"]?.intValue == 7000)
        #expect(record[path: ["error", "class"]]?.stringValue == "limit_decode")
        let run = try Tool.emblem(["batch", "large.avif", "-o", "large"], in: folder.path)
        #expect(run.errors.contains("limit_decode"))
    }

    @Test("theme prints every token and checks a theme")
    func theme() throws {
        let shown = try Tool.emblem(["theme"])
        #expect(shown.status == 0 && shown.output.contains("theme.color.emblem.brand.background"))
        let record = try #require(try json(["theme"]).first)
        #expect(record["low_contrast"]?.elements?.isEmpty == true)
        try folder.write(
            ##"{"theme":{"color":{"on-background":{"brand-subtle":"#E0E0E0"}}}}"##,
            to: "pale.json")
        let pale = try Tool.emblem(["theme", "pale.json"], in: folder.path)
        #expect(pale.status == 0 && pale.output.contains("below 4.5:1"))
        let found = try #require(try json(["theme", "pale.json"]).first)
        #expect((found["low_contrast"]?.elements?.count ?? 0) > 0)
        try folder.write(#"{"theme":{"color":{"emblem":7"#, to: "bad.json")
        let bad = try Tool.emblem(["theme", "bad.json"], in: folder.path)
        #expect(bad.status == 65 && bad.errors.contains("bad.json"))
    }

    @Test("theme --json reports warnings, and theme prints them on standard error")
    func themeWarnings() throws {
        try folder.write(
            ##"{"my":{"c":"#fff"},"theme":{"color":{"foreground":{"subtle":{"$value":"#666"}}}}}"##,
            to: "odd.json")
        let found = try #require(try json(["theme", "odd.json"]).first)
        let warnings = try #require(found["warnings"]?.elements)
        #expect(warnings.count == 2)
        let unknown = warnings.first { $0["path"]?.stringValue == "my.c" }
        #expect(unknown?["line"]?.intValue == 1)
        #expect(unknown?["reason"]?.stringValue == "unknown token")
        let shown = try Tool.emblem(["theme", "odd.json"], in: folder.path)
        #expect(shown.status == 0 && shown.errors.contains("write {\"colorSpace\""))
        #expect(shown.output.contains("theme.color.foreground.subtle"))
    }

    @Test("a batch prints only the first of many unknown tokens, and where to find the others")
    func manyUnknown() throws {
        let tokens = (0..<500).map { "\"t\($0)\":\($0)" }.joined(separator: ",")
        try folder.write("{\"my\":{\(tokens)}}", to: "many.json")
        let run = try Tool.emblem(
            ["batch", "in/acme.png", "-o", "themed", "--theme", "many.json"], in: folder.path)
        #expect(run.status == 0)
        #expect(run.errors.split(separator: "\n").count { $0.contains("unknown token") } == 10)
        #expect(run.errors.contains("490 more warnings"))
        let check = try Tool.emblem(["theme", "many.json"], in: folder.path)
        #expect(check.errors.split(separator: "\n").count { $0.contains("unknown token") } == 500)
    }

    @Test("heights and radii of a theme apply to the plan, the pictures and their placeholders")
    func oddHeights() throws {
        try folder.write(
            ##"{"theme":{"dimension":{"height":{"emblem":{"sm":33.5,"xl":7}},"##
                + ##""radius":{"emblem":{"sm":0}}}}}"##, to: "odd-heights.json")
        let arguments = [
            "batch", "in/acme.png", "in/text.png", "-o", "odd", "--theme", "odd-heights.json",
            "--scale", "1,2", "--layout", "small,xLarge", "--name", "{layout}-{height}/{id}.{ext}",
        ]
        let plan = try Tool.emblem(arguments + ["--dry-run"], in: folder.path)
        for line in [
            "small at 1x, light: 34 px high", "small at 2x, light: 67 px high",
            "xLarge at 1x, light: 7 px high", "small-67/acme.png",
        ] {
            #expect(plan.output.contains(line), "\(line)\n\(plan.output)")
        }
        for isolation in ["process", "none"] {
            let run = try Tool.emblem(
                arguments + ["--force", "--sandbox", isolation], in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            let items = try ManifestText(folder, "odd").items
            for item in items {
                let sizes = item["outputs"]?.elements?.map { output in
                    "\(output["layout"]?.stringValue ?? "") \(output["width"]?.intValue ?? 0) "
                        + "\(output["height"]?.intValue ?? 0)"
                }
                #expect(
                    sizes == ["small 34 34", "small 67 67", "xLarge 7 7", "xLarge 14 14"],
                    "\(isolation)")
            }
            #expect(items.map { $0["status"]?.stringValue } == ["ok", "placeholder"])
        }
    }
}
