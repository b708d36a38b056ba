import Codecs
import Raster
import Support
import Testing

@Suite("The encoding effort on the command line", .ownThreads)
struct EffortCommandTests {
    private static let samples = ["logos", "photos", "svg", "webp"].map {
        Repository.path("Datasets/samples/\($0)")
    }

    private static func batch(_ out: String, _ words: [String], in folder: ScratchFolder) throws {
        let run = try Tool.emblem(
            ["batch"] + samples + ["-o", out, "--layout", "small,xLarge"] + words,
            in: folder.path)
        try #require(run.status == 0, "\(run)")
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

    @Test("small outputs take fewer bytes, fast ones a few more, and all have the same pixels")
    func pixels() throws {
        let folder = try ScratchFolder()
        let form = ["--format", "png,webp", "--quality", "lossless"]
        var sets: [String: [String: [UInt8]]] = [:]
        for effort in ["fast", "default", "small"] {
            try Self.batch(effort, form + ["--effort", effort], in: folder)
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
}
