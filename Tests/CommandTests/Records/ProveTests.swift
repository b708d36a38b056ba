import Foundation
import Notation
import Raster
import Support
import System
import Testing

@Suite("Reproducing a set", .ownThreads)
struct ProveTests {
    private static let means = ["--jobs", "1", "--sandbox", "none", "--memory", "64M"]

    /// Makes a set from images, a list with overrides, and failures.
    private static func set(_ options: [String] = []) throws -> ScratchFolder {
        let folder = try Pictures.mixedFolder()
        try folder.write(Pictures.disc(.black, width: 31, height: 17), to: "in/tiny.png")
        try folder.write("no picture", to: "stand-in.txt")
        try folder.write(
            """
            source,id,label,layout,appearance,badge,placeholder,alternatives
            in/acme.png,a,Acme,large,danger,3:danger,,
            in/gone.png,b,Gone Bank,,,,initials,
            in/gone.png,c,,,,,in/wide.png,in/none.png|in/vector.svg
            in/gone.png,d,,,,,in/wide.png,
            in/acme.png,e,,wrong,,,,
            icon:wallet,f,,,category3,,,
            "data:image/svg+xml;utf8,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/%3E",g,,,,,,

            """, to: "list.csv")
        let run = try Tool.emblem(
            ["batch", "in", "--list", "list.csv", "-o", "out", "-q"] + options, in: folder.path)
        try #require(run.status == 0, "\(run.errors)")
        return folder
    }

    private static func prove(_ words: [String], in folder: ScratchFolder) throws -> Tool.Ending {
        try Tool.emblem(["prove", "out"] + words, in: folder.path)
    }

    @Test(
        "prove makes the same outputs with other jobs, memory and sandbox",
        arguments: [
            "", "--scale 1,2 --scheme both --format webp", "--look logos --scheme both",
            "--look photos --format jpeg --matte #123456", "--look icons --corner continuous",
            "--component avatar", "--format same --quality 70 --upscale never",
            "--padding safe --border 2 --trim auto --balance optical --linear",
            "--background auto --background-from brand,category8 --width auto",
            "--target web,xcassets=App,android=res,tar --layout small",
            "--format png,webp --palette --codecs system", "--placeholder initials --prefix bank_",
            "--name {id}-{layout}.{ext} --badge dot:info --badge-corner bottom-left",
        ])
    func equality(options: String) throws {
        let folder = try Self.set(options.split(separator: " ").map(String.init))
        let outputs = try ManifestText(folder).items.reduce(0) {
            $0 + ($1["outputs"]?.elements?.count ?? 0)
        }
        for means in [[], Self.means] {
            let proof = try Self.prove(means + ["--json"], in: folder)
            #expect(proof.status == 0, "\(proof)")
            try folder.write(proof.output, to: "proof.json")
            let record = try folder.json("proof.json")
            #expect(record["equal"]?.intValue == outputs && outputs > 0)
            let path = folder.path("proof.json")
            #expect(try RecordTests.complaints("prove-1.schema.json", path) == "")
        }
    }

    @Test("prove needs the theme and the placeholder file of a set")
    func files() throws {
        let theme = ##"{"theme.color.emblem.brand.background": "#E3F6EC"}"##
        let folder = try Self.set()
        try folder.write(theme, to: "brand.json")
        let options = ["--theme", "brand.json", "--placeholder", "in/acme.png"]
        let run = try Tool.emblem(
            ["batch", "in", "-o", "out", "--force", "-q"] + options, in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try Self.prove(options, in: folder).status == 0)
        let without = try Self.prove(["--placeholder", "in/acme.png"], in: folder)
        #expect(without.status == 1 && without.errors.contains("the theme had the hash"))
        let other = try Self.prove(["--theme", "brand.json"], in: folder)
        #expect(other.status == 1 && other.errors.contains("--placeholder was sha256:"))
    }

