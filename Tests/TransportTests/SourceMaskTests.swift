import Support
import Testing
import Transport

@Suite("Masked sources in messages")
struct SourceMaskTests {
    @Test(
        "a masked source hides names and passwords",
        arguments: [
            ("http://user:secret@host/a.png", "http://***@host/a.png"),
            ("https://token@host", "https://***@host"),
            ("HTTPS://a:b@c@host/x?y", "HTTPS://***@host/x?y"),
            ("http:user:secret@host/", "***@host/"),
            ("ftp://u:secret@h/x.png", "ftp://***@h/x.png"),
            ("FTP://U:secret@H", "FTP://***@H"),
            ("jdbc:mysql://u:secret@h", "***@h"),
            ("//u:secret@h/x.png", "//***@h/x.png"),
            ("\\\\u:secret@h\\x", "\\\\***@h\\x"),
            ("  http://u:secret@h/", "  http://***@h/"),
            ("\u{A0}http://u:secret@h", "\u{A0}http://***@h"),
            ("ht\ttp://u:secret@h", "ht\ttp://***@h"),
            ("http:// u:secret@h/x", "http://***@h/x"),
            ("http:\\\\u:secret@h", "http:\\\\***@h"),
            ("http://u:secret/x@h", "http://***@h"),
            ("http://me@x.com:12/secret@h", "http://***@x.com:12/secret@h"),
            ("http://a%2Fu:secret@h/x", "http://***@h/x"),
            ("http://u:secret?x@h", "http://***@h"),
            ("http://u:secret#x@h", "http://***@h"),
            ("http://u:sec ret@h/x", "http://***@h/x"),
            ("http://u:secret%zz@h", "http://***@h"),
            ("http://u:secret@[::1]/x@2x", "http://***@[::1]/x@2x"),
            ("http://u%3Asecret%40h/x", "http://***%40h/x"),
            ("u:secret@h/x.png", "***@h/x.png"),
            (":secret@h", "***@h"),
            ("url=http://u:secret@h", "url=http://***@h"),
            ("http//u:secret@h/", "http//***@h/"),
            ("HTTPS\\\\u:secret@h\\x", "HTTPS\\\\***@h\\x"),
            ("htp//u:secret@h/x", "htp//***@h/x"),
            ("http;//u:secret@h/x", "http;//***@h/x"),
            ("http.//u:secret/x@h", "http.//***@h"),
            ("https://a.example/?u=https://u:secret@h/x", "https://a.example/?u=https://***@h/x"),
            ("https://h.example/x,http://u:secret@k/y", "https://h.example/x,http://***@k/y"),
            ("https://u:secret@cdn.example/logo@2x.png", "https://***@cdn.example/logo@2x.png"),
        ])
    func secretsAreHidden(source: String, shown: String) {
        #expect(SourceMask().shown(source) == shown)
        // Masked text has nothing more to hide.
        #expect(SourceMask().shown(shown) == shown)
    }

    @Test(
        "a masked source keeps text that is not a password",
        arguments: [
            "http://host/a@b.png", "http://host?u=a@b", "logos/a@2x.png", "a/12:30@2x.png",
            "/a/12:30@2x.png", "./u:p@2x.png", "C:\\logo@2x.png", "file:///home/a@2x.png",
            "https://unpkg.com/@scope/icons@1.0/x.svg", "http://127.0.0.1:8080/a@2x.png",
            "http://localhost:80/a@2x.png", "http://[::1]:80/a@2x.png", "http://[::1]/a@2x.png",
            "git@github.com:org/x.png", "data:image/png;base64,AAAA", "@h", "http://@h", "", "%",
            "%4", "http://", "http/a@2x.png", "logos//a@2x.png", "http//h.example:80/a@2x.png",
            "a b@c.png",
            "\u{FF20}",
        ])
    func plainSourcesStay(source: String) {
        #expect(SourceMask().shown(source) == source)
    }

    @Test("a masked message hides the passwords of the sources inside it")
    func sentences() {
        let two = "emblem: http://u:secret@h/x: \"ftp://a:secret@b\" is no list"
        #expect(!SourceMask.inside(message: two).contains("secret"))
        let many = String(repeating: "a:secret@b ", count: 1_000)
        #expect(!SourceMask.inside(message: many).contains("secret"))
        #expect(
            SourceMask.inside(message: "--list //u:secret@h/x, and user:secret@h")
                == "--list //***@h/x, and ***@h")
        let plain = "the list http://127.0.0.1:80/a@2x.png: at 10:30 mail me@x.com"
        #expect(SourceMask.inside(message: plain) == plain)
        #expect(SourceMask.inside(text: "see http://u:secret@h/") == "see http://***@h/")
        #expect(SourceMask.inside(text: "see http//u:secret@h/") == "see http//***@h/")
        #expect(!SourceMask.inside(message: "http//u:secret@h/: no file").contains("secret"))
        #expect(SourceMask.inside(text: "noon:lunch me@x.com") == "noon:lunch me@x.com")
    }

    @Test("masking a long text takes time in proportion to its length")
    func longTexts() {
        for piece in [
            "a:/", ":@", "//a@", "//a@:", "/ ", "%40%3A//", "://u:p@h ", "@", "\\\\", "://",
        ] {
            let text = String(repeating: piece, count: 100_000)
            let cost = processorSeconds {
                _ = SourceMask().shown(text)
                _ = SourceMask.inside(message: text)
            }
            #expect(cost < 5, "\(piece)")
        }
    }

    @Test("masking hides queries if asked")
    func queriesAreHidden() {
        let mask = SourceMask(hidesQueries: true)
        #expect(mask.shown("http://a:b@host/x?sig=1#f") == "http://***@host/x?***")
        #expect(mask.shown("//host/x?sig=1") == "//host/x?***")
        #expect(mask.shown("odd?name.png") == "odd?name.png")
    }
}
