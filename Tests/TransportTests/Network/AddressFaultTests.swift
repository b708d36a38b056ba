import Glibc
import Support
import Synchronization
import Testing
import Transport

@Suite("Hostile addresses")
struct AddressFaultTests {
    static let closed = TestLoader.make { $0.allowPrivate = false }

    private func className(_ url: String) async throws -> String {
        let loader = Self.closed
        return await loader.load(url).className
    }

    @Test(
        "URLs with schemes other than http, https and data are unsupported",
        arguments: [
            "file:///etc/passwd", "FILE:///etc/passwd", "file://localhost/etc/passwd",
            "ftp://a/", "gopher://a/", "dict://a/", "ldap://a/", "javascript:alert(1)",
            "blob:https://a/b", "about:blank", "data:image/png;base64,AAAA", "ws://a/",
        ])
    func schemes(_ url: String) async throws {
        #expect(try await className(url) == "unsupported_scheme")
    }

    @Test(
        "special addresses are blocked in every spelling",
        arguments: [
            "127.0.0.1", "[::1]", "0", "0.0.0.0", "[::]", "2130706433", "0x7f000001",
            "0177.0.0.1", "127.1", "127.0.1", "0x7f.1", "017700000001", "127.0.0.1.",
            "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[2002:7f00:1::]", "[64:ff9b::7f00:1]",
            "[64:ff9b:1::7f00:1]", "[2001:0:7f00:1::]", "[2a00::5efe:7f00:1]", "localhost",
            "LOCALHOST", "localhost.", "x.localhost", "10.0.0.1", "172.16.0.1", "192.168.0.1",
            "100.64.0.1", "169.254.169.254", "[fc00::1]", "[fe80::1]", "224.0.0.1", "240.0.0.1",
            "192.0.0.1", "198.18.0.1",
        ])
    func special(_ host: String) async throws {
        let (listener, port) = LocalSocket.listen()
        defer { close(listener) }
        let found = try await className("http://\(host):\(port)/")
        #expect(found == "blocked_address")
        #expect(!LocalSocket.wasReached(listener))
    }

    @Test(
        "a URL that parsers read differently is refused",
        arguments: [
            "http://b\u{202E}a.example/", "http://\(String(repeating: "ü", count: 64)).example/",
            "http://ü..example/", "http://ü:0/", "http://＠/",
            "http://localhost%00.example.com/", "http://a%2eb/", "http://a\u{1}b/",
            "http://a/\r\nHost: b", "http://a b/", "http://a\\b/",
            "http://b\\@127.0.0.1/", "http://a:0/", "http://a:99999/", "http://a:/",
            "http://a:b/", "http://", "http:///", "http:/a/", "http:a", "//a/b", "a/b",
            "http://[::1/", "http://[fe80::1%25lo]/", "http://[zz]/", "http://a..b/",
            "http://-\u{7F}/", "http://a!b/", "http://a/\0",
            "http://" + String(repeating: "a", count: 64) + "/",
            "http://a/" + String(repeating: "x", count: 100_000),
        ])
    func spellings(_ url: String) async throws {
        #expect(try await className(url) == "bad_url")
    }

    @Test(
        "an internationalised host name is looked up as in browsers",
        arguments: [
            ("http://bücher.example/ä?ö", "http://xn--bcher-kva.example/%c3%a4?%c3%b6"),
            ("https://BÜCHER.Example:8443/", "https://xn--bcher-kva.example:8443/"),
            ("http://bu\u{308}cher.example/", "http://xn--bcher-kva.example/"),
            ("http://straße.example/", "http://xn--strae-oqa.example/"),
            ("http://例え。テスト/", "http://xn--r8jz45g.xn--zckzah/"),
            ("http://ａｂｃ.example/", "http://abc.example/"),
        ])
    func names(_ listed: String, _ sent: String) throws {
        #expect(try WebAddress(listed).text.lowercased() == sent)
        let start = try WebAddress("http://a.example/")
        #expect(try start.following(listed).text.lowercased() == sent)
    }