    @Test("prove finds one changed byte in any file")
    func changedByte() throws {
        let folder = try Self.set()
        let files = folder.tree("out").filter { $0.hasSuffix(".png") }
        #expect(files.count > 20)
        var random = SeededRandom(seed: TestSeed.value)
        for _ in 0..<6 {
            let file = files[random.below(files.count)]
            let bytes = try folder.read("out/\(file)")
            var changed = bytes
            changed[random.below(bytes.count)] ^= UInt8(1 + random.below(255))
            try folder.write(changed, to: "out/\(file)")
            let proof = try Self.prove([], in: folder)
            #expect(proof.status == 2, "\(file) \(TestSeed.words)")
            #expect(
                proof.output.contains("\(file): not the file of the manifest, the SHA-256 differs"),
                "\(proof.output) \(TestSeed.words)")
            try folder.write(bytes, to: "out/\(file)")
        }
        folder.remove("out/small/acme.png")
        let gone = try Self.prove(["-q"], in: folder)
        #expect(gone.status == 2 && gone.output.contains("1 differs"), "\(gone.output)")
    }

    @Test("prove finds a file that was replaced together with its hash in the manifest")
    func changedRecord() throws {
        let folder = try Self.set()
        // Two outputs of one size in the set change places, in their records too.
        let manifest = try folder.text("out/manifest.ndjson")
        func digest(_ name: String) throws -> (String, String) {
            let item = try #require(try ManifestText(folder).item(name))
            let output = try #require(
                item["outputs"]?.elements?.first { $0["layout"]?.stringValue == "small" })
            let number = output["bytes"]?.intValue ?? 0
            return (
                "\"bytes\":\(number),\"sha256\":\"\(output["sha256"]?.stringValue ?? "")\"", name
            )
        }
        let (first, second) = (try digest("acme").0, try digest("tiny").0)
        let swapped = manifest.replacing(first, with: "@").replacing(second, with: first)
            .replacing("@", with: second)
        try folder.write(swapped, to: "out/manifest.ndjson")
        let files = ["acme", "tiny"].map { "out/small/\($0).png" }
        let bytes = try files.map { try folder.read($0) }
        try folder.write(bytes[1], to: files[0])
        try folder.write(bytes[0], to: files[1])
        let verified = try Tool.emblem(["verify", "out"], in: folder.path)
        #expect(verified.status == 0, "\(verified)")
        let proof = try Self.prove([], in: folder)
        #expect(proof.status == 2, "\(proof)")
        #expect(proof.output.contains("small/acme.png: made again with other bytes"))
        #expect(proof.output.contains("small/tiny.png: made again with other bytes"))
    }

    @Test("prove names outputs whose source is missing or changed, and exits with 1")
    func unproved() throws {
        let folder = try Self.set(["--layout", "small"])
        folder.remove("in/sub/photo.jpg")
        try folder.write(Pictures.disc(.black, width: 80, height: 80), to: "in/sub/small.webp")
        let proof = try Self.prove([], in: folder)
        #expect(proof.status == 1, "\(proof)")
        #expect(
            proof.output.contains(
                "small/sub/photo.png: cannot be proved, because the source is gone: in/sub/photo.jpg"
            ))
        #expect(
            proof.output.contains(
                "small/sub/small.png: cannot be proved, because the source has changed"))
        try folder.write([1], to: "out/small/acme.png")
        #expect(try Self.prove([], in: folder).status == 2)
    }

    @Test("prove finds relative sources in the folders of --sources")
    func sources() throws {
        let folder = try Self.set(["--layout", "small"])
        let away = try ScratchFolder()
        let out = folder.path("out")
        let lost = try Tool.emblem(["prove", out, "-q"], in: away.path)
        #expect(lost.status == 1 && lost.output.contains("cannot be proved"), "\(lost)")
        let found = try Tool.emblem(
            ["prove", out, "-q", "--sources", ".", "--sources", folder.path], in: away.path)
        #expect(found.status == 0, "\(found)")
    }

    @Test("prove draws the same sample for the same seed, at most the size of the set")
    func sample() throws {
        let folder = try Self.set(["--layout", "small"])
        // Every output that is chosen is named.
        for layout in ["small", "large"] {
            for file in folder.tree("out/\(layout)") {
                try folder.write([0], to: "out/\(layout)/\(file)")
            }
        }
        func chosen(_ words: String...) throws -> [Substring] {
            let proof = try Self.prove(words, in: folder)
            #expect(proof.status == 2)
            return proof.output.split(separator: "\n").dropLast().sorted()
        }
        let first = try chosen("--sample", "5", "--seed", "7")
        #expect(first.count == 5 && Set(first).count == 5)
        #expect(try chosen("--sample", "5", "--seed", "7") == first)
        #expect(try chosen("--sample", "5", "--seed", "8") != first)
        let all = try chosen()
        #expect(try chosen("--sample", "100000") == all)
        let plain = try Self.prove(["--seed", "7"], in: folder)
        #expect(plain.status == 64 && plain.errors.contains("--seed needs --sample"))
    }

    @Test("prove makes outputs of URLs from the cache without a request")
    func cache() throws {
        let folder = try ScratchFolder()
        let rows = (0..<4).map { ("m\($0)", Web.server.url("files/disc-\($0).png")) }
        let cache = ["--cache", folder.path("cache"), "--allow-private"]
        let run = try Web.batch(rows, cache, in: folder)
        #expect(run.status == 0, "\(run.errors)")
        let kept = Array(cache.prefix(2))
        #expect(try Self.prove(kept, in: folder).status == 0)
        let empty = try Self.prove(["--cache", folder.path("other")], in: folder)
        #expect(empty.status == 1, "\(empty)")
        #expect(empty.output.contains("the cache no longer has the source"), "\(empty.output)")
    }

    @Test(
        "prove ends with a message for a damaged or foreign manifest",
        arguments: [
            ("", Int32(65)), ("{}\n", 65),
            ("{\"type\":\"run\",\"schema\":\"emblem.manifest/9\"}\n", 65),
        ])
    func damage(text: String, status: Int32) throws {
        let folder = try Self.set(["--layout", "small"])
        try folder.write(text, to: "out/manifest.ndjson")
        let proof = try Self.prove([], in: folder)
        #expect(proof.status == status && proof.errors.contains("error:"), "\(proof)")
        #expect(try Tool.emblem(["prove", "none"], in: folder.path).status == 66)
    }

    @Test("prove refuses invalid options in a manifest, and none reaches the command line")
    func hostileOptions() throws {
        let folder = try Self.set(["--layout", "small"])
        let manifest = try folder.text("out/manifest.ndjson")
        for (old, new) in [
            (#""mode":"fit""#, #""mode":"--sandbox=none""#), (#""scale":[1]"#, #""scale":[9e999]"#),
            (#""padding":0"#, #""padding":"-1""#), (#""layout":["small"]"#, #""layout":["../x"]"#),
            (#""max_bytes":20971520"#, #""max_bytes":-5"#),
        ] {
            #expect(manifest.contains(old))
            try folder.write(manifest.replacing(old, with: new), to: "out/manifest.ndjson")
            let proof = try Self.prove([], in: folder)
            #expect(
                proof.status == 65 && proof.errors.contains("cannot use the options"), "\(proof)")
        }
    }
}
