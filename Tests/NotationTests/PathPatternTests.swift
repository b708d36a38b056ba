import Notation
import Testing

@Suite("Path patterns")
struct PathPatternTests {
    @Test(
        "a star matches within a name, and two stars match across folders",
        arguments: [
            ("*.png", "a.png", true), ("*.png", "a/b.png", false), ("**/*.png", "a.png", true),
            ("**/*.png", "a/b/c.png", true), ("**.png", "a/b.png", true), ("a/**", "a/b/c", true),
            ("a/**", "a", false), ("a/", "a/b/c", true), ("a/", "ab", false),
            ("?.png", "x.png", true), ("?.png", "xy.png", false), ("a?b", "a/b", false),
            ("a*", "a", true), ("", "", true), ("", "a", false), ("**", "a/b", true),
            ("a/**/b", "a/b", true), ("a/**/b", "a/x/y/b", true), ("a/**/b", "a/xb", false),
            ("**/b", "ab", false), ("**/b", "a/b", true), ("[a]", "[a]", true), ("*", "", true),
            ("a**b", "a/x/b", true), ("ab", "a", false), ("a*b*c", "aXbYc", true),
            ("a*b*c", "aXb/Yc", false),
        ])
    func matches(pattern: String, path: String, isMatch: Bool) {
        #expect(PathPattern(pattern).matches(Array(path.utf8)) == isMatch)
    }

    @Test("a pattern of many stars is matched in bounded time")
    func manyStars() {
        let pattern = PathPattern(String(repeating: "*a", count: 60) + "b")
        #expect(!pattern.matches([UInt8](repeating: UInt8(ascii: "a"), count: 1000)))
    }
}