    @Test(
        "Unicode characters that spell an IP address are checked as that address",
        arguments: [
            "http://①②⑦.0.0.1/", "http://127。0。0。1/", "http://１２７.0.0.1/",
            "http://２１３０７０６４３３/", "http://①②⑦.1/", "http://０x7f.1/", "http://１０.1/",
            "http://１６９.２５４.４３５１８/", "http://０１７７.0.0.1/", "http://①⑥⑨.2⑤4.43518/",
        ])
    func signs(_ url: String) async throws {
        #expect(try await className(url) == "blocked_address")
        // The check also applies if a proxy looks names up, and after a redirect.
        for address in [try WebAddress(url), try WebAddress("http://a.example/").following(url)] {
            #expect(throws: ItemFailure.self) {
                try NetworkSettings().check(address)
            }
        }
    }

    @Test(
        "a percent-encoded host of a redirect is checked in its decoded form",
        arguments: [
            "http://169.254.4351%38/", "http://127.%31/", "http://0x7f00000%31/",
            "http://127%2e1/", "//213070643%33/", "http://%6cocalhost/", "http://127.1./",
            "http://2130706433./", "http://0x7f000001./", "http://127.0x.0.1/",
        ])
    func percentSigns(_ location: String) throws {
        #expect(throws: ItemFailure.self) {
            let address = try WebAddress("http://a.example/").following(location)
            try NetworkSettings().check(address)
        }
    }

    @Test("an empty URL is missing")
    func missing() async throws {
        #expect(try await className("") == "missing_url")
    }

    @Test("the part behind the last @ is the host that is checked")
    func userinfo() async throws {
        #expect(try await className("http://a@127.0.0.1/") == "blocked_address")
        #expect(try await className("http://8.8.8.8:80@127.0.0.1/") == "blocked_address")
        #expect(try await className("http://127.0.0.1#@8.8.8.8/") == "blocked_address")
        // Two @ have two readings, so no request is sent.
        #expect(try await className("http://a@127.0.0.1:80@b/") == "bad_url")
        #expect(try await className("http://a@b@c/") == "bad_url")
    }

    @Test("credentials are sent only to their own host")
    func credentials() async throws {
        let loader = TestLoader.make()
        let port = TestServers.faults.port("plain")
        let second = TestServers.faults.port("second")
        let first = await loader.load("http://us%65r:pass@127.0.0.1:\(port)/echo")
        let text = String(decoding: first.bytes ?? [], as: UTF8.self)
        #expect(text.contains("authorization: Basic dXNlcjpwYXNz"))
        #expect(first.response?.finalURL == "http://127.0.0.1:\(port)/echo")
        for address in [
            "http:~~127.0.0.1:\(second)~echo", "~echo", "http:~~x:y@127.0.0.1:\(port)~echo",
        ] {
            let next = await loader.load(
                "http://user:pass@127.0.0.1:\(port)/redirect/302/\(address)")
            let text = String(decoding: next.bytes ?? [], as: UTF8.self)
            #expect(text.contains("user-agent: emblem"))
            #expect(!text.contains("authorization"))
            #expect(!text.contains("referer"))
        }
    }

    @Test("extra headers are not sent to another name of the same address and port")
    func headersAcrossNames() async throws {
        let port = TestServers.faults.port("plain")
        let second = TestServers.faults.port("second")
        let loader = TestLoader.make {
            $0.headers = [NetworkHeader(line: "X-Token: secret")].compactMap(\.self)
            $0.fixedAddresses = TestLoader.everyName(port, second)
        }
        func seen(_ to: String) async -> String {
            let outcome = await loader.load("http://one.test:\(port)/redirect/302/\(to)~echo")
            return String(decoding: outcome.bytes ?? [], as: UTF8.self)
        }
        #expect(await seen("http:~~one.test:\(port)").contains("x-token: secret"))
        #expect(await seen("http:~~ONE.test:\(port)").contains("x-token: secret"))
        for other in ["two.test:\(port)", "127.0.0.1:\(port)", "one.test:\(second)"] {
            let text = await seen("http:~~\(other)")
            #expect(text.contains("user-agent") && !text.contains("x-token"), "\(other)")
        }
        // A header that was dropped on a redirect does not return.
        let home = "http:~~one.test:\(port)"
        let back = "http:~~two.test:\(port)~redirect~302~\(home)~redirect~302~\(home)"
        let text = await seen(back)
        #expect(text.contains("user-agent") && !text.contains("x-token"))
    }

    @Test(
        "header lines that would break a request are refused",
        arguments: [
            "No colon", "X: a\r\nY: b", ": x", "A b: c", "X: \u{7F}",
        ])
    func brokenHeader(_ line: String) {
        #expect(NetworkHeader(line: line) == nil)
    }

    @Test("a host name is checked by its address")
    func rebinding() async throws {
        let (listener, port) = LocalSocket.listen()
        defer { close(listener) }
        let loader = TestLoader.make {
            $0.allowPrivate = false
            $0.fixedAddresses = [
                "private.test:\(port):127.0.0.1", "mapped.test:\(port):[::ffff:127.0.0.1]",
                "both.test:\(port):10.0.0.1,[::1]",
            ]
        }
        for host in ["private.test", "mapped.test", "both.test"] {
            let outcome = await loader.load("http://\(host):\(port)/")
            #expect(outcome.className == "blocked_address")
        }
        #expect(!LocalSocket.wasReached(listener))
    }

    @Test(
        "a redirect to a forbidden address is refused",
        arguments: ["301", "302", "303", "307", "308"])
    func redirects(_ status: String) throws {
        // The test server is on this machine, so the test checks the hop as the loader does.
        let here = try WebAddress("http://8.8.8.8/")
        for address in ["http://127.0.0.1/", "//[::1]/", "http://0x7f.1/"] {
            let next = try here.following(address)
            #expect(throws: ItemFailure.self) {
                try NetworkSettings().check(next)
            }
        }
        for address in ["file:///etc/passwd", "gopher://127.0.0.1/", "ftp://a/"] {
            #expect(throws: ItemFailure.self) { try here.following(address) }
        }
    }

    @Test("a redirect from https to http is refused")
    func downgrade() throws {
        let here = try WebAddress("https://a/")
        #expect(throws: ItemFailure.self) { try here.following("http://a/") }
        #expect(try here.following("https://b/").text == "https://b/")
        let plain = try WebAddress("http://a/")
        #expect(try plain.following("https://a/").text == "https://a/")
    }

    @Test("ports that browsers refuse are blocked", arguments: [22, 25, 6667, 10080])
    func ports(_ port: Int) async throws {
        #expect(try await className("http://8.8.8.8:\(port)/") == "blocked_address")
    }

    @Test("a configured proxy is used, and no other")
    func proxy() async throws {
        let loader = TestLoader.make {
            $0.proxy = TestServers.faults.url("")
            $0.allowPrivate = false
        }
        // The fault server reads the whole URL as its path, and does not know it.
        #expect(await loader.load("http://somewhere.test/ok").className == "http_4xx")
        #expect(await loader.load("http://127.0.0.1/ok").className == "blocked_address")
    }

    @Test("a URL path keeps its meaning: bytes beyond ASCII are escaped, and escapes are kept")
    func paths() throws {
        #expect(
            try WebAddress("http://A.test/ä%20b?q=ü#x").text
                == "http://A.test/%c3%a4%20b?q=%c3%bc")
        #expect(try WebAddress("HTTPS://u:p@Host:443/").origin == "https://host:443")
    }
}
