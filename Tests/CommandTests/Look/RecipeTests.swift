import Foundation
import Notation
import Raster
import Support
import Testing

@Suite("Several looks in one run", .ownThreads)
struct RecipeTests {
    private let folder: ScratchFolder
    private static let recipe = #"""
        {"card": {"layout": "large", "scale": [1, 2], "format": "webp", "quality": "lossless"},
         "og": {"height": 180, "padding": "20%", "appearance": "info"},
         "round": {"layout": "small", "mode": "fill", "scheme": "both", "format": ["png", "webp"]}}
        """#

    init() throws {
        folder = try ScratchFolder()
        try folder.write(Pictures.disc(.black, width: 200, height: 120), to: "in/acme.png")
        try folder.write(Pictures.disc(.white, width: 90, height: 90), to: "in/b.png")
        try folder.write(Self.recipe, to: "looks.json")
    }

    private func batch(
        _ more: String..., input: [String] = ["in"], out: String = "out"
    ) throws -> Tool.Ending {
        try Tool.emblem(
            ["batch"] + input + ["-o", out, "--recipe", "looks.json"] + more, in: folder.path)
    }

    private static let outputs = [
        "card/large/acme.webp", "card/large/acme@2x.webp", "card/large/b.webp",
        "card/large/b@2x.webp", "og/180/acme.png", "og/180/b.png",
        "round/small/acme.png", "round/small/acme.webp", "round/small/acme~dark.png",
        "round/small/acme~dark.webp", "round/small/b.png", "round/small/b.webp",
        "round/small/b~dark.png", "round/small/b~dark.webp",
    ]

    private func pictures(_ out: String = "out") -> [String] {
        folder.tree(out).filter { $0.contains("/") }
    }

    @Test("the outputs of a look are those of a run with its options")
    func sameBytes() throws {
        let run = try batch("--padding", "2")
        #expect(run.status == 0, "\(run.errors)")
        #expect(pictures() == Self.outputs)
        for (look, words) in [
            (
                "card",
                "--layout large --scale 1,2 --format webp --quality lossless --padding 2"
            ),
            ("og", "--height 180 --padding 20% --appearance info"),
            ("round", "--layout small --mode fill --scheme both --format png,webp --padding 2"),
        ] {
            let single = try Tool.emblem(
                ["batch", "in", "-o", look] + words.split(separator: " ").map(String.init),
                in: folder.path)
            #expect(single.status == 0, "\(single.errors)")
            #expect(!pictures(look).isEmpty)
            for name in pictures(look) {
                #expect(
                    try folder.read("out/\(look)/\(name)") == folder.read("\(look)/\(name)"),
                    "\(look) \(name)")
            }
        }
    }

    @Test("a run without workers, and one with two jobs, draw the same bytes")
    func backends() throws {
        #expect(try batch("--jobs", "1").status == 0)
        #expect(try batch("--sandbox", "none", out: "b").status == 0)
        #expect(try batch("--jobs", "2", out: "c").status == 0)
        for name in Self.outputs {
            let bytes = try folder.read("out/\(name)")
            #expect(try folder.read("b/\(name)") == bytes, "\(name)")
            #expect(try folder.read("c/\(name)") == bytes, "\(name)")
        }
    }

    @Test("verify and prove accept the set, and the manifest names the look of each output")
    func records() throws {
        #expect(try batch("--report", "--sheet", "sheet.png").status == 0)
        for words in [["verify", "out"], ["prove", "out"]] {
            let ending = try Tool.emblem(words, in: folder.path)
            #expect(ending.status == 0, "\(words) \(ending.output)\(ending.errors)")
        }
        let proof = try Tool.emblem(["prove", "out"], in: folder.path)
        #expect(proof.output.contains("14 equal"), "\(proof.output)")
        let manifest = try ManifestText(folder)
        let looks = (manifest.item("acme")?["outputs"]?.elements ?? []).map {
            $0["look"]?.stringValue
        }
        #expect(looks == ["card", "card", "og", "round", "round", "round", "round"])
        let options = manifest.lines[0]["options"]
        #expect(options?["layout"] == nil && options?["padding"] == nil)
        #expect(
            options?[path: ["recipe", "og", "layout"]]?.elements?.first?.stringValue == "180")
        #expect(options?[path: ["recipe", "round", "format"]]?.elements?.count == 2)
        #expect(try folder.text("out/report.html").contains("card large"))
        let path = folder.path("out/manifest.ndjson")
        #expect(try RecordTests.complaints("manifest-1.schema.json", path, form: "lines") == "")
    }

    @Test("a second run does nothing, and a changed look leaves files of equal bytes")
    func again() throws {
        #expect(try batch().status == 0)
        func times() throws -> [String: Int] {
            var times: [String: Int] = [:]
            for name in pictures() {
                var facts = stat()
                #expect(unsafe stat(folder.path("out/\(name)"), &facts) == 0)
                times[name] = facts.st_mtim.tv_sec * 1_000_000_000 + facts.st_mtim.tv_nsec
            }
            return times
        }
        // Sources that changed just now are read again.
        let first = try times()
        let manifest = try folder.text("out/manifest.ndjson")
        let second = try batch()
        #expect(second.status == 0 && second.errors.contains("2 items unchanged (reused)"))
        #expect(try times() == first)
        #expect(try folder.text("out/manifest.ndjson") == manifest)
        try folder.write(
            Self.recipe.replacing(#""appearance": "info""#, with: #""appearance": "danger""#),
            to: "looks.json")
        let third = try batch()
        #expect(
            third.errors.contains("look og of --recipe: --appearance was info and is now danger"),
            "\(third.errors)")
        let now = try times()
        let changed = now.filter { first[$0.key] != $0.value }.map(\.key).sorted()
        #expect(changed == ["og/180/acme.png", "og/180/b.png"])
        try folder.write(#"{"og": {"height": 180}}"#, to: "looks.json")
        let fourth = try batch("--prune", "--prune-max", "100%")
        #expect(
            fourth.errors.contains("the looks of --recipe were card,og,round and are now og"),
            "\(fourth.errors)")
        #expect(pictures() == ["og/180/acme.png", "og/180/b.png"])
    }

    @Test("each source is requested once for all looks")
    func requests() throws {
        let server = Web.server
        try folder.write(
            "url,id\n\(server.url("logged/disc-1.png?looks")),one\n", to: "list.csv")
        let run = try Tool.emblem(
            ["batch", "--list", "list.csv", "-o", "web", "--recipe", "looks.json"] + Web.open,
            in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests(for: "?looks").count == 1)
        #expect(pictures("web").count == 7)
    }

    @Test("a source that fails has its placeholder in every look")
    func placeholders() throws {
        try folder.write("none", to: "in/b.png")
        let run = try batch("--placeholder", "icon:star")
        #expect(run.status == 0, "\(run.errors)")
        #expect(pictures() == Self.outputs)
        let item = try ManifestText(folder).item("b")
        #expect(item?["status"]?.stringValue == "placeholder")
        #expect(item?["outputs"]?.elements?.count == 7)
        let proof = try Tool.emblem(["prove", "out"], in: folder.path)
        #expect(proof.output.contains("14 equal"), "\(proof.output)\(proof.errors)")
    }

    @Test("rows override the options of every look, and dark sources appear in each dark output")
    func rows() throws {
        try folder.write(
            "source,id,layout,dark\nin/acme.png,one,xLarge,\nin/acme.png,two,,in/b.png\n"
                + "in/acme.png,bad,huge,\n", to: "list.csv")
        let run = try batch(input: ["--list", "list.csv"])
        #expect(run.status == 0, "\(run.errors)")
        let one = pictures().filter { $0.contains("/one") }
        #expect(
            one == [
                "card/xLarge/one.webp", "card/xLarge/one@2x.webp", "og/xLarge/one.png",
                "round/xLarge/one.png", "round/xLarge/one.webp", "round/xLarge/one~dark.png",
                "round/xLarge/one~dark.webp",
            ])
        #expect(try ManifestText(folder).errorClass("bad") == "bad_row")
        let dark = try folder.read("out/round/small/two~dark.png")
        #expect(
            try Tool.emblem(
                ["batch", "in", "-o", "own", "--recipe", "looks.json"], in: folder.path
            ).status == 0)
        #expect(try dark == folder.read("own/round/small/b~dark.png"))
        #expect(
            try folder.read("out/round/small/two.png") == folder.read("own/round/small/acme.png"))
    }

    @Test("--dry-run names the outputs that a run makes")
    func plan() throws {
        let plan = try batch("--dry-run")
        #expect(plan.status == 0, "\(plan.errors)")
        for name in Self.outputs { #expect(plan.output.contains("  \(name)\n"), "\(name)") }
        #expect(plan.output.contains("  og, 180 at 1x, light: 180 px high"), "\(plan.output)")
        #expect(!folder.exists("out"))
    }

    @Test("--name needs {look} where two looks would write one file")
    func names() throws {
        try folder.write(
            #"{"a": {"height": 90}, "b": {"height": 90, "mode": "fill"}}"#, to: "looks.json")
        let bad = try batch("--name", "{layout}/{id}.{ext}")
        #expect(bad.status == 64 && bad.errors.contains("add {look}"), "\(bad.errors)")
        let good = try batch("--name", "{id}/{look}.{ext}")
        #expect(good.status == 0, "\(good.errors)")
        #expect(pictures() == ["acme/a.png", "acme/b.png", "b/a.png", "b/b.png"])
        let idle = try Tool.emblem(
            ["batch", "in", "-o", "other", "--layout", "small", "--name", "{look}/{id}.{ext}"],
            in: folder.path)
        #expect(idle.status == 64 && idle.errors.contains("needs --recipe"), "\(idle.errors)")
    }

    @Test(
        "wrong values and combinations end with 64, and the error names the look",
        arguments: [
            (#"{"card": {"padding": "x"}}"#, [], #"looks.json line 1, "card.padding""#),
            (#"{"card": {"scale": [1, "x"]}}"#, [], #""x" is not one of 1, 1.5"#),
            (#"{"card": {}}"#, ["--recipe", "-"], "--recipe takes a file"),
            (#"{"card": {}}"#, ["--recipe", "http://a.example/b"], "--recipe takes a file"),
            (#"{"card": {"layout": "largex"}}"#, [], "Did you mean 'large'?"),
            (
                #"{"card": {"format": "jpeg", "quality": "lossless"}}"#, [],
                #""card.quality": JPEG cannot be lossless"#
            ),
            (
                #"{"a": {}, "card": {"format": "jpeg"}}"#, ["--quality", "lossless"],
                #"looks.json line 1, "card": "#
            ),
            (#"{"card": {"gravity": "top"}}"#, [], "needs --mode fill"),
            (
                #"{"card": {"height": 20, "padding": 9}}"#, [],
                #"looks.json line 1, "card": --padding and --border leave"#
            ),
            (#"{"card": {}}"#, ["--target", "web"], "without --target"),
            (#"{"card": {}}"#, ["--target", "files=x"], "without --target"),
            (#"{"card": {"look": "none"}}"#, [], "there is no look 'none'"),
        ])
    func faults(json: String, words: [String], expected: String) throws {
        try folder.write(json, to: "looks.json")
        let run = try Tool.emblem(
            ["batch", "in", "-o", "out", "--recipe", "looks.json"] + words, in: folder.path)
        #expect(run.status == 64 && run.errors.contains(expected), "\(run.errors)")
        #expect(!folder.exists("out"))
    }

    @Test("a missing file ends with 66, and defaults without effect in a look are accepted")
    func defaults() throws {
        let missing = try Tool.emblem(
            ["batch", "in", "-o", "out", "--recipe", "none.json"], in: folder.path)
        #expect(missing.status == 66 && missing.errors.contains("--recipe none.json"))
        let run = try batch("--gravity", "top", "--layout", "medium", "--quality", "70")
        #expect(run.status == 0 && !run.errors.contains("no effect"), "\(run.errors)")
        // A look without sizes has those of the command line.
        try folder.write(#"{"a": {}, "b": {"height": 90}}"#, to: "looks.json")
        #expect(try batch("--layout", "medium", out: "sizes").status == 0)
        #expect(
            pictures("sizes") == [
                "a/medium/acme.png", "a/medium/b.png", "b/90/acme.png", "b/90/b.png",
            ])
    }

    @Test("a recipe of more than 1 MiB ends with 64")
    func size() throws {
        try folder.write(String(repeating: " ", count: 1 << 20) + "{}", to: "looks.json")
        let run = try batch()
        #expect(
            run.status == 64 && run.errors.contains("a recipe has at most 1 MiB"), "\(run.errors)")
    }

    @Test("a contact sheet shows the first look of a recipe, in both schemes")
    func sheet() throws {
        try folder.write(
            #"{"a": {"height": 200}, "b": {"height": 128, "scheme": "both"}}"#, to: "looks.json")
        let run = try batch("--sheet", "one.png", "--scheme", "both")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("--sheet shows the first look, a"), "\(run.errors)")
        let single = try Tool.emblem(
            ["batch", "in", "-o", "a", "--height", "200", "--scheme", "both", "--sheet", "a.png"],
            in: folder.path)
        #expect(single.status == 0 && !single.errors.contains("first look"))
        #expect(try folder.read("one.png") == folder.read("a.png"))
    }

    @Test("the changes of a look are counted")
    func changes() throws {
        try folder.write(#"{"a": {"height": 90}}"#, to: "looks.json")
        #expect(try batch().status == 0)
        try folder.write(
            #"{"a": {"height": 91, "scale": 2, "mode": "fill"}}"#, to: "looks.json")
        let run = try batch()
        #expect(
            run.errors.contains(
                "look a of --recipe: --height was 90 and is now 91, and 2 more"), "\(run.errors)")
    }

    @Test("emblem.json can name the recipe, relative to the working directory")
    func configuration() throws {
        try folder.write(#"{"recipe": "looks.json"}"#, to: "else/emblem.json")
        let other = try Tool.emblem(
            ["batch", "in", "-o", "b", "--config", "else/emblem.json"], in: folder.path)
        #expect(other.status == 0 && pictures("b") == Self.outputs, "\(other.errors)")
        try folder.write(#"{"recipe": "looks.json"}"#, to: "emblem.json")
        let run = try Tool.emblem(["batch", "in", "-o", "out"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(pictures() == Self.outputs)
    }

    @Test("shards with a recipe are merged into the set of a single run")
    func shards() throws {
        #expect(try batch().status == 0)
        for shard in ["1", "2"] {
            let run = try batch("--shard", "\(shard)/2", out: "s\(shard)")
            #expect(run.status == 0, "\(run.errors)")
        }
        let merged = try Tool.emblem(["merge", "s1", "s2", "-o", "whole"], in: folder.path)
        #expect(merged.status == 0, "\(merged.errors)")
        #expect(try folder.text("whole/manifest.ndjson") == folder.text("out/manifest.ndjson"))
        #expect(pictures("whole") == Self.outputs)
    }

    @Test("the commands and the recipe of the page about looks work as printed")
    func page() throws {
        let page = try String(
            contentsOf: Repository.root.appending(
                path: "Sources/EmblemKit/EmblemKit.docc/Logos.md"), encoding: .utf8)
        let parts = page.components(separatedBy: "### Several looks in one run\n")
        let section = try #require(parts.last?.components(separatedBy: "\n## ").first)
        let blocks = section.components(separatedBy: "```json\n").dropFirst()
        let recipe = try #require(blocks.first?.components(separatedBy: "```").first)
        try folder.write(recipe, to: "looks.json")
        let path = folder.path("looks.json")
        #expect(try RecordTests.complaints("recipe-1.schema.json", path, form: "whole") == "")
        let commands = section.split(separator: "\n").filter { $0.hasPrefix("emblem batch ") }
        #expect(commands.count == 2)
        for name in ["acme.png", "b.png"] {
            try folder.write(folder.read("in/\(name)"), to: "logos/\(name)")
        }
        for command in commands {
            let words = command.replacing("'", with: "").split(separator: " ").dropFirst()
            let run = try Tool.emblem(words.map(String.init), in: folder.path)
            #expect(run.status == 0, "\(command): \(run.errors)")
        }
        for name in ["card/large/acme@2x.webp", "og/630/acme.png", "tab/32/acme~dark.png"] {
            #expect(folder.exists("out/\(name)"), "\(name)")
        }
        #expect(folder.exists("files/acme-card-large-light.webp"))
        let outputs = try ManifestText(folder).item("acme")?["outputs"]?.elements ?? []
        let og = outputs.filter { $0["look"]?.stringValue == "og" }
        #expect(og.map { $0["width"]?.intValue } == [1200] && og[0]["height"]?.intValue == 630)
    }
}
