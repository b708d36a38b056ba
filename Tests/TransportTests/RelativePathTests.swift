import Testing
import Transport

@Suite("A relative path")
struct RelativePathTests {
    @Test(
        "a relative path cannot leave its folder",
        arguments: [
            "", "/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b", "a\u{0}b",
            String(repeating: "x", count: 256), String(repeating: "x/", count: 2_048) + "x",
        ])
    func refused(_ text: String) {
        #expect(RelativePath(text) == nil)
    }

    @Test("a relative path has folders and a name")
    func parts() throws {
        let path = try #require(RelativePath("small/deep/acme@2x.png"))
        #expect(path.components == ["small", "deep", "acme@2x.png"])
        #expect(Array(path.folders) == ["small", "deep"] && path.name == "acme@2x.png")
        #expect("\(path)" == path.text)
        #expect(RelativePath(String(repeating: "x", count: 255)) != nil)
        #expect(RelativePath("...")?.folders.isEmpty == true)
    }

    @Test("a relative path equals another one only byte for byte")
    func equality() {
        #expect(RelativePath("caf\u{E9}") != RelativePath("cafe\u{301}"))
        #expect(Set([RelativePath("a"), RelativePath("a"), RelativePath("b")]).count == 2)
    }

    @Test("a relative path is joined to a folder as Linux does")
    func joining() {
        #expect(FilePath("a").appending(FilePath("b")) == FilePath("a/b"))
        #expect(FilePath("a/").appending(FilePath("b")) == FilePath("a/b"))
        #expect(FilePath("a").appending(FilePath("/b")) == FilePath("/b"))
        #expect(FilePath("").appending(FilePath("b")) == FilePath("b"))
        #expect(FilePath("a").appending(FilePath("")) == FilePath("a"))
        #expect(FilePath("/a").folder == FilePath("/") && FilePath("a").folder == FilePath("."))
        #expect(FilePath("x/a").folder == FilePath("x"))
        #expect(FilePath("a//").withoutTrailingSlashes == FilePath("a"))
        #expect(FilePath("/").withoutTrailingSlashes == FilePath("/"))
    }
}
