import System
import Testing
import Transport

@Suite("The grammar of URLs")
struct URLGrammarTests {
    /// Returns whether the authority of a URL contains a password; a request with a backslash is
    /// refused.
    private static func sees(_ text: String) -> Bool {
        let rest = text.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst()
        guard rest.starts(with: "//".utf8) else { return false }
        let authority = rest.dropFirst(2).prefix { !"/?#\\".utf8.contains($0) }
        return String(decoding: authority, as: UTF8.self).contains("u:secret@")
    }

    private static let pieces = [
        "http", "HTTPS", "https", "ftp", "data", "icon", "file", "x", "s3", "view-source+x.y", "9",
        ":", ":", "://", "://", "//", "/", "\\", "@", "?", "#", "%", "%40", "%3A", "%00", ".", "-",
        "+", " ", "\t", "\n", "\u{0}", "\u{7F}", "\u{85}", "\u{A0}", "ü", "①", "\u{FF1A}",
        "\u{FF20}", "u:secret@", "token@", ":80", ":", "a.example", "127.0.0.1", "[::1]",
        "localhost", "logo.png", "C:\\", "\u{301}", String(repeating: "a", count: 62), "aa",
    ]

    private func texts(_ count: Int, seed: UInt64) -> [String] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { number in
            let start = number % 3 == 0 ? "" : ["http://", "https://", "HTTP:"][number % 2]
            let length = Int.random(in: 0...7, using: &random)
            return (0..<length).reduce(start) { text, _ in
                text + (Self.pieces.randomElement(using: &random) ?? "")
            }
        }
    }

    @Test("a password that a row or a request recognises is never shown")
    func passwords() {
        for text in texts(2_000, seed: 0x5EED) {
            let source = try? SourceReference.listed(text, in: FilePath("x"), remoteOnly: true)
            let isRow = source != nil
            let isRequest = (try? WebAddress(text)) != nil
            guard isRow || isRequest else { continue }
            // A second "secret" may be part of the path, which is shown.
            guard Self.sees(text), text.ranges(of: "secret").count == 1 else {
                continue
            }
            #expect(!SourceMask().shown(text).contains("secret"), "\(text.debugDescription)")
            #expect(
                !SourceMask.inside(message: "emblem: \(text)").contains("secret"),
                "\(text.debugDescription)")
        }
    }
}
