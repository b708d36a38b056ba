import System
import Testing
import Transport

/// Compares the one grammar of URLs with the rules of the three readers that it replaced.
@Suite("The grammar of URLs")
struct URLGrammarTests {
    /// The rule by which a reader recognised a scheme.
    private struct SchemeRule {
        let lengths: ClosedRange<Int>
        let marks: String

        func scheme(of text: String) -> String? {
            let letters = "abcdefghijklmnopqrstuvwxyz"
            let parts = text.unicodeScalars.split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(String.UnicodeScalarView(parts[0]))
            guard parts.count == 2, lengths.contains(name.utf8.count),
                name.unicodeScalars.allSatisfy(\.isASCII)
            else { return nil }
            let lower = name.lowercased()
            guard let first = lower.first, letters.contains(first),
                lower.allSatisfy({ (letters + "0123456789" + marks).contains($0) })
            else { return nil }
            return lower
        }
    }

    private static let rowRule = SchemeRule(lengths: 2...64, marks: "+-.")
    private static let requestRule = SchemeRule(lengths: 1...63, marks: "+-.")
    private static let maskRule = SchemeRule(lengths: 2...16, marks: "")

    /// The reasons for which a reader refused a URL of http or https, each with a test.
    private typealias Refusals = [(name: String, holds: @Sendable (URLText) -> Bool)]

    /// A URL that is split by the simplest means.
    private struct URLText {
        let bytes: [UInt8]
        let scalars: [UInt32]
        let hasSlashes: Bool
        let authority: [UInt8]
        let host: [UInt8]

        init(_ text: String) {
            bytes = Array(text.utf8)
            scalars = text.unicodeScalars.map(\.value)
            let rest = Array(bytes.drop { $0 != 0x3A }.dropFirst())
            hasSlashes = rest.starts(with: "//".utf8)
            let part = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
            authority = hasSlashes ? Array(part) : []
            host = Array(authority.reversed().prefix { $0 != 0x40 }.reversed())
        }

        func has(_ range: ClosedRange<UInt32>) -> Bool { scalars.contains { range.contains($0) } }

        /// Returns whether the authority contains a part; a request with a backslash is refused.
        func sees(_ part: String) -> Bool {
            String(decoding: authority.prefix { $0 != 0x5C }, as: UTF8.self).contains(part)
        }
    }

    private static let rowRefusals: Refusals = [
        ("length", { $0.bytes.count > 16_384 }),
        ("control", { $0.has(0...0x1F) || $0.has(0x7F...0x9F) }),
        ("no slashes", { !$0.hasSlashes }),
        ("no host", { $0.authority.isEmpty || ":@".utf8.contains($0.authority[0]) }),
    ]

    private static let requestRefusals: Refusals = [
        ("length", { $0.bytes.count > 16_384 }),
        ("control", { $0.has(0...0x1F) || $0.has(0x7F...0x7F) || $0.has(0x5C...0x5C) }),
        ("no slashes", { !$0.hasSlashes }),
        ("no host", { $0.host.isEmpty }),
        ("empty port", { $0.host.last == 0x3A }),
        ("percent", { $0.host.contains(0x25) }),
    ]

    /// The refusals that requests always had, and that rows have in addition now.
    private static let newRowRefusals: Refusals = [
        ("no host after the user", { $0.host.isEmpty }),
        ("backslash for a host", { $0.authority.first == 0x5C }),
        ("user and backslash", { $0.authority.prefix { $0 != 0x5C }.last == 0x40 }),
    ]

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

    private static let seed: UInt64 = 0x5EED

    @Test("rows, requests and masking agree on what a scheme is")
    func schemes() {
        for text in texts(20_000, seed: Self.seed) {
            let found = URLGrammar.scheme(of: text.utf8)
            let row = Self.rowRule.scheme(of: text)
            #expect(SourceReference.scheme(of: text) == row, "\(text.debugDescription)")
            // The request's limit was one byte lower; a longer scheme is refused as unknown now.
            #expect(
                found == Self.requestRule.scheme(of: text) ?? row, "\(text.debugDescription)")
            if let mask = Self.maskRule.scheme(of: text) { #expect(found == mask) }
        }
    }

    @Test("a URL that the previous rules refused is refused, and a row refuses little more")
    func refusals() {
        for text in texts(20_000, seed: Self.seed + 1) {
            guard let scheme = Self.rowRule.scheme(of: text), ["http", "https"].contains(scheme)
            else { continue }
            let url = URLText(text)
            let row = Self.rowRefusals.first { $0.holds(url) }
            let isRefused =
                (try? SourceReference.listed(text, in: FilePath("x"), remoteOnly: true)) == nil
            if let row { #expect(isRefused, "\(row.name): \(text.debugDescription)") }
            if isRefused, row == nil {
                let isKnown = Self.newRowRefusals.contains { $0.holds(url) }
                #expect(isKnown, "\(text.debugDescription)")
            }
            // Spaces are removed or encoded before a request is checked.
            guard !text.contains(" ") else { continue }
            for refusal in Self.rowRefusals + Self.requestRefusals where refusal.holds(url) {
                let isLoaded = (try? WebAddress(text)) != nil
                #expect(!isLoaded, "\(refusal.name): \(text.debugDescription)")
            }
        }
    }

    @Test("a redirect refuses what the previous redirect rules refused")
    func redirects() throws {
        let base = try WebAddress("https://a.example/x")
        for text in texts(5_000, seed: Self.seed + 2) {
            let url = URLText(text)
            let scheme = Self.requestRule.scheme(of: text)
            let isForbidden =
                text.isEmpty || url.bytes.count > 16_384 || url.has(0...0x1F)
                || url.has(0x7F...0x7F) || url.has(0x5C...0x5C)
                || scheme != nil && scheme != "http" && scheme != "https"
            guard isForbidden else { continue }
            let isFollowed = (try? base.following(text)) != nil
            #expect(!isFollowed, "\(text.debugDescription)")
        }
    }

    @Test("a password that a row or a request recognises is never shown")
    func passwords() {
        for text in texts(20_000, seed: Self.seed + 3) {
            let source = try? SourceReference.listed(text, in: FilePath("x"), remoteOnly: true)
            let isRow = source != nil
            let isRequest = (try? WebAddress(text)) != nil
            guard isRow || isRequest else { continue }
            // A second "secret" may be part of the path, which is shown.
            guard URLText(text).sees("u:secret@"), text.ranges(of: "secret").count == 1 else {
                continue
            }
            #expect(!SourceMask().shown(text).contains("secret"), "\(text.debugDescription)")
            #expect(
                !SourceMask.inside(message: "emblem: \(text)").contains("secret"),
                "\(text.debugDescription)")
        }
    }
}
