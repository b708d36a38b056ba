import Codecs
import Raster
import Support
import Testing

@Suite("emblem batch --sheet", .ownThreads)
struct SheetTests {
    private static let batch = [
        "batch", "in", "-o", "out", "--layout", "large", "--scheme", "both",
    ]

    @Test("a contact sheet shows every item in both schemes")
    func sheet() throws {
        let folder = try ScratchFolder()
        for name in ["a", "b", "white"] {
            try folder.write(Pictures.disc(.white, width: 200, height: 200), to: "in/\(name).png")
        }
        let run = try Tool.emblem(
            Self.batch + ["--scale", "2", "--sheet", "sheet.png"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let bytes = try folder.read("sheet.png")
        let header = try ImageDecoder.header(of: bytes.span, limits: DecodeLimits())
        #expect(header.size == PixelSize(width: 3 * 276, height: 148))
        let taken = try Tool.emblem(
            Self.batch + ["--sheet", "out/large/white.png"], in: folder.path)
        #expect(taken.status == 64)
    }

    @Test(
        "a contact sheet shows emblems of every target like plain files",
        arguments: ["xcassets", "xcassets=App", "android", "web", "files=Plain"])
    func targets(target: String) throws {
        let folder = try ScratchFolder()
        try folder.write(Pictures.disc(.black, width: 200, height: 200), to: "in/a.png")
        let form = ["--scale", "2", "--format", "png"]
        var sheets: [[UInt8]] = []
        for (out, more) in [("plain", []), ("other", ["--target", target])] {
            let run = try Tool.emblem(
                ["batch", "in", "-o", out, "--sheet", "\(out).png"] + form + more, in: folder.path)
            #expect(run.status == 0 && !run.errors.contains("--sheet"), "\(run.errors)")
            sheets.append(try folder.read("\(out).png"))
        }
        #expect(sheets[0] == sheets[1])
    }
}
