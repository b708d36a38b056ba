import Codecs
import Notation
import Raster
import Support
import Testing

@Suite("The encoding effort on the command line", .ownThreads)
struct EffortCommandTests {
    private static let samples = ["logos", "photos", "svg", "webp"].map {
        Repository.path("Datasets/samples/\($0)")
    }

    private static func batch(
        _ out: String, _ words: [String] = [], in folder: ScratchFolder
    ) throws -> Tool.Ending {
        let run = try Tool.emblem(
            ["batch"] + samples + ["-o", out, "--layout", "small,xLarge"] + words,
            in: folder.path)
        try #require(run.status == 0, "\(run)")
        return run
    }

    /// Returns the outputs of a set by their paths.
    private static func files(_ out: String, in folder: ScratchFolder) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in folder.tree(out) where name.hasSuffix(".png") || name.hasSuffix(".webp") {
            files[name] = try folder.read("\(out)/\(name)")
        }
        return files
    }

    private static func pixels(_ bytes: [UInt8]) throws -> [UInt8] {
        let header = try ImageDecoder.header(of: bytes.span, limits: DecodeLimits())
        let decoded = try ImageDecoder.decode(
            bytes.span, header: header, request: DecodeRequest())
        guard case .raster(let buffer) = consume decoded else { return [] }
        return buffer.pixels.copied()
    }

    @Test("--effort default writes the files and the manifest of a run without it")
    func standard() throws {
        let folder = try ScratchFolder()
        _ = try Self.batch("plain", in: folder)
        _ = try Self.batch("named", ["--effort", "default"], in: folder)
        #expect(try Self.files("plain", in: folder) == Self.files("named", in: folder))
        let manifest = try folder.text("plain/manifest.ndjson")
        #expect(try folder.text("named/manifest.ndjson") == manifest)
        #expect(!manifest.contains("\"effort\""))
    }

    @Test("small outputs take fewer bytes, fast ones a few more, and all have the same pixels")
    func pixels() throws {
        let folder = try ScratchFolder()
        let form = ["--format", "png,webp", "--quality", "lossless"]
        var sets: [String: [String: [UInt8]]] = [:]
        for effort in ["fast", "default", "small"] {
            _ = try Self.batch(effort, form + ["--effort", effort], in: folder)
            sets[effort] = try Self.files(effort, in: folder)
        }
        let standard = try #require(sets["default"])
        #expect(standard.count >= 32)
        for effort in ["fast", "small"] {
            let set = try #require(sets[effort])
            #expect(set.keys.sorted() == standard.keys.sorted())
            for (name, bytes) in set {
                let wanted = try #require(standard[name])
                #expect(try Self.pixels(bytes) == Self.pixels(wanted), "\(effort) \(name)")
                guard effort == "small", name.hasSuffix(".png") else { continue }
                #expect(bytes.count <= wanted.count, "\(name)")
            }
        }
        func total(_ effort: String) -> Int {
            sets[effort]?.values.reduce(0) { $0 + $1.count } ?? 0
        }
        #expect(total("small") < total("default"))
        #expect(total("fast") * 100 <= total("default") * 110)
    }

    @Test("a changed effort redraws a set and is told")
    func identity() throws {
        let folder = try ScratchFolder()
        _ = try Self.batch("out", in: folder)
        let small = try Self.batch("out", ["--effort", "small"], in: folder)
        #expect(small.errors.contains("--effort was not given and is now small"))
        #expect(try folder.json("out/run.json")["reused"]?.intValue == 0)
        #expect(try folder.text("out/manifest.ndjson").contains("\"effort\":\"small\""))
        _ = try Self.batch("out", ["--effort", "small"], in: folder)
        #expect(try folder.json("out/run.json")["reused"] != 0)
    }

    @Test("emblem.json, the environment and 'render' take an effort")
    func places() throws {
        let folder = try ScratchFolder()
        _ = try Self.batch("typed", ["--effort", "small"], in: folder)
        try folder.write(#"{"effort": "small"}"#, to: "emblem.json")
        _ = try Self.batch("configured", in: folder)
        #expect(try Self.files("typed", in: folder) == Self.files("configured", in: folder))
        folder.remove("emblem.json")
        let logo = "\(Self.samples[0])/kelford-rail.png"
        var sizes: [Int] = []
        for effort in ["default", "small"] {
            let run = try Tool.emblem(
                ["render", "emblem", logo, "-o", "\(effort).png", "--effort", effort],
                in: folder.path)
            try #require(run.status == 0, "\(run)")
            sizes.append(try folder.read("\(effort).png").count)
        }
        #expect(sizes[1] < sizes[0], "\(sizes)")
    }

    @Test(
        "an effort that changes no output is taken with a note",
        arguments: [("jpeg", true), ("png", false), ("jpeg,webp", false)])
    func idle(format: String, isNoted: Bool) throws {
        let folder = try ScratchFolder()
        let run = try Self.batch(
            "out", ["--format", format, "--effort", "fast"], in: folder)
        #expect(run.errors.contains("--effort has no effect") == isNoted, "\(run.errors)")
    }
}
