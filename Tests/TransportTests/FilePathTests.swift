import Testing
import Transport

@Suite("A path")
struct FilePathTests {
    @Test(
        "a path is one text however it was typed",
        arguments: [
            ("logos/a.png", "logos/a.png"), ("./logos/a.png", "logos/a.png"),
            ("logos//a.png", "logos/a.png"), ("logos/./x/../a.png", "logos/x/../a.png"),
            ("/a/b/", "/a/b"), ("/../x", "/../x"), ("/a/./b//c", "/a/b/c"), ("a..b/c", "a..b/c"),
            (".hidden", ".hidden"), ("...", "..."),
        ])
    func normalised(typed: String, plain: String) {
        #expect(FilePath(typed).normalised == FilePath(plain))
    }

    @Test(
        "a path has a text that leads back to its bytes, of any kind",
        arguments: [
            [0x61, 0x2E, 0xE9], [0xC3, 0xA9], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80],
            [0x80, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xA9], [0xF4],
            [0xF0, 0x9F, 0x98, 0x80, 0xFF],
            Array(1...0xFF),
        ])
    func text(bytes: [UInt8]) {
        let text = FilePath(bytes: bytes).text
        #expect(FilePath(text).bytes == bytes)
        let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
        #expect(FilePath.isMarked(text) == (!isUTF8 || bytes == [0xF4, 0x8F, 0xBF, 0xA9]))
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
