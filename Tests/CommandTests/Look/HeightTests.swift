import Foundation
import Notation
import Raster
import Support
import Testing

@Suite("Squares of a given height", .ownThreads)
struct HeightTests {
    private static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.write(Pictures.disc(.black, width: 200, height: 200), to: "in/acme.png")
        return folder
    }

    /// Returns the outputs of the only item in `out`, as `layout width`.
    private static func outputs(_ folder: ScratchFolder) throws -> [String] {
        let item = try ManifestText(folder, "out").items.first
        return (item?["outputs"]?.elements ?? []).map {
            "\($0["layout"]?.stringValue ?? "") \($0["width"]?.intValue ?? 0)"
        }
    }

    @Test(
        "heights replace the default layouts, and are added to those of --layout",
        arguments: [
            (["--height", "16,180"], ["16 16", "180 180"]),
            (["--height", "96", "--layout", "small"], ["small 40", "96 96"]),
            (["--height", "96", "--component", "avatar", "--scale", "1.5"], ["96 144"]),
            (["--height", "33,33"], ["33 33"]),
        ])
    func heights(options: [String], expected: [String]) throws {
        let folder = try Self.folder()
        let run = try Tool.emblem(["batch", "in", "-o", "out"] + options, in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try Self.outputs(folder) == expected)
        let verified = try Tool.emblem(["verify", "out"], in: folder.path)
        #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    }

    @Test("a height that the theme has as a layout looks like that layout")
    func themeHeight() throws {
        let folder = try Self.folder()
        for (name, words) in [("a", ["--layout", "large"]), ("b", ["--height", "64"])] {
            let run = try Tool.emblem(
                ["render", "emblem", "in/acme.png", "-o", "\(name).png"] + words, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
        }
        #expect(try folder.read("a.png") == folder.read("b.png"))
    }

    @Test("a row may name a height of the run, and no other")
    func rows() throws {
        let folder = try Self.folder()
        try folder.write(
            "source,id,layout\nin/acme.png,one,96\nin/acme.png,two,97\n", to: "list.csv")
        let run = try Tool.emblem(
            ["batch", "--list", "list.csv", "-o", "out", "--height", "96,128"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try Self.outputs(folder) == ["96 96"])
        let failures = try Tool.emblem(["failures", "out"], in: folder.path)
        #expect(failures.output.contains("bad_row"), "\(failures.output)")
        #expect(failures.output.contains("97"), "\(failures.output)")
    }

    @Test("another height is named as --height, and another layout as --layout")
    func change() throws {
        let folder = try Self.folder()
        func notes(_ words: String...) throws -> String {
            let run = try Tool.emblem(["batch", "in", "-o", "out"] + words, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            return run.errors
        }
        _ = try notes("--height", "32")
        #expect(try notes("--height", "48").contains("--height was 32 and is now 48"))
        let more = try notes("--height", "48,64", "--layout", "small")
        #expect(more.contains("--layout was not given and is now small"), "\(more)")
        #expect(more.contains("--height was 48 and is now 48,64"), "\(more)")
        let less = try notes("--height", "48,64", "--layout", "large")
        #expect(less.contains("--layout was small and is now large") && !less.contains("--height"))
    }

    @Test("another height draws again, and names of several heights need the layout")
    func identity() throws {
        let folder = try Self.folder()
        let words = ["batch", "in", "-o", "out", "--name", "{id}.{ext}", "--height"]
        #expect(try Tool.emblem(words + ["96"], in: folder.path).status == 0)
        #expect(try Tool.emblem(words + ["97"], in: folder.path).status == 0)
        #expect(try Self.outputs(folder) == ["97 97"])
        let both = try Tool.emblem(words + ["96,97"], in: folder.path)
        #expect(both.status == 64 && both.errors.contains("{layout}"), "\(both.errors)")
    }

    @Test("heights outside 8 to 1024 points are refused", arguments: ["7", "1025", "x", "", "9.5"])
    func limits(height: String) throws {
        let folder = try Self.folder()
        for words in [
            ["batch", "in", "-o", "out"], ["render", "emblem", "in/acme.png", "-o", "a.png"],
        ] {
            let run = try Tool.emblem(words + ["--height=\(height)"], in: folder.path)
            #expect(run.status == 64 && run.errors.contains("--height"), "\(run.errors)")
        }
    }

    @Test("render refuses a layout next to a height, and bench a result file named -")
    func contradictions() throws {
        let folder = try Self.folder()
        for (words, text) in [
            (
                [
                    "render", "emblem", "in/acme.png", "--height=30", "--layout=small", "-o",
                    "a.png",
                ],
                "--layout and --height both set the size"
            ),
            (["bench", "in", "--export-json", "-"], "The option writes a file."),
        ] {
            let run = try Tool.emblem(words, in: folder.path)
            #expect(run.status == 64 && run.errors.contains(text), "\(run.errors)")
        }
    }

    @Test(
        "every target takes heights",
        arguments: ["xcassets=App.xcassets", "android=res", "web=site"])
    func targets(target: String) throws {
        let folder = try Self.folder()
        let run = try Tool.emblem(
            ["batch", "in", "-o", "out", "--height", "96", "--target", target], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try Self.outputs(folder).allSatisfy { $0.hasPrefix("96 ") })
    }
}
