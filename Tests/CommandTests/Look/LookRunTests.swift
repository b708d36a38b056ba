import Codecs
import Notation
import Raster
import Support
import Testing

@Suite("Looks on the command line", .ownThreads)
struct LookRunTests {
    private static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        let blue = Color(red: 10, green: 20, blue: 90)
        try folder.write(Pictures.disc(.white, width: 200, height: 200), to: "in/white.png")
        try folder.write(Pictures.disc(blue, width: 200, height: 200), to: "in/dark.png")
        var tile = PixelBuffer(size: PixelSize(width: 200, height: 100))
        tile.fill(.white)
        var mark = PixelBuffer(size: PixelSize(width: 60, height: 60))
        mark.fill(blue)
        tile.draw(mark, x: 70, y: 20)
        try folder.write(
            try ImageEncoder.encode(tile, EncodeSettings(format: .png)), to: "in/tile.png")
        return folder
    }

    private static let batch = [
        "batch", "in", "-o", "out", "--layout", "large", "--scheme", "both",
    ]

    private static func looks(_ folder: ScratchFolder) throws -> [String: JSON] {
        var found: [String: JSON] = [:]
        for item in try ManifestText(folder, "out").items {
            found[item["id"]?.stringValue ?? ""] = item["look"] ?? .null
        }
        return found
    }

    @Test("the decisions of a look are in the manifest for every renderer and every run")
    func decisions() throws {
        let folder = try Self.folder()
        var first: [String: JSON] = [:]
        for more in [[], [], ["--force", "--jobs", "1"], ["--sandbox", "none", "--force"]] {
            let run = try Tool.emblem(Self.batch + ["--look", "logos"] + more, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            let looks = try Self.looks(folder)
            if first.isEmpty { first = looks }
            #expect(looks.mapValues(\.text) == first.mapValues(\.text), "\(more)")
        }
        #expect(first["tile"]?["kind"]?.stringValue == "tile")
        #expect(first["white"]?["kind"]?.stringValue == "disc")
        func ground(_ id: String, _ scheme: String) -> JSON? {
            first[id]?[path: ["ground", scheme]]
        }
        #expect(ground("white", "light")?["reason"]?.stringValue == "shows-more")
        #expect(ground("white", "dark")?["reason"]?.stringValue == "shows")
        #expect(ground("dark", "dark")?["colors"]?.stringValue == "light")
        #expect(ground("tile", "dark")?["reason"]?.stringValue == "own")
    }

    @Test("a look is recorded with its options, and options override it")
    func options() throws {
        let folder = try Self.folder()
        #expect(
            try Tool.emblem(
                Self.batch + ["--look", "logos", "--padding", "2"], in: folder.path
            ).status == 0)
        let options = try ManifestText(folder).lines[0]["options"]
        #expect(options?["look"]?.stringValue == "logos")
        #expect(options?["trim"]?.stringValue == "transparent")
        #expect(options?["padding"]?.intValue == 2)
        try folder.write(#"{"padding": 3, "look": "logos"}"#, to: "emblem.json")
        #expect(try Tool.emblem(Self.batch, in: folder.path).status == 0)
        #expect(try ManifestText(folder).lines[0][path: ["options", "padding"]]?.intValue == 3)
        // An option of the command line has precedence over the file.
        #expect(try Tool.emblem(Self.batch + ["--look", "logos"], in: folder.path).status == 0)
        #expect(
            try ManifestText(folder).lines[0][path: ["options", "padding"]]?.stringValue
                == "round")
        #expect(try Tool.emblem(Self.batch + ["--look", "plain"], in: folder.path).status == 0)
        // An option that the look does not set still comes from the file.
        try folder.write(#"{"appearance": "danger"}"#, to: "emblem.json")
        #expect(try Tool.emblem(Self.batch + ["--look", "logos"], in: folder.path).status == 0)
        #expect(
            try ManifestText(folder).lines[0][path: ["options", "appearance"]]?.stringValue
                == "danger")
    }

    @Test("a run without a look records none and draws the same as before")
    func plain() throws {
        let folder = try Self.folder()
        #expect(try Tool.emblem(Self.batch, in: folder.path).status == 0)
        let text = try folder.text("out/manifest.ndjson")
        #expect(!text.contains("\"look\"") && !text.contains("\"enlarge\""))
        let other = try Tool.emblem(
            Self.batch + ["--look", "plain", "--force"], in: folder.path)
        #expect(other.status == 0)
        #expect(try folder.text("out/manifest.ndjson") == text)
    }

    @Test("the list of looks describes each of them")
    func help() throws {
        let help = try Tool.emblem(["help", "looks"])
        #expect(help.status == 0)
        for word in ["plain", "logos", "photos", "icons", "--background", "--tint"] {
            #expect(help.output.contains(word), "\(word)")
        }
    }
}
