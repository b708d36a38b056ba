import Codecs
import Notation
import Raster
import Support
import Testing

@Suite("Lint and layout of logos", .ownThreads)
struct LogoCommandTests {
    private static let blue = Color(red: 10, green: 95, blue: 255)

    /// Creates a folder with four good logos: one white, one small, and one in two sizes.
    private static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.write(Pictures.disc(.white, width: 200, height: 200), to: "in/white.png")
        try folder.write(Pictures.disc(blue, width: 30, height: 30), to: "in/tiny.png")
        try folder.write(wordmark(240, 120), to: "in/a.png")
        try folder.write(wordmark(480, 240), to: "in/b.png")
        return folder
    }

    /// Draws three bars of different lengths and colours.
    private static func wordmark(_ width: Int, _ height: Int) throws -> [UInt8] {
        var buffer = PixelBuffer(size: PixelSize(width: width, height: height))
        for (index, color) in [blue, .black, Color(red: 200, green: 20, blue: 60)].enumerated() {
            var bar = PixelBuffer(
                size: PixelSize(width: width * (index + 2) / 5, height: height / 4))
            bar.fill(color)
            buffer.draw(bar, x: width * index / 6, y: height * index / 3)
        }
        return try ImageEncoder.encode(buffer, EncodeSettings(format: .png))
    }

    private static func lint(_ folder: ScratchFolder, _ out: String = "out") throws
        -> [String: [String]]
    {
        var found: [String: [String]] = [:]
        for item in try ManifestText(folder, out).items {
            found[item["id"]?.stringValue ?? ""] = (item["lint"]?.elements ?? []).map { lint in
                (lint.members ?? []).map { $0.value.stringValue ?? $0.value.text }
                    .joined(separator: ":")
            }
        }
        return found
    }

    @Test("manifest, run record, summary and report contain the lint, whether drawn or reused")
    func everywhere() throws {
        let folder = try Self.folder()
        let batch = ["batch", "in", "-o", "out", "--layout", "small,large", "--report"]
        for more in [[], [], ["--force", "--jobs", "1"], ["--sandbox", "none", "--force"]] {
            let run = try Tool.emblem(batch + more, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            #expect(
                try Self.lint(folder) == [
                    "white": ["low-contrast:light"], "a": [], "b": [],
                    "tiny": ["upscaled:small:1", "upscaled:large:1", "tiny-source"],
                ], "\(more)")
            #expect(run.errors.contains("2 items with lint warnings: "), "\(run.errors)")
            #expect(run.errors.contains("see out/manifest.ndjson"))
            let counts = try folder.json("out/run.json")["lint"]
            #expect(
                counts?.text
                    == #"{"upscaled":1,"low-contrast":1,"tiny-source":1}"#)
            #expect(try folder.text("out/report.html").contains("low-contrast:light"))
        }
        let seen = try Tool.emblem(["inspect", "--json", "in/white.png"], in: folder.path)
        #expect(seen.output.contains(#""lint":[{"code":"low-contrast","scheme":"light"}]"#))
    }

    @Test("--fail-on exits with 1, reports the number of findings and refuses unknown kinds")
    func failOn() throws {
        let folder = try Self.folder()
        let batch = ["batch", "in", "-o", "out", "--layout", "small", "--quiet"]
        for (words, expected) in [
            ("blank,opaque-background", []),
            ("low-contrast", ["1 item has the lint warning 'low-contrast'"]),
            (
                "low-contrast:light,upscaled:small@2",
                ["1 item has the lint warning 'low-contrast:light'"]
            ),
            ("low-contrast:dark", []),
            (
                "low-contrast, upscaled",
                [
                    "1 item has the lint warning 'low-contrast'",
                    "1 item has the lint warning 'upscaled'",
                ]
            ),
        ] {
            let run = try Tool.emblem(batch + ["--fail-on", words], in: folder.path)
            #expect(run.status == (expected.isEmpty ? 0 : 1), "\(words) \(run.errors)")
            for sentence in expected {
                #expect(run.errors.contains("\(sentence) (--fail-on)"), "\(run.errors)")
            }
        }
        let unknown = try Tool.emblem(batch + ["--fail-on", "low-contrst"], in: folder.path)
        #expect(unknown.status == 64)
        #expect(unknown.errors.contains("Did you mean 'low-contrast'?"), "\(unknown.errors)")
    }

    @Test(
        "invalid options of the look are refused before anything is read",
        arguments: [
            (["--padding", "100"], "less than a quarter"), (["--padding", "11"], "10 points"),
            (["--border", "999"], "less than a quarter"), (["--padding", "-1"], "points"),
            (["--padding", "nan"], "points"), (["--padding", "26%"], "from 0% to 25%"),
            (["--padding", "6", "--border", "5"], "10 points"), (["--border", "-1"], "from 0"),
            (["--trim", "always"], "none, auto"), (["--padding", "round"], "use --look logos"),
        ])
    func senseless(arguments: [String], words: String) throws {
        let folder = try Self.folder()
        let run = try Tool.emblem(["batch", "in", "-o", "out"] + arguments, in: folder.path)
        #expect(run.status == 64 && run.errors.contains(words), "\(arguments) \(run.errors)")
        #expect(!folder.exists("out"))
    }

    @Test("a row whose layout has no room fails alone")
    func row() throws {
        let folder = try Self.folder()
        try folder.write("source,layout\nin/a.png,small\nin/a.png,\n", to: "list.csv")
        let run = try Tool.emblem(
            ["batch", "--list", "list.csv", "-o", "out", "--layout", "large", "--padding", "12"],
            in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let items = try ManifestText(folder).items
        #expect(items.map { $0["status"]?.stringValue } == ["placeholder", "ok"])
        #expect(
            items[0][path: ["error", "message"]]?.stringValue
                == "layout: small allows at most 10 points of --padding and --border")
    }

    @Test("the manifest contains a chosen background with its reason")
    func background() throws {
        let folder = try Self.folder()
        let batch = [
            "batch", "in/white.png", "in/a.png", "-o", "out", "--layout", "small", "--scheme",
            "both",
            "--background", "auto", "--quiet",
        ]
        for more in [[], [], ["--force", "--sandbox", "none"]] {
            let run = try Tool.emblem(batch + more, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            let grounds = try ManifestText(folder).items.map { $0[path: ["look", "ground"]] }
            func text(_ item: Int, _ scheme: String, _ member: String) -> String? {
                grounds[item]?[path: [scheme, member]]?.stringValue
            }
            #expect(text(0, "light", "reason") == "shows-more")
            #expect(text(0, "light", "colors") == "dark")
            #expect(text(1, "light", "reason") == "shows" && text(1, "light", "colors") == "light")
            #expect(try Self.lint(folder)["white"] == [])
        }
    }

    @Test("pixel options are refused for a drawing")
    func drawing() throws {
        let folder = try Self.folder()
        for wish in [["--trim", "auto"], ["--padding", "safe"], ["--look", "logos"]] {
            let run = try Tool.emblem(
                ["render", "emblem", "in/a.png", "-o", "a.svg"] + wish, in: folder.path)
            #expect(run.status == 64 && run.errors.contains("changes pixels"), "\(run.errors)")
            let png = try Tool.emblem(
                ["render", "emblem", "in/a.png", "-o", "a.png"] + wish, in: folder.path)
            #expect(png.status == 0, "\(png.errors)")
        }
        let border = try Tool.emblem(
            ["render", "shimmer", "-o", "a.png", "--border", "900"], in: folder.path)
        #expect(border.status == 64, "\(border.errors)")
    }
}
