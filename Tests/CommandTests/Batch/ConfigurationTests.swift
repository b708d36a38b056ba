import Raster
import Support
import Testing

@Suite("Options from a configuration file", .ownThreads)
struct ConfigurationTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        try folder.write(Pictures.disc(.black, width: 30, height: 30), to: "a.png")
    }

    private func batch(
        _ words: [String], environment: [String: String] = [:]
    ) throws -> Tool.Ending {
        folder.remove("out")
        return try Tool.emblem(
            ["batch", "a.png", "-o", "out"] + words, in: folder.path, environment: environment)
    }

    @Test("one line names the options that emblem.json and the environment set")
    func named() throws {
        try folder.write("{\"layout\": \"small\", \"scale\": \"2\"}", to: "emblem.json")
        let run = try batch(["--scale", "1"], environment: ["EMBLEM_JOBS": "2"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.errors.contains(
                "options from emblem.json: layout; options from the environment: jobs\n"),
            "\(run.errors)")
        #expect(try !batch(["--quiet"]).errors.contains("options from"))
        folder.remove("emblem.json")
        #expect(try !batch([]).errors.contains("options from"))
    }

    @Test("--config none reads no configuration file, and --config FILE reads another one")
    func chosen() throws {
        try folder.write("{\"layout\": \"small\"}", to: "emblem.json")
        try folder.write("{\"layout\": \"large\"}", to: "other/options.json")
        #expect(try batch(["--quiet"]).status == 0 && folder.tree("out").contains("small/a.png"))
        #expect(!folder.exists("out/large"))
        #expect(try batch(["--config", "none"]).status == 0 && folder.exists("out/xLarge/a.png"))
        for (words, environment) in [
            (["--config", "other/options.json"], [:]),
            ([], ["EMBLEM_CONFIG": "other/options.json"]),
        ] as [([String], [String: String])] {
            let run = try batch(words, environment: environment)
            #expect(run.status == 0 && folder.exists("out/large/a.png"), "\(run.errors)")
            #expect(!folder.exists("out/small"))
        }
        #expect(try batch(["--config", "gone.json"]).status == 66)
        try folder.write("{\"allow-private\": true}", to: "other/options.json")
        #expect(try batch(["--config", "other/options.json"]).status == 64)
    }

    @Test("a broken emblem.json stops batch but not the commands that only read a set")
    func broken() throws {
        #expect(try batch(["--quiet"]).status == 0)
        try folder.write("{broken", to: "emblem.json")
        for words in [["verify", "out"], ["failures", "out"], ["inspect", "a.png"]] {
            let run = try Tool.emblem(words, in: folder.path)
            #expect(run.status == 0 && run.errors.contains("Ignoring the file"), "\(words): \(run)")
        }
        #expect(try batch([]).status == 64)
        #expect(try batch(["--config", "none"]).status == 0)
    }
}
