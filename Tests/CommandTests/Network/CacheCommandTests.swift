import Support
import Testing

@Suite("emblem cache", .ownThreads)
struct CacheCommandTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func cache(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> Tool.Ending {
        try Tool.emblem(["cache"] + arguments, in: folder.path, environment: environment)
    }

    @Test("cache prints the folder of the option, environment, emblem.json or user")
    func path() throws {
        let home = ["XDG_CACHE_HOME": folder.path("home")]
        #expect(
            try cache([], environment: home).output
                == folder.path("home/emblem") + "\n0 entries, 0 bytes\n")
        try folder.write(#"{"cache": "file"}"#, to: "emblem.json")
        #expect(try cache([], environment: home).output.contains("/file\n"))
        let both = home.merging(["EMBLEM_CACHE": "variable"]) { $1 }
        #expect(try cache([], environment: both).output.contains("/variable\n"))
        let typed = try cache(["--cache", folder.path("typed")], environment: both)
        #expect(typed.output.hasPrefix(folder.path("typed") + "\n"))
        #expect(!folder.exists("home") && !folder.exists("file"))
        let none = try cache(["--cache", "none"])
        #expect(none.status == 66 && none.output.isEmpty, "\(none.errors)")
    }

    @Test("cache prints the size of the cache, and cache clear removes it")
    func clear() throws {
        let rows = (0..<4).map { ("disc-\($0)", Web.server.url("logged/disc-\($0).png?cleared")) }
        for out in ["one", "two"] {
            let run = try Web.batch(
                rows, ["--allow-private", "--cache", "cache"], in: folder, out: out)
            #expect(run.status == 0, "\(run.errors)")
            let size = try cache(["--cache", "cache"])
            #expect(size.output.contains("/cache\n4 entries, "), "\(size.output)")
            let cleared = try cache(["clear", "--cache", "cache"])
            #expect(cleared.status == 0, "\(cleared.errors)")
            #expect(cleared.errors.contains("removed 4 entries"), "\(cleared.errors)")
            let left = try cache(["--cache", "cache"]).output
            #expect(left.hasSuffix("/cache\n0 entries, 0 bytes\n"), "\(left)")
        }
        #expect(Web.server.requests(for: "?cleared").map(\.tag) == Array(repeating: "-", count: 8))
    }

    @Test(
        "cache refuses a folder that is not a cache and changes nothing in it",
        arguments: [[], ["clear"]])
    func refused(words: [String]) throws {
        try folder.write("mine", to: "pictures/logo.png")
        let ending = try cache(words + ["--cache", "pictures"])
        #expect(ending.status == 64, "\(ending.errors)")
        #expect(ending.errors.contains("pictures is not a cache"), "\(ending.errors)")
        #expect(folder.tree("pictures") == ["logo.png"])
    }
}
