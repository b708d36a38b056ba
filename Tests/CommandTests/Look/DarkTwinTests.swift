import Notation
import Raster
import Support
import Testing

@Suite("Dark twins", .ownThreads)
struct DarkTwinTests {
    private static let ink = Color(red: 30, green: 32, blue: 80)

    private static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.write(Pictures.disc(ink, width: 100, height: 100), to: "in/acme.png")
        try folder.write(Pictures.disc(.white, width: 100, height: 80), to: "in/white.png")
        try folder.write(Pictures.disc(.black, width: 90, height: 50), to: "in/wide.png")
        try folder.write("no picture", to: "in/text.png")
        return folder
    }

    private static func run(
        _ list: String, _ words: [String], in folder: ScratchFolder, out: String = "out"
    ) throws {
        try folder.write(list, to: "list.csv")
        let run = try Tool.emblem(
            ["batch", "--list", "list.csv", "-o", out, "--layout", "small", "--quiet"] + words,
            in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
    }

    /// Returns path and digest of each output of an item in one scheme.
    private static func outputs(
        _ id: String, _ scheme: String, in folder: ScratchFolder, out: String = "out"
    ) throws -> [String] {
        let outputs = try ManifestText(folder, out).item(id)?["outputs"]?.elements ?? []
        return outputs.filter { $0["scheme"]?.stringValue == scheme }.map { output in
            "\(output["path"]?.stringValue ?? "") \(output["sha256"]?.stringValue ?? "")"
        }
    }

    private static func lint(_ id: String, _ manifest: ManifestText) -> [String] {
        (manifest.item(id)?["lint"]?.elements ?? []).compactMap { lint in
            guard lint["code"]?.stringValue == "no-dark-twin" else { return nil }
            return lint["reason"]?.stringValue ?? ""
        }
    }

    @Test(
        "the dark outputs of every target show the twin, and the light ones the source",
        arguments: [
            [], ["--target", "android=res-OUT"], ["--target", "xcassets=App-OUT"],
            ["--target", "web"],
            ["--look", "logos"], ["--background", "auto", "--scale", "1,2"],
            ["--sandbox", "none", "--format", "webp"],
        ])
    func targets(_ words: [String]) throws {
        let folder = try Self.folder()
        let lists = [
            "out": "source,id,dark\nin/acme.png,a,in/white.png\n",
            "one": "source,id\nin/acme.png,a\n", "two": "source,id\nin/white.png,a\n",
        ]
        for (out, list) in lists {
            let own = words.map { $0.replacing("OUT", with: out) }
            try Self.run(list, own + ["--scheme", "both"], in: folder, out: out)
        }
        let light = try Self.outputs("a", "light", in: folder)
        #expect(try light == Self.outputs("a", "light", in: folder, out: "one") && light != [])
        let dark = try Self.outputs("a", "dark", in: folder)
        #expect(try dark == Self.outputs("a", "dark", in: folder, out: "two") && dark != [])
        #expect(try dark != Self.outputs("a", "dark", in: folder, out: "one"))
    }

    @Test(
        "a note names dark sources and a focus that have no effect",
        arguments: [
            (["--list", "list.csv"], "1 item has a source for dark emblems"),
            (["--list", "list.csv"], "1 row has a focus"),
            (["--list", "list.csv", "--scheme", "both", "--mode", "fill"], nil),
            (["in", "--dark-suffix", "_night"], "no image in an input folder has a twin"),
        ] as [([String], String?)])
    func notes(_ words: [String], _ note: String?) throws {
        let folder = try Self.folder()
        try folder.write(
            "source,dark,focus\nin/acme.png,in/white.png,\"0.5,0.2\"\n", to: "list.csv")
        let run = try Tool.emblem(
            ["batch", "-o", "out", "--layout", "small"] + words, in: folder.path)
        if let note {
            #expect(run.errors.contains("note: \(note)"), "\(run.errors)")
        } else {
            #expect(!run.errors.contains("note: "), "\(run.errors)")
        }
    }

    @Test("a twin that is missing or fails is a lint warning, and dark outputs show the source")
    func fallback() throws {
        let folder = try Self.folder()
        let list = """
            source,id,dark
            in/acme.png,good,in/white.png
            in/acme.png,second,in/gone.png|in/white.png
            in/acme.png,empty,
            in/acme.png,gone,in/gone.png
            in/acme.png,text,in/text.png
            in/acme.png,scheme,ftp://x.example/y.png
            in/acme.png,secret,https://me:hush@x.example/y.png
            in/gone.png,lost,in/white.png

            """
        let offline = ["--offline", "--cache", "cache"]
        try Self.run(list, ["--scheme", "both"] + offline, in: folder)
        let manifest = try ManifestText(folder)
        let expected = [
            "good": [], "second": [], "empty": [""], "gone": ["not_found"],
            "text": ["not_image"], "scheme": ["unsupported_scheme"], "secret": ["offline"],
            "lost": [],
        ]
        for (id, reasons) in expected {
            let item = try #require(manifest.item(id))
            #expect(Self.lint(id, manifest) == reasons, "\(id)")
            #expect((item["status"]?.stringValue == "ok") == (id != "lost"), "\(id)")
            #expect((item["src_dark"] != nil) == ["good", "second"].contains(id), "\(id)")
            #expect(try Self.outputs(id, "dark", in: folder).count == 1, "\(id)")
        }
        #expect(try !folder.text("out/manifest.ndjson").contains("hush"))
        let sha = manifest.item("good")?[path: ["src_dark", "sha256"]]?.stringValue
        #expect(sha == manifest.item("second")?[path: ["src_dark", "sha256"]]?.stringValue)
        let path = folder.path("out/manifest.ndjson")
        #expect(try RecordTests.complaints("manifest-1.schema.json", path, form: "lines") == "")
        let check = try Tool.emblem(["verify", "out"], in: folder.path)
        #expect(check.status == 0, "\(check)")
        let again = try Tool.emblem(["failures", "out", "--csv"], in: folder.path)
        #expect(again.output.contains("in/white.png|"), "\(again)")

        let strict = try Tool.emblem(
            [
                "batch", "--list", "list.csv", "-o", "out", "--layout", "small", "--scheme",
                "both", "--fail-on", "no-dark-twin:not_found",
            ] + offline, in: folder.path)
        #expect(strict.status == 1, "\(strict)")
        let verbose = try Tool.emblem(
            [
                "batch", "--list", "list.csv", "-o", "loud", "--layout", "small", "--scheme",
                "both", "-v",
            ] + offline, in: folder.path)
        for words in [
            "gone: the dark twin in/gone.png failed with not_found: ",
            "text: the dark twin in/text.png failed with not_image: ",
            "secret: the dark twin https://***@x.example/y.png failed with offline: ",
        ] {
            #expect(verbose.errors.contains("no-dark-twin  " + words), "\(verbose.errors)")
        }
        #expect(!verbose.errors.contains("hush") && !verbose.errors.contains("good: the dark"))
        try Self.run(list, ["--scheme", "light"] + offline, in: folder, out: "light")
        let light = try ManifestText(folder, "light")
        for id in expected.keys { #expect(Self.lint(id, light) == [], "\(id)") }
        #expect(light.item("good")?["dark"]?.elements?.count == 1)
        #expect(light.item("good")?["src_dark"] == nil)
    }

    @Test("a twin obeys --remote-only")
    func rules() throws {
        let folder = try Self.folder()
        let row =
            "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
        let list = "source,id,dark\n\"\(row)\",a,in/white.png\n"
        try Self.run(list, ["--scheme", "both", "--remote-only"], in: folder)
        #expect(try Self.lint("a", ManifestText(folder)) == ["unsupported_scheme"])
        try Self.run(list, ["--scheme", "both"], in: folder)
        #expect(try Self.lint("a", ManifestText(folder)) == [])
    }

    @Test("a changed twin changes the dark outputs alone, and an equal run changes nothing")
    func changes() throws {
        let folder = try Self.folder()
        let list = "source,id,dark\nin/acme.png,a,in/white.png\nin/wide.png,b,\n"
        let words = ["--scheme", "both"]
        try Self.run(list, words, in: folder)
        func stamps() throws -> [String: String] {
            try TargetSet.stamps(folder).filter { $0.key != "list.csv" }
        }
        let first = try stamps()
        try Self.run(list, words, in: folder)
        #expect(try stamps() == first)
        try folder.write(Pictures.disc(Self.ink, width: 40, height: 70), to: "in/white.png")
        try Self.run(list, words, in: folder)
        let second = try stamps()
        let changed = first.filter { second[$0.key] != $0.value }.map(\.key).sorted()
        #expect(
            changed.filter { $0.hasSuffix(".png") } == ["in/white.png", "out/small/a~dark.png"])
    }

    @Test("--dark-suffix pairs the files of a folder, and leaves a file without a partner alone")
    func suffix() throws {
        let folder = try Self.folder()
        let names = [
            "a.png", "a_dark.svg", "b.png", "b_dark.png", "lone_dark.png", "sub/a.png",
            "_dark.png", "c.png", "c_dark.png", "c_dark_dark.png",
        ]
        for (number, name) in names.enumerated() {
            let color = Color(red: UInt8(number * 20), green: 90, blue: 200)
            let picture =
                try name.hasSuffix("svg")
                ? Array(Pictures.svg.utf8) : Pictures.disc(color, width: 60, height: 60)
            try folder.write(picture, to: "logos/\(name)")
        }
        let words = ["batch", "logos", "--layout", "small", "--scheme", "both", "--quiet"]
        let run = try Tool.emblem(
            words + ["-o", "out", "--dark-suffix", "_dark"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let manifest = try ManifestText(folder)
        let twins = [
            "_dark": nil, "a": "svg", "b": "png", "c": "png", "c_dark_dark": nil,
            "lone_dark": nil, "sub/a": nil,
        ]
        #expect(manifest.items.compactMap { $0["id"]?.stringValue } == twins.keys.sorted())
        for (id, format) in twins {
            #expect(
                manifest.item(id)?[path: ["src_dark", "format"]]?.stringValue == format, "\(id)")
            #expect(Self.lint(id, manifest) == (format == nil ? [""] : []), "\(id)")
        }
        let plain = try Tool.emblem(words + ["-o", "plain"], in: folder.path)
        #expect(plain.status == 0, "\(plain.errors)")
        #expect(try ManifestText(folder, "plain").items.count == names.count)
        #expect(
            try folder.read("out/small/b~dark.png") == folder.read("plain/small/b_dark~dark.png"))
        let wrong = try Tool.emblem(words + ["-o", "x", "--dark-suffix", "/"], in: folder.path)
        #expect(wrong.status == 64, "\(wrong)")
    }
}
