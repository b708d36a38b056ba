import Testing
import Transport

@Suite("A path")
struct FilePathTests {
    @Test(
        "is one text however it was typed",
        arguments: [
            ("logos/a.png", "logos/a.png"), ("./logos/a.png", "logos/a.png"),
            ("logos//a.png", "logos/a.png"), ("logos/./x/../a.png", "logos/x/../a.png"),
            ("/a/b/", "/a/b"), ("/../x", "/../x"), ("/a/./b//c", "/a/b/c"), ("a..b/c", "a..b/c"),
            (".hidden", ".hidden"), ("...", "..."),
        ])
    func normalised(typed: String, plain: String) {
        #expect(FilePath(typed).normalised == FilePath(plain))
    }

    @Test("below the working folder it is relative, above it is absolute")
    func workingFolder() {
        let here = FilePath(".").normalised
        #expect(here.isAbsolute)
        #expect(here.appending(FilePath("x/y")).normalised == FilePath("x/y"))
        #expect(FilePath("../x").normalised == FilePath("../x"))
    }

    @Test("below another is what is left of it")
    func below() {
        #expect(FilePath("/a/b/c").below(FilePath("/a//b")) == FilePath("c"))
        #expect(FilePath("a/./b").below(FilePath("a")) == FilePath("b"))
        #expect(FilePath("/ab/c").below(FilePath("/a")) == nil)
        #expect(FilePath("/a").below(FilePath("/a")) == nil)
    }
}
