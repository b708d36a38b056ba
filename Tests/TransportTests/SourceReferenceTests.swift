import Testing
import Transport

@Suite("A source reference")
struct SourceReferenceTests {
    private func listed(
        _ text: String?, remoteOnly: Bool = false
    ) throws(ItemFailure) -> SourceReference.Kind {
        try SourceReference.listed(text, in: FilePath("lists"), remoteOnly: remoteOnly).kind
    }

    /// Returns the class of the error, or nil.
    private func className(_ text: String?, remoteOnly: Bool = false) -> String? {
        do throws(ItemFailure) {
            _ = try listed(text, remoteOnly: remoteOnly)
            return nil
        } catch {
            return error.className
        }
    }

    @Test(
        "a source with a web scheme is remote, in any case",
        arguments: [
            "http://a.example/x.png", "HTTPS://A.example", "https://[::1]/x", "http://①②⑦.0.0.1/",
            "https://a.example/ü.png?q=1#f",
        ])
    func remote(_ text: String) throws {
        #expect(try listed(text) == .remote)
        #expect(try listed(text, remoteOnly: true) == .remote)
        #expect(try SourceReference.argument(text).kind == .remote)
    }

    @Test(
        "a source of an unknown scheme is refused",
        arguments: [
            "ftp://a/x", "FTP://a/x", "gopher:x", "javascript:alert(1)", "blob:x", "about:blank",
            "dict://a", "ldap://a", "file:///etc/passwd", "FILE:/etc/passwd",
            "file://localhost/etc/passwd", "view-source+x.y:z", "foo:bar.png",
        ])
    func otherScheme(_ text: String) {
        #expect(className(text) == "unsupported_scheme")
        #expect(className(text, remoteOnly: true) == "unsupported_scheme")
    }

    @Test(
        "a source that breaks the rules of URLs or paths is bad",
        arguments: [
            "http:", "http:x.png", "http:/x.png", "http:///x.png", "https://?x", "https://#x",
            "https://:80/", "https://@/", "http://a.example/a\tb",
            "http://a.example/a\r\nHost: b", "http://a.example/\u{0}", "http://a.example/\u{7F}",
            "http://a.example/\u{85}", "a\u{0}b.png", "a\nb.png",
            "http://a.example/" + String(repeating: "x", count: 100_000),
            String(repeating: "x", count: 5_000), "data:a\u{0}b",
        ])
    func bad(_ text: String) {
        #expect(className(text) == "bad_url")
    }

    @Test(
        "a source without a scheme is a path",
        arguments: [
            ("a.png", "lists/a.png"), ("./foo:bar.png", "lists/./foo:bar.png"),
            ("/x/a.png", "/x/a.png"), ("a:b.png", "lists/a:b.png"),
            ("C:\\a.png", "lists/C:\\a.png"),
            ("12:30.png", "lists/12:30.png"), ("a b:c.png", "lists/a b:c.png"),
            ("dir/x:y.png", "lists/dir/x:y.png"), (":x", "lists/:x"),
            ("../a.png", "lists/../a.png"),
            ("-", "lists/-"),
        ])
    func path(_ text: String, _ path: String) throws {
        #expect(try listed(text) == .file(FilePath(path)))
        #expect(className(text, remoteOnly: true) == "unsupported_scheme")
    }

    @Test("a file: URL has the error of a path if paths are refused")
    func refusedFileURL() {
        let errors = ["/x/a.png", "file:///x/a.png"].map { text in
            #expect(throws: ItemFailure.self) { try listed(text, remoteOnly: true) }
        }
        #expect(errors[0] == errors[1])
        #expect(errors[1].map { "\($0)" }?.contains("paths are refused") == true)
    }

    @Test("an empty source is missing")
    func missing() {
        #expect(className(nil) == "missing_url")
        #expect(className("") == "missing_url")
        #expect(throws: ItemFailure(.missingURL, "no source is given")) {
            try SourceReference.argument("")
        }
    }

    @Test("a data: source from a list is accepted, also with --remote-only")
    func data() throws {
        #expect(try listed("data:,x") == .data)
        #expect(try listed("DATA:,x", remoteOnly: true) == .data)
    }

    @Test(
        "a source argument may be standard input, a file: URL or a path with odd characters")
    func arguments() throws {
        #expect(try SourceReference.argument("-").kind == .standardInput)
        #expect(try SourceReference.argument("a\tb.png").kind == .file(FilePath("a\tb.png")))
        for text in ["file:///a%20b.png", "FILE:/a%20b.png", "file://LocalHost/a%20b.png?x#y"] {
            #expect(try SourceReference.argument(text).kind == .file(FilePath("/a b.png")))
        }
        for text in ["file:a.png", "file://host/a.png", "file:///a%00b", "file://localhost"] {
            #expect(throws: ItemFailure.self) { try SourceReference.argument(text) }
        }
    }
}
