import Codecs
import Raster
import Support
import Testing

@Suite("Drawings and catalogues from the command line", .ownThreads)
struct RenderVectorTests {
    private let folder: ScratchFolder

    init() throws { folder = try Pictures.mixedFolder() }

    private func render(_ arguments: [String], status: Int32 = 0) throws -> String {
        let run = try Tool.emblem(["render"] + arguments, in: folder.path)
        #expect(run.status == status, "\(arguments): \(run.errors)")
        return run.errors
    }

    @Test("an emblem of a drawing, picture, icon or letters as SVG keeps its form")
    func emblems() throws {
        _ = try render(["emblem", "in/vector.svg", "--label", "Acme & Co", "-o", "a.svg"])
        let vector = try folder.text("a.svg")
        #expect(vector.contains("<title>Acme &amp; Co</title>"))
        #expect(!vector.contains("base64"))
        _ = try render(["emblem", "in/acme.png", "-o", "b.svg"])
        #expect(try folder.text("b.svg").contains("data:image/png;base64,"))
        _ = try render(["emblem", "--icon", "lock", "--scheme", "dark", "-o", "c.svg"])
        #expect(try folder.text("c.svg").contains("<path"))
        _ = try render(["emblem", "--label", "Jane Doe", "-o", "d.svg"])
        #expect(try folder.text("d.svg").contains(">JD</text>"))
        for name in ["a.svg", "b.svg", "c.svg", "d.svg"] {
            let bytes = try folder.read(name)
            let header = try ImageDecoder.header(of: bytes.span, limits: DecodeLimits())
            #expect(header.codedSize == PixelSize(width: 48, height: 48))
        }
    }

    @Test("render without a component draws an emblem")
    func withoutComponent() throws {
        for words in [["in/acme.png"], ["--icon", "lock"], ["in/acme.png", "--layout", "large"]] {
            _ = try render(["emblem"] + words + ["-o", "a.png"])
            _ = try render(words + ["-o", "b.png"])
            #expect(try folder.read("a.png") == folder.read("b.png"), "\(words)")
        }
        let help = try Tool.emblem(["render", "in/acme.png", "--help"])
        #expect(help.status == 0 && help.output.contains("emblem render emblem"))
        _ = try render(["bagde", "--text", "3", "-o", "c.png"], status: 64)
        _ = try render(["gone.png", "-o", "c.png"], status: 66)
        _ = try render(["catalog", "-o", "c"], status: 64)
        let alone = try render([], status: 64)
        #expect(alone.contains("emblem, avatar, badge, state, shimmer"), "\(alone)")
    }

    @Test("render never overwrites its own source under any spelling")
    func ownSource() throws {
        let before = try folder.read("in/acme.png")
        for path in ["in/acme.png", "./in/../in/acme.png", folder.path("in/acme.png")] {
            for component in ["emblem", "avatar"] {
                _ = try render([component, "in/acme.png", "-o", path], status: 64)
            }
        }
        #expect(try folder.read("in/acme.png") == before)
    }

    @Test("an unreadable source is reported, and its placeholder is drawn")
    func failures() throws {
        let errors = try render(["emblem", "in/text.png", "-o", "a.svg"], status: 1)
        #expect(errors.contains("placeholder"))
        #expect(try folder.text("a.svg").contains("<path"))
        _ = try render(["emblem", "in/text.png", "-o", "c.png"], status: 1)
        #expect(try folder.read("c.png").count > 8)
        _ = try render(["avatar", "in/text.png", "--initials", "JD", "-o", "d.png"], status: 1)
        _ = try render(["emblem", "in/gone.svg", "-o", "b.svg"], status: 66)
        _ = try render(
            ["emblem", "in/text.png", "--placeholder", "none", "-o", "b.svg"], status: 1)
        _ = try render(["emblem", "--icon", "lok", "-o", "b.svg"], status: 64)
        #expect(!folder.exists("b.svg"))
    }
}
