import Batch
import Testing
import Transport

@Suite("An item's name")
struct ItemNameTests {
    @Test(
        "an item's name comes from its source",
        arguments: [
            ("https://cdn.example/a/acme.svg", "acme"),
            ("https://cdn.example/a/acme.svg?v=2#x", "acme"),
            ("https://cdn.example/acme", "acme"), ("https://cdn.example/acme.v2", "acme.v2"),
            ("https://cdn.example/acme/", "acme"), ("https://cdn.example/", "cdn.example"),
            ("https://cdn.example", "cdn.example"), ("https://u:p@cdn.example:80?x", "cdn.example"),
            ("http://[2001:db8::1]:80/", "2001-db8--1"), ("https://x.example/a%20b.PNG", "a-b"),
            ("https://x.example/..%2f..%2fetc%2fpasswd", "etc-passwd"),
            ("https://x.example/%2e%2e", "item"), ("https://x.example/100%25", "100-"),
            ("https://x.example/%E2%82%AC.png", "item"),
            ("https://x.example/caf%C3%A9.png", "café"),
            ("logo.png", "logo"), ("a/b/logo.svg.png", "logo.svg"), ("notes", "notes"),
            ("/x/.png", "png"), ("C:\\logos\\a.png", "C--logos-a"), ("photo.v2", "photo"),
            ("ftp://x.example/y.gif", "y"), ("javascript:alert(1)", "alert-1-"), ("", "item"),
        ])
    func source(_ text: String, _ name: String) {
        var kind: SourceReference.Kind?
        do throws(ItemFailure) {
            kind = try SourceReference.listed(
                text, in: FilePath(""), remoteOnly: false
            ).kind
        } catch {}
        #expect(ItemName.wanted(id: nil, source: text, kind: kind) == name)
    }

    @Test("an item's name is the id of the list if there is one")
    func own() {
        #expect(ItemName.wanted(id: "a/b", source: "x.png", kind: nil) == "a-b")
        #expect(ItemName.wanted(id: "", source: "x.png", kind: nil) == "x")
        #expect(ItemName.wanted(id: nil, source: "-", kind: .standardInput) == "stdin")
        let data = "data:image/png;base64,AAAA"
        #expect(ItemName.wanted(id: nil, source: data, kind: .data) == "data-bde6da8e")
        #expect(ItemName.wanted(id: nil, source: data, kind: nil) == "data-bde6da8e")
    }

    @Test(
        "an item's name keeps letters with marks, digits, dots, underscores and hyphens",
        arguments: [
            ("Acme_Bank-2.0", "Acme_Bank-2.0"), ("a b", "a-b"), ("logo (1)", "logo--1-"),
            ("../../etc", "etc"), ("-rf", "rf"), (".hidden", "hidden"), ("a...", "a"),
            ("...", "item"), ("---", "item"), ("", "item"), ("a\u{0}b", "a-b"),
            ("cafe\u{301}", "caf\u{E9}"), ("Ünïcödé", "Ünïcödé"), ("日本語", "日本語"),
            ("हिन्दी", "हिन्दी"), ("ไทย", "ไทย"), ("٣", "٣"), ("½", "item"), ("a½b", "a-b"),
            ("x\u{1F600}y", "x-y"), ("x👨‍👩‍👧y", "x-y"), ("a\u{200F}b", "a-b"), ("x\u{301}", "x\u{301}"),
            ("1\u{20E3}", "1-"), ("\u{301}", "item"), ("a/b\\c:d", "a-b-c-d"),
            ("a~dark@2x", "a-dark-2x"),
        ])
    func clean(_ text: String, _ name: String) {
        let cleaned = ItemName.clean(text)
        #expect(Array(cleaned.utf8) == Array(name.utf8), "\(cleaned)")
        #expect(Array(ItemName.clean(cleaned).utf8) == Array(cleaned.utf8))
    }

    @Test("an item's name is cut between characters at 120 bytes")
    func cut() {
        #expect(ItemName.clean(String(repeating: "x", count: 300)).utf8.count == 120)
        let umlauts = ItemName.clean("x" + String(repeating: "ü", count: 200))
        #expect(umlauts.utf8.count == 119 && umlauts.hasSuffix("ü"))
        let marked = "q\u{323}\u{307}"
        let stacked = ItemName.clean("ab" + String(repeating: marked, count: 100))
        #expect(stacked.utf8.count == 117 && stacked.hasSuffix(marked))
        let tower = ItemName.clean("z" + String(repeating: "\u{301}", count: 300))
        #expect((100...120).contains(tower.utf8.count))
        let dots = String(repeating: "x", count: 118) + "...y"
        #expect(ItemName.clean(dots) == String(repeating: "x", count: 118))
    }

    @Test("an item's name leaves room for its suffix")
    func suffix() {
        #expect(ItemName.suffixed("acme", "-01234567") == "acme-01234567")
        let long = ItemName.suffixed(String(repeating: "ü", count: 60), "-01234567")
        #expect(long.utf8.count == 119 && long.hasSuffix("ü-01234567"))
    }
}
