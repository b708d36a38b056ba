import Codecs
import Notation
import Raster
import Support
import Testing

@Suite("Avatars of the tool", .ownThreads)
struct AvatarCommandTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        let blue = Color(red: 10, green: 95, blue: 255)
        try folder.write(Pictures.disc(blue, width: 300, height: 100), to: "in/jane.png")
        try folder.write(Pictures.disc(.black, width: 80, height: 80), to: "in/joe.png")
        try folder.write("no picture", to: "in/bad.png")
    }

    private func emblem(_ arguments: [String], _ status: Int32 = 0) throws -> Tool.Ending {
        let ending = try Tool.emblem(arguments, in: folder.path)
        #expect(ending.status == status, "\(arguments): \(ending.errors)")
        return ending
    }

    private func size(_ name: String) throws -> PixelSize {
        let bytes = try folder.read(name)
        return try ImageDecoder.header(of: bytes.span, limits: DecodeLimits()).size
    }

    @Test("a crop shows the part that the gravity, the focus of a row or the default rule selects")
    func crops() throws {
        // White above, black below.
        var tall = PixelBuffer(size: PixelSize(width: 90, height: 270))
        tall.fill(.black)
        var upper = PixelBuffer(size: PixelSize(width: 90, height: 135))
        upper.fill(.white)
        tall.draw(upper, x: 0, y: 0)
        try folder.write(
            ImageEncoder.encode(tall, EncodeSettings(format: .png)), to: "tall.png")
        try folder.write(
            "source,id,focus\ntall.png,low,\"0.5,1\"\ntall.png,bad,up\n", to: "list.csv")
        let words = ["--layout", "small", "--mode", "fill"]
        _ = try emblem(["batch", "--list", "list.csv", "-o", "rows"] + words)
        _ = try emblem(["batch", "tall.png", "-o", "top", "--gravity", "top"] + words)
        _ = try emblem(["batch", "tall.png", "-o", "avatar", "--component", "avatar"])
        /// The share of white in the middle column.
        func light(_ name: String) throws -> Double {
            let bytes = try folder.read(name)
            let header = try ImageDecoder.header(of: bytes.span, limits: DecodeLimits())
            let decoded = try ImageDecoder.decode(
                bytes.span, header: header, request: DecodeRequest())
            guard case .raster(let picture) = consume decoded else { return -1 }
            let column = (0..<picture.height).map {
                picture.pixels[($0 * picture.width + picture.width / 2) * 4]
            }
            return Double(column.count { $0 > 127 }) / Double(column.count)
        }
        #expect(try light("rows/small/low.png") == 0)
        #expect(try light("top/small/tall.png") == 1)
        // Without a focus, an avatar of a portrait is cut out around a third of the height. Rows
        // 45 to 135 are all white.
        #expect(try light("avatar/small/tall.png") == 1)
        let manifest = try ManifestText(folder, "rows")
        #expect(manifest.item("bad")?[path: ["error", "class"]]?.stringValue == "bad_row")
    }

    @Test("AVIF is written and read by workers that started without its library", arguments: 1...3)
    func lateLibrary(jobs: Int) throws {
        let words = ["--layout", "small", "--jobs", "\(jobs)"]
        _ = try emblem(
            ["batch", "in/jane.png", "in/joe.png", "-o", "a", "--format", "avif"] + words)
        #expect(try size("a/small/joe.avif") == PixelSize(width: 40, height: 40))
        _ = try emblem(["batch", "a/small", "in/joe.png", "-o", "b", "--force"] + words)
        let manifest = try String(decoding: folder.read("b/manifest.ndjson"), as: UTF8.self)
        #expect(manifest.contains(#""ok":3,"placeholder":0,"failed":0"#), "\(manifest)")
    }

    @Test("a batch of avatars creates all four layouts in folders of their names")
    func allLayouts() throws {
        _ = try emblem(["batch", "in", "-o", "out", "--component", "avatar", "--scale", "1,2"])
        #expect(
            folder.names(in: "out").filter { !$0.contains(".") }.sorted()
                == ["default", "large", "medium", "small"])
        let sides = ["small": 24, "default": 40, "medium": 56, "large": 80]
        for (layout, side) in sides {
            #expect(try size("out/\(layout)/jane.png") == PixelSize(width: side, height: side))
            #expect(try size("out/\(layout)/jane@2x.png").width == 2 * side)
        }
        let manifest = try ManifestText(folder)
        #expect(manifest.lines.first?[path: ["options", "component"]]?.stringValue == "avatar")
        #expect(manifest.lines.first?[path: ["options", "mode"]]?.stringValue == "fill")
        #expect(manifest.item("bad")?["placeholder"]?.stringValue == "icon:person")
        let layouts = manifest.item("joe")?["outputs"]?.elements?.map { $0["layout"]?.stringValue }
        #expect(
            layouts?.compactMap { $0 }
                == ["small", "small", "default", "default", "medium", "medium", "large", "large"])
        _ = try emblem(["verify", "out"])
    }

    @Test("a failed picture becomes an alternative, the item's initials, or the icon")
    func chain() throws {
        try folder.write(
            """
            source,id,label,alternatives,placeholder,layout,note
            in/jane.png,jane,Jane Roe,,,,a hint
            in/bad.png,alternative,Jane Doe,in/joe.png,,,
            in/none.png,label,Jane van Doe,,,"small,default",
            in/none.png,given,Jane Doe,,initials:XY,,
            in/bad.png,nobody,,,,,
            in/bad.png,globe,Jane Doe,,icon:globe,,
            ,nosource,Ada Lovelace,,,,
            icon:wallet,wallet,,,,,
            in/none.png,icon,Jane Doe,icon:lock,,,
            in/none.png,arabic,محمد علي,,,,
            in/none.png,hieroglyphs,\u{13000}\u{13001},,,,
            in/none.png,file,,,in/joe.png,,
            in/jane.png,wrong,,,,xLarge,
            """, to: "people.csv")
        let arguments = [
            "batch", "--component", "avatar", "--list", "people.csv", "--scheme", "both",
        ]
        _ = try emblem(arguments + ["-o", "out"])
        let manifest = try ManifestText(folder)
        let expected: [(String, String, String?, String?)] = [
            ("jane", "ok", nil, nil), ("alternative", "ok", nil, nil),
            ("label", "placeholder", "initials:JD", "not_found"),
            ("given", "placeholder", "initials:XY", "not_found"),
            ("nobody", "placeholder", "icon:person", "not_image"),
            ("globe", "placeholder", "icon:globe", "not_image"),
            ("nosource", "placeholder", "initials:AL", "missing_url"),
            ("wallet", "ok", nil, nil), ("icon", "ok", nil, nil),
            ("arabic", "placeholder", "initials:م\u{200C}ع", "not_found"),
            ("hieroglyphs", "placeholder", "icon:person", "not_found"),
            ("file", "placeholder", "file:in/joe.png", "not_found"),
            ("wrong", "placeholder", "icon:person", "bad_row"),
        ]
        for (id, status, placeholder, errorClass) in expected {
            let item = try #require(manifest.item(id), "\(id)")
            #expect(item["status"]?.stringValue == status, "\(id)")
            #expect(item["placeholder"]?.stringValue == placeholder, "\(id)")
            #expect(item[path: ["error", "class"]]?.stringValue == errorClass, "\(id)")
            #expect(item["outputs"]?.elements?.count == (id == "label" ? 4 : 8), "\(id)")
        }
        #expect(
            manifest.item("jane")?[path: ["accessibility", "label"]]?.stringValue == "Jane Roe")

        // The tool's own process makes the same bytes, and a second run reuses them.
        _ = try emblem(arguments + ["-o", "here", "--sandbox", "none", "--jobs", "3"])
        #expect(try folder.text("here/manifest.ndjson") == folder.text("out/manifest.ndjson"))
        let before = try folder.text("out/manifest.ndjson")
        _ = try emblem(arguments + ["-o", "out"])
        #expect(try folder.text("out/manifest.ndjson") == before)
        _ = try emblem(["verify", "out"])
        // A set of emblems differs from a set of avatars and needs a separate folder.
        _ = try emblem(["batch", "--list", "people.csv", "-o", "out"], 64)
    }

    @Test("a layout that the component does not have is refused with the valid ones")
    func layouts() throws {
        for (component, layout, names) in [
            ("avatar", "xLarge", "small, default, medium, large"),
            ("avatar", "small,xLarge", "small, default, medium, large"),
            ("emblem", "default", "small, medium, large, xLarge"),
        ] {
            let run = try emblem(
                ["batch", "in", "-o", "no", "--component", component, "--layout", layout], 64)
            #expect(run.errors.contains(names), "\(run.errors)")
            #expect(!folder.exists("no"))
        }
        let wrong = try emblem(
            ["render", "avatar", "--icon", "--layout", "xLarge", "-o", "x.png"], 64)
        #expect(wrong.errors.contains("default"))
        for option in [["--width", "auto"], ["--corner", "continuous"]] {
            let run = try emblem(
                ["batch", "in", "-o", "no", "--component", "avatar"] + option, 64)
            #expect(run.errors.contains("circle"))
        }
        _ = try emblem(
            ["batch", "in", "-o", "two", "--component", "avatar", "--layout", "large,default"])
        #expect(
            folder.names(in: "two").filter { !$0.contains(".") }.sorted()
                == ["default", "large"])
    }

    @Test("a dry run of avatars prints their names and sizes")
    func dryRun() throws {
        let plan = try emblem(["batch", "in", "-o", "dry", "--component", "avatar", "--dry-run"])
        for text in ["default/jane.png", "small at 1x, light: 24 px", "large at 1x, light: 80 px"] {
            #expect(plan.output.contains(text), "\(plan.output)")
        }
        #expect(!folder.exists("dry"))
    }

    @Test("render avatar draws a picture, initials, initials of words, or the icon")
    func render() throws {
        let cases: [[String]] = [
            ["in/jane.png"], ["--initials", "JDX"], ["--label", "Jane Doe"], ["--icon"],
            ["in/bad.png", "--initials", "JD"], ["in/bad.png", "--label", "Jane Doe"],
            ["in/bad.png"], ["--label", "\u{202E}"], ["--initials", "\u{13000}"],
            ["icon:wallet"],
        ]
        var bytes: [[UInt8]] = []
        for (index, arguments) in cases.enumerated() {
            _ = try emblem(
                ["render", "avatar"] + arguments + ["-o", "\(index).png"],
                arguments[0] == "in/bad.png" ? 1 : 0)
            #expect(try size("\(index).png") == PixelSize(width: 40, height: 40))
            bytes.append(try folder.read("\(index).png"))
        }
        // "JDX" and "Jane Doe" both become JD. A failed source falls back to these initials, and
        // then to the icon.
        #expect(bytes[1] == bytes[2] && bytes[1] == bytes[4] && bytes[1] == bytes[5])
        #expect(bytes[3] == bytes[6] && bytes[3] == bytes[7] && bytes[3] == bytes[8])
        #expect(Set(bytes).count == 4)
        for format in ["webp", "jpg", "avif"] {
            _ = try emblem([
                "render", "avatar", "--initials", "é", "--scale", "2", "-o", "x.\(format)",
            ])
            #expect(try size("x.\(format)").width == 80)
        }
        for (name, arguments, expected) in [
            ("p", ["in/jane.png"], "data:image/"), ("i", ["--initials", "JD"], ">JD<"),
            ("c", ["--icon"], "<path"), ("f", ["in/bad.png", "--label", "Jane Doe"], ">JD<"),
            ("b", ["--initials", "JD", "--badge", "7:info"], ">7<"),
        ] {
            _ = try emblem(
                ["render", "avatar"] + arguments + ["-o", "\(name).svg"],
                arguments[0] == "in/bad.png" ? 1 : 0)
            let svg = try folder.text("\(name).svg")
            #expect(svg.contains(expected) && svg.contains("width=\"40\""), "\(svg.prefix(600))")
        }
        let piped = try Tool.emblem(
            ["render", "avatar", "-", "-o", "p.png"], in: folder.path,
            input: folder.read("in/jane.png"))
        #expect(piped.status == 0)
        #expect(try folder.read("p.png") == bytes[0])
    }

    @Test("render avatar draws the initials in place of a file that does not exist")
    func missing() throws {
        _ = try emblem(["render", "avatar", "--initials", "JD", "-o", "jd.png"])
        for words in [["--initials", "JD"], ["--label", "Jane Doe"]] {
            let run = try emblem(
                ["render", "avatar", "in/none.png"] + words + ["-o", "none.png"], 1)
            #expect(run.errors.contains("in/none.png") && run.errors.contains("not_found"))
            #expect(run.errors.contains("initials:JD"), "\(run.errors)")
            #expect(try folder.read("none.png") == folder.read("jd.png"))
            _ = try emblem(["render", "avatar", "in/none.png"] + words + ["-o", "none.svg"], 1)
            #expect(try folder.text("none.svg").contains(">JD<"))
        }
        let own = ["--initials", "JD", "--placeholder", "icon:lock"]
        for words in [[], own] {
            _ = try emblem(["render", "avatar", "in/none.png"] + words + ["-o", "x.png"], 66)
            #expect(!folder.exists("x.png"))
        }
    }

    @Test("an invalid avatar is a usage error that names the correction")
    func usage() throws {
        for arguments in [
            [], ["--initials", ""], ["--initials", " \u{200E}"], ["in/jane.png", "--icon"],
            ["--icon", "--initials", "JD"], ["--initials", "JD", "--placeholder", "initials:"],
        ] {
            let run = try emblem(["render", "avatar"] + arguments + ["-o", "x.png"], 64)
            #expect(!run.errors.isEmpty && !folder.exists("x.png"))
        }
        _ = try emblem(["render", "avatar", "in/none.png", "-o", "x.png"], 66)
        _ = try emblem(["render", "avatar", "--icon", "-o", "x.txt"], 64)
    }

    @Test("icons are valid sources on the command line and in lists")
    func icons() throws {
        _ = try emblem(["batch", "icon:globe", "icon:lock", "-o", "icons", "--layout", "small"])
        let manifest = try ManifestText(folder, "icons")
        #expect(manifest.items.map { $0["id"]?.stringValue } == ["globe", "lock"])
        #expect(manifest.items.allSatisfy { $0["status"]?.stringValue == "ok" })
        _ = try emblem(["render", "emblem", "--icon", "globe", "--layout", "small", "-o", "g.png"])
        #expect(try folder.read("g.png") == folder.read("icons/small/globe.png"))
        _ = try emblem(["render", "emblem", "icon:globe", "--layout", "small", "-o", "h.png"])
        #expect(try folder.read("g.png") == folder.read("h.png"))
        let again = try emblem(
            ["batch", "icon:globe", "icon:lock", "-o", "icons", "--layout", "small"])
        #expect(again.status == 0)
        _ = try emblem(["batch", "icon:nothing", "-o", "none"], 66)
        _ = try emblem(["render", "emblem", "icon:nothing", "-o", "none.png"], 66)
        try folder.write("icon:nothing\nicon:card\n", to: "icons.txt")
        _ = try emblem(["batch", "--list", "icons.txt", "-o", "listed", "--remote-only"])
        let listed = try ManifestText(folder, "listed")
        #expect(listed.errorClass("nothing") == "bad_row")
        #expect(listed.item("card")?["status"]?.stringValue == "ok")
    }

    @Test("rows with different initials do not share files")
    func sharing() throws {
        try folder.write(
            """
            source,label,placeholder
            in/bad.png,Ann Bee,initials
            in/bad.png,Cid Dee,initials
            """, to: "same.csv")
        _ = try emblem(["batch", "--list", "same.csv", "-o", "same", "--layout", "small"])
        let items = try ManifestText(folder, "same").items
        #expect(items.map { $0["placeholder"]?.stringValue } == ["initials:AB", "initials:CD"])
        #expect(Set(items.compactMap { $0["id"]?.stringValue }).count == 2)
    }
}
