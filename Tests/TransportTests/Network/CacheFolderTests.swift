import Support
import Testing
import Transport

@Suite("The folder of the response cache")
struct CacheFolderTests {
    private let folder: ScratchFolder
    /// The name of an entry, without the two digits of its folder.
    private static let name = String(repeating: "a", count: 62)

    init() throws {
        folder = try ScratchFolder()
        #expect(CacheSettings(folder: folder.path("cache")).obstacle == nil)
    }

    private func standing(_ name: String) throws -> ResponseCache? {
        guard case .cache(let cache) = try ResponseCache.detect(at: folder.path(name)) else {
            return nil
        }
        return cache
    }

    @Test("clearing a cache folder removes only its entries and follows no link")
    func clear() throws {
        let others = [
            "cache/mine", "cache/v1/mine/\(Self.name)", "cache/v1/0a/mine", "cache/v1/tmp/mine",
            "cache/v1/0a/\(Self.name.dropLast())", "outside/\(Self.name)",
        ]
        for name in others { try folder.write("mine", to: name) }
        for start in ["0a", "0b"] {
            try folder.write("entry", to: "cache/v1/\(start)/\(Self.name)")
        }
        folder.link("cache/v1/0c", to: folder.path("outside"))
        let link = String(repeating: "b", count: 62)
        folder.link("cache/v1/0a/\(link)", to: folder.path("outside/\(Self.name)"))
        let cache = try #require(try standing("cache"))
        #expect(cache.content().entries == 2 && cache.content().bytes == 10)
        let removed = try cache.clear()
        #expect(removed.entries == 2 && removed.bytes == 10)
        for name in others { #expect(try folder.text(name) == "mine") }
        #expect(try folder.text("cache/v1/0a/\(link)") == "mine")
        #expect(!folder.exists("cache/v1/0b"))
        #expect(try folder.text("cache/v1/size") == "0")
        #expect(try cache.clear().entries == 0)
    }

    @Test("only a folder that a run created counts as a cache")
    func others() throws {
        #expect(try standing("cache") != nil)
        folder.link("link", to: "cache")
        #expect(try standing("link") != nil)
        folder.makeFolder("empty")
        for name in ["empty", "missing"] {
            guard case .nothing = try ResponseCache.detect(at: folder.path(name)) else {
                Issue.record("\(name)")
                continue
            }
        }
        try folder.write("", to: "file")
        try folder.write("", to: "pictures/logo.png")
        try folder.write("", to: "site/v1/index.html")
        folder.makeFolder("linked")
        folder.link("linked/v1", to: folder.path("cache/v1"))
        for name in ["file", "pictures", "site", "linked"] {
            guard case .other = try ResponseCache.detect(at: folder.path(name)) else {
                Issue.record("\(name)")
                continue
            }
        }
    }

}
