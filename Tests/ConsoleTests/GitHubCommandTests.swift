import Console
import Support
import System
import Testing

@Suite struct GitHubCommandTests {
    /// Reads a line as the runner of GitHub Actions does; nil for a line that it prints. The runner
    /// compares code units, so that a combining mark hides nothing.
    private static func command(
        _ line: String
    ) -> (name: String, properties: [String: String], data: String)? {
        let start = line.unicodeScalars.drop { $0.properties.isWhitespace }
        let rest = Array(String(start).utf8)
        let mark = Array("::".utf8)
        guard rest.starts(with: mark), let end = rest.dropFirst(2).firstRange(of: mark) else {
            let isOlder = Array(line.utf8).firstRange(of: Array("##[".utf8)) != nil
            return isOlder ? ("older form", [:], line) : nil
        }
        let parts = rest[2..<end.lowerBound].split(separator: UInt8(ascii: " "), maxSplits: 1)
        var properties: [String: String] = [:]
        for pair in parts.dropFirst().first?.split(separator: UInt8(ascii: ",")) ?? [] {
            let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard sides.count == 2 else { continue }
            properties[text(sides[0])] = text(
                decoded(sides[1], [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ",")]))
        }
        let data = decoded(rest[end.upperBound...], [("%0D", "\r"), ("%0A", "\n")])
        return (text(parts.first ?? []), properties, text(data))
    }

    private static func decoded(
        _ bytes: ArraySlice<UInt8>, _ codes: [(String, String)]
    ) -> ArraySlice<UInt8> {
        (codes + [("%25", "%")]).reduce(bytes) { bytes, code in
            bytes.replacing(Array(code.0.utf8), with: Array(code.1.utf8))
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "a GitHub annotation arrives at the runner unchanged",
        arguments: [
            "plain", "50% of it", "%0A", "%25", "a::b", "::error::x", "a,b=c", "line\nbreak\r\n",
            "##[error]x", "::stop-commands::t", "日本, 100 %: ok", "", " ::add-mask::x", "%3A%2C",
            ":\u{301}:\u{301},\u{301}%\u{301}0A",
        ])
    func annotations(text: String) throws {
        let line = GitHubCommand.annotation(
            .warning, title: text, file: "a/\(text).csv", line: 7, text)
        #expect(line.utf8.filter { $0 == 0x0A }.count == 1 && line.hasSuffix("\n"))
        #expect(!line.dropLast().unicodeScalars.contains("\r"))
        let command = try #require(Self.command(String(line.dropLast())))
        #expect(command.name == "warning" && command.data == text, "\(line)")
        #expect(command.properties["file"] == "a/\(text).csv", "\(line)")
        #expect(command.properties["line"] == "7", "\(line)")
        #expect((command.properties["title"] ?? "") == text, "\(line)")
    }

    @Test("no line of other text is a command for the GitHub runner")
    func printable() {
        var random = SeededRandom(seed: TestSeed.value)
        let pieces = [
            "::", ":", "error", "##[", "#", "[", "]", " ", "\t", "\u{A0}", "\u{2003}", "add-mask",
            "\\",
            "x", "\u{301}", "\u{200B}",
        ]
        for _ in 0..<20_000 {
            let count = random.number(in: 0...8)
            let line = (0..<count).map { _ in pieces[random.below(pieces.count)] }.joined()
            let shown = GitHubCommand.printable(line)
            #expect(Self.command(shown) == nil, "\(line.debugDescription) \(TestSeed.words)")
            if !line.contains(":"), !line.contains("#") { #expect(shown == line) }
        }
    }
}
