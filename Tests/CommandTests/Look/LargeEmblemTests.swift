import Codecs
import Notation
import Raster
import Support
import Testing

@Suite("Emblems of the largest size", .ownThreads)
struct LargeEmblemTests {
    /// Returns a theme whose largest layout has this many points.
    private func theme(_ points: Int) -> String {
        #"{"theme":{"dimension":{"height":{"emblem":{"xl":\#(points)}}}}}"#
    }

    @Test(
        "emblems over a megapixel are written in every format, with and without a sandbox",
        arguments: ["webp", "png", "jpeg"], ["process", "none"])
    func megapixel(format: String, isolate: String) throws {
        let folder = try Pictures.mixedFolder()
        try folder.write(theme(257), to: "theme.json")
        let run = try Tool.emblem(
            [
                "batch", "in/acme.png", "-o", "out", "--theme", "theme.json", "--layout", "xLarge",
                "--scale", "4", "--format", format, "--sandbox", isolate,
            ], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let manifest = try ManifestText(folder)
        #expect(manifest.item("acme")?["status"]?.stringValue == "ok")
        let name = format == "jpeg" ? "acme@4x.jpg" : "acme@4x.\(format)"
        let bytes = try folder.read("out/xLarge/\(name)")
        let header = try ImageDecoder.header(of: bytes.span, limits: DecodeLimits())
        #expect(header.size == PixelSize(width: 1028, height: 1028))
    }

    @Test(
        "emblems that need more memory than allowed are refused, and drawn once it is allowed")
    func memory() throws {
        let folder = try Pictures.mixedFolder()
        try folder.write(theme(512), to: "theme.json")
        func run(_ memory: String) throws -> Tool.Ending {
            try Tool.emblem(
                [
                    "batch", "in/acme.png", "-o", "out", "--theme", "theme.json", "--layout",
                    "xLarge", "--scale", "4", "--format", "webp", "--memory", memory,
                ], in: folder.path)
        }
        let refused = try run("64M")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("Emblems of 2048 × 2048 pixels need more memory"))
        let wide = try Tool.emblem(
            [
                "batch", "in/acme.png", "-o", "out", "--height", "256,1024",
                "--scale", "4", "--format", "webp", "--memory", "64M",
            ], in: folder.path)
        #expect(wide.errors.contains("Emblems of 4096 × 4096 pixels need more memory"))
        let most = try #require(refused.errors.firstMatch(of: /Use --memory ([0-9]+M) or more/))
        #expect(try run(String(most.1)).status == 0)
        #expect(try ManifestText(folder).item("acme")?["status"]?.stringValue == "ok")
    }
}
