import Codecs
import Notation
import Raster
import Support
import Testing

@Suite("Badges of the tool", .ownThreads)
struct BadgeCommandTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        let blue = Color(red: 10, green: 95, blue: 255)
        try folder.write(Pictures.disc(blue, width: 200, height: 200), to: "in/acme.png")
        try folder.write("no picture", to: "in/bad.png")
    }

    private func emblem(_ arguments: [String], _ status: Int32 = 0) throws -> Tool.Ending {
        let ending = try Tool.emblem(arguments, in: folder.path)
        #expect(ending.status == status, "\(arguments): \(ending.errors)")
        return ending
    }

    private func picture(_ name: String) throws -> PixelBuffer {
        let bytes = try folder.read(name)
        let header = try ImageDecoder.header(of: bytes.span, limits: DecodeLimits())
        let decoded = try ImageDecoder.decode(
            bytes.span, header: header, request: DecodeRequest())
        guard case .raster(let pixels) = consume decoded else {
            throw ScratchError(doing: "reading pixels", path: name)
        }
        return pixels
    }

    @Test(
        "render badge draws each appearance in each format",
        arguments: ["neutral", "info", "success", "warning", "danger"])
    func render(appearance: String) throws {
        for format in ["png", "webp", "jpg"] {
            let name = "\(appearance).\(format)"
            _ = try emblem(
                ["render", "badge", "--text", "New", "--appearance", appearance, "-o", name])
            let found = try picture(name)
            #expect(found.height == 22 && found.width > 22)
        }
        _ = try emblem(
            [
                "render", "badge", "--text", "7", "--appearance", appearance, "--scale", "3",
                "--scheme", "dark", "-o", "dark.png",
            ])
        let dark = try picture("dark.png")
        #expect(dark.width == 66 && dark.height == 66)
        _ = try emblem(
            ["render", "badge", "--text", "a <b> & c", "--appearance", appearance, "-o", "x.svg"])
        let svg = try folder.text("x.svg")
        #expect(svg.contains("a &lt;b&gt; &amp; c") && svg.contains("height=\"22\""))
        _ = try emblem(
            ["render", "badge", "--text", "3", "--label", "Three messages", "-o", "y.svg"])
        #expect(try folder.text("y.svg").contains("<title>Three messages</title>"))
        let piped = try emblem(["render", "badge", "--text", "New", "-o", "-"])
        #expect(!piped.output.isEmpty)
    }

    @Test("an invalid badge is a usage error that names the correction")
    func usage() throws {
        for text in ["", "  ", "\u{200E}\u{202E}", "\n"] {
            let run = try emblem(["render", "badge", "--text", text, "-o", "x.png"], 64)
            #expect(run.errors.contains("--text"))
        }
        _ = try emblem(["render", "badge", "-o", "x.png"], 64)
        _ = try emblem(["render", "badge", "--text", "a"], 64)
        let brand = try emblem(
            ["render", "badge", "--text", "a", "--appearance", "brand", "-o", "x.png"], 64)
        #expect(brand.errors.contains("neutral"))
        for badge in ["3", "", " :danger", "3:brand", "3:"] {
            let run = try emblem(["batch", "in", "-o", "no", "--badge", badge], 64)
            #expect(run.errors.contains("danger"), "\(run.errors)")
        }
        let corner = try emblem(
            ["batch", "in", "-o", "no", "--badge", "3:info@middle"], 64)
        #expect(corner.errors.contains("top-right") && !folder.exists("no"))
    }

    @Test("a badge covers emblems, avatars and placeholders, and a row may have its own or none")
    func batch() throws {
        try folder.write(
            """
            source,id,badge
            in/acme.png,run,
            in/acme.png,own,New:info
            in/acme.png,none,none
            in/bad.png,failed,
            in/acme.png,wrong,3:brand
            in/acme.png,long,"\(String(repeating: "very ", count: 100))long:danger"
            """, to: "list.csv")
        for component in ["emblem", "avatar"] {
            let arguments = [
                "batch", "--list", "list.csv", "--component", component, "--badge", "3:danger",
                "--scale", "1,2", "--scheme", "both",
            ]
            _ = try emblem(arguments + ["-o", component])
            let manifest = try ManifestText(folder, component)
            #expect(manifest.lines.first?[path: ["options", "badge"]]?.stringValue == "3:danger")
            #expect(manifest.item("failed")?["status"]?.stringValue == "placeholder")
            #expect(manifest.errorClass("wrong") == "bad_row")
            let ids = ["run", "own", "none", "long"]
            #expect(
                Set(try ids.map { try folder.read("\(component)/medium/\($0).png") }).count == 4)
            for item in manifest.items {
                let outputs = try #require(item["outputs"]?.elements)
                #expect(!outputs.isEmpty || item["status"]?.stringValue == "failed")
                for output in outputs {
                    #expect(output["width"]?.intValue == output["height"]?.intValue)
                }
            }
            // The tool's own process and other numbers of jobs make the same bytes.
            _ = try emblem(
                arguments + ["-o", "here", "--sandbox", "none", "--jobs", "3", "--force"])
            #expect(
                try folder.text("here/manifest.ndjson")
                    == folder.text("\(component)/manifest.ndjson"))
            _ = try emblem(["verify", component])
        }
        let plain = try picture("emblem/medium/none.png")
        let worn = try picture("emblem/medium/run.png")
        let red = [UInt8](arrayLiteral: 0xC6, 0x28, 0x28, 0xFF)
        #expect((0..<4).map { worn.pixels[(2 * 48 + 40) * 4 + $0] } == red)
        #expect(worn.pixels[(16 * 48 + 40) * 4 + 3] == 0)
        #expect(plain.pixels[(16 * 48 + 40) * 4 + 3] == 255)
    }

    @Test("another badge or corner draws the outputs again")
    func again() throws {
        let start = ["batch", "in/acme.png", "-o", "again", "--layout", "small"]
        var seen: Set<[UInt8]> = []
        for options in [
            [], ["--badge", "3:danger"], ["--badge", "4:danger"],
            ["--badge", "4:danger@bottom-left"],
        ] {
            _ = try emblem(start + options)
            seen.insert(try folder.read("again/small/acme.png"))
        }
        #expect(seen.count == 4)
    }

    @Test("render emblem and render avatar accept a badge")
    func one() throws {
        for component in ["emblem", "avatar"] {
            _ = try emblem(["render", component, "in/acme.png", "-o", "plain.png"])
            _ = try emblem(
                ["render", component, "in/acme.png", "--badge", "9:warning", "-o", "worn.png"])
            #expect(try folder.read("plain.png") != folder.read("worn.png"))
            #expect(try picture("plain.png").size == picture("worn.png").size)
        }
    }
}
