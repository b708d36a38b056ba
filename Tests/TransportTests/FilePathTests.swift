import Testing
import Transport

@Suite("A file path")
struct FilePathTests {
    @Test(
        "a path is normalised to one text for each way to type it",
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
        "a path with arbitrary bytes is read back from its text",
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

    @Test("a path below the working folder is relative, and any other path is absolute")
    func workingFolder() {
        let here = FilePath(".").normalised
        #expect(here.isAbsolute)
        #expect(here.appending(FilePath("x/y")).normalised == FilePath("x/y"))
        #expect(FilePath("../x").normalised == FilePath("../x"))
    }

    @Test("a path below a folder is what remains after the folder")
    func below() {
        #expect(FilePath("/a/b/c").below(FilePath("/a//b")) == FilePath("c"))
        #expect(FilePath("a/./b").below(FilePath("a")) == FilePath("b"))
        #expect(FilePath("/ab/c").below(FilePath("/a")) == nil)
        #expect(FilePath("/a").below(FilePath("/a")) == nil)
    }
}
