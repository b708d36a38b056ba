import Glibc
import Support
import Synchronization
import Testing
import Transport

@Suite("The icon of a site")
struct SiteIconTests {
    private static func choice(_ html: String, pixels: Int = 160, isDark: Bool = false) -> String? {
        let icons = SiteIcons(html: Array(html.utf8)).icons
        return SiteIcon.ranked(icons, atLeast: pixels, isDark: isDark).first?.reference
    }

    @Test("the icon that a person would choose is chosen in 280 pages of many kinds")
    func pages() {
        var wrong: [String] = []
        for site in SiteStyle.all {
            for page in PageStyle.all {
                let found = Self.choice(page.page(site.elements))
                if found != site.choice {
                    wrong.append("\(site.name), \(page.name): \(found ?? "none")")
                }
            }
        }
        let count = SiteStyle.all.count * PageStyle.all.count
        #expect(count >= 200)
        #expect(wrong.count * 20 <= count, "\(wrong.joined(separator: "\n"))")
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test(
        "the size of the largest output decides among icons of many sizes",
        arguments: [
            (16, "/16.png"), (17, "/32.png"), (64, "/96.png"), (96, "/96.png"), (97, "/180.png"),
            (181, "/512.png"), (600, "/512.png"),
        ])
    func sizes(_ pixels: Int, _ expected: String) {
        let sizes = [512, 16, 96, 180, 32]
        let html = sizes.map { "<link rel=icon sizes=\($0)x\($0) href=/\($0).png>" }.joined()
        #expect(Self.choice(html, pixels: pixels) == expected)
    }

    @Test("an icon for dark screens is preferred for dark outputs only")
    func schemes() {
        let html = """
            <link rel=icon href=a.svg><link rel=icon href=b.svg media="(prefers-color-scheme:dark)">
            <link rel=icon href=c.svg media="(prefers-color-scheme: light)">
            """
        #expect(Self.choice(html, isDark: true) == "b.svg")
        #expect(Self.choice(html) == "c.svg")
    }

    @Test("a web manifest names icons of any shape before icons for masks")
    func manifest() {
        let json = """
            {"name": "x", "icons": [
              {"src": "m.png", "sizes": "192x192", "purpose": "maskable"},
              {"src": "b.png", "sizes": "512x512", "purpose": "any maskable"},
              {"src": "silhouette.svg", "purpose": "monochrome"}, {"sizes": "1x1"}, 7,
              {"src": 7}, {"src": "s.png", "sizes": "48x48 72x72"}]}
            """
        let icons = SiteIcons(manifest: [0xEF, 0xBB, 0xBF] + Array(json.utf8)).icons
        #expect(icons.map(\.reference) == ["m.png", "b.png", "s.png"])
        let ranked = SiteIcon.ranked(icons, atLeast: 160, isDark: false)
        #expect(ranked.map(\.reference) == ["b.png", "m.png", "s.png"])
        for broken in ["", "[", "{}", "{\"icons\": 3}", "{\"icons\": {}}", "[1]"] {
            #expect(SiteIcons(manifest: Array(broken.utf8)).icons.isEmpty)
        }
    }

    @Test("a page of any size and shape is read in time that grows with its length")
    func hostileShapes() {
        let parts = [
            "<", "<!--", "<script>", "<link rel=icon href=", "&", "\"", "<link ", "</", "<a b='",
            "<!-", "<title>", "=", "<link rel=icon href=a>", "&#x", "\u{0}", "<title></titl",
        ]
        for part in parts {
            let bytes = Array(String(repeating: part, count: (512 << 10) / part.utf8.count).utf8)
            let clock = ContinuousClock()
            let time = clock.measure { #expect(SiteIcons(html: bytes).icons.count <= 64) }
            // A square of the length would take hours.
            #expect(time < .seconds(60), "\(part)")
        }
    }

    // MARK: Requests

    private static let png = TestPicture.fault

    private static func visit(
        _ url: String, _ change: (inout NetworkSettings) -> Void = { _ in }, pixels: Int = 160
    ) async throws -> (result: Result<NetworkResponse, NetworkFailure>, loads: [NetworkOutcome]) {
        let loader = try TestLoader.make(change)
        return await loader.loadIcon(
            SiteRequest(page: NetworkRequest(url: url), pixels: pixels, isDark: false) {
                $0.starts(with: Self.png.prefix(8)) || $0.starts(with: "<svg".utf8)
            })
    }

    private static func failure(
        _ result: Result<NetworkResponse, NetworkFailure>
    ) -> NetworkFailure.Kind? {
        if case .failure(let failure) = result { failure.kind } else { nil }
    }

    @Test("a page that answers is followed by its manifest and its best icon")
    func manifestIcon() async throws {
        let server = PageServer { path in
            switch path {
            case "/shop/": Array("<base href=/app/><link rel=manifest href=m.json>".utf8)
            case "/app/m.json": Array(#"{"icons":[{"src":"i.png","sizes":"192x192"}]}"#.utf8)
            case "/app/i.png": Self.png
            default: nil
            }
        }
        defer { server.stop() }
        let icon = try await Self.visit(server.url("/shop/"))
        #expect(try icon.result.get().body.bytes == Self.png)
        #expect(server.paths == ["/shop/", "/app/m.json", "/app/i.png"])
        #expect(icon.loads.count == 3)
    }

    @Test("a site costs at most four requests, and a web page is not accepted as an icon")
    func fourRequests() async throws {
        let links = (1...9).map { "<link rel=icon href=/\($0).png>" }.joined()
        let server = PageServer { Array(($0 == "/" ? links : "<p>soft 404").utf8) }
        defer { server.stop() }
        let icon = try await Self.visit(server.url("/"))
        #expect(Self.failure(icon.result) == .noIcon)
        #expect(server.paths == ["/", "/9.png", "/8.png", "/7.png"])
    }

    @Test("a server without a page still has its favicon.ico, or else no icon")
    func favicon() async throws {
        for (has, paths) in [(true, ["/", "/favicon.ico"]), (false, ["/", "/favicon.ico"])] {
            let server = PageServer { has && $0 == "/favicon.ico" ? Self.png : nil }
            defer { server.stop() }
            let icon = try await Self.visit(server.url("/"))
            #expect(Self.failure(icon.result) == (has ? nil : .noIcon))
            #expect(server.paths == paths)
        }
    }

    @Test("only the beginning of a long page is read, and the part is not cached as the page")
    func longPage() async throws {
        let folder = try ScratchFolder()
        let head = Array("<link rel=icon href=i.svg>".utf8)
        let page = head + [UInt8](repeating: 0x20, count: 3 << 20)
        let server = PageServer { $0 == "/" ? page : $0 == "/i.svg" ? TestPicture.svg : nil }
        defer { server.stop() }
        let settings = { (settings: inout NetworkSettings) in
            settings.cache = CacheSettings(folder: folder.path)
            settings.bodyLimit = 1 << 20
        }
        let icon = try await Self.visit(server.url("/"), settings)
        #expect(try icon.result.get().body.bytes == TestPicture.svg)
        #expect(icon.loads[0].wireBytes < 2 << 20)
        let loader = try TestLoader.make(settings)
        #expect(await loader.load(server.url("/")).className == "too_large")
    }

    @Test("own headers are sent to the host of the site only")
    func headers() async throws {
        let other = PageServer { _ in Self.png }
        let server = PageServer { path in
            path == "/" ? Array("<link rel=icon href=\(other.url("/i.png"))>".utf8) : nil
        }
        defer {
            other.stop()
            server.stop()
        }
        let icon = try await Self.visit(server.url("/")) {
            $0.headers = [NetworkHeader("X-Key", "k")].compactMap { $0 }
        }
        #expect(Self.failure(icon.result) == nil)
        #expect(server.requests.allSatisfy { $0.contains("X-Key: k") })
        #expect(other.requests.count == 1 && !other.requests[0].contains("X-Key"))
    }

    /// Sixty references to this machine and to private networks; PORT is that of a listener.
    private static let privateReferences: [String] = {
        let hosts = [
            "127.0.0.1:PORT", "localhost:PORT", "0:PORT", "[::1]:PORT", "2130706433:PORT",
            "0x7f.1:PORT", "127.1:PORT", "[::ffff:127.0.0.1]:PORT", "LOCALHOST.:PORT",
            "user:pw@127.0.0.1:PORT", "10.0.0.1", "192.168.1.1", "169.254.169.254", "[fd00::1]",
            "100.64.0.1", "172.16.9.9:8080",
        ]
        let plain = hosts.flatMap {
            ["http://\($0)/i.svg", "//\($0)/i.svg", "HTTP:\\\\\($0)/i.svg"]
        }
        return plain + [
            "file:///etc/passwd", "FILE://localhost/etc/passwd", "ftp://127.0.0.1:PORT/i.svg",
            "gopher://127.0.0.1:PORT/_x", "javascript:fetch('http://127.0.0.1:PORT')",
            "http://site.example@127.0.0.1:PORT/i.svg", "http:\u{9}//127.0.0.1:PORT/i.svg",
            "&#104;ttp://127.0.0.1:PORT/i.svg", " http://127.0.0.1:PORT/i.svg ",
            "http:&#47;&#47;127.0.0.1:PORT/i.svg", "site:127.0.0.1:PORT", "icon:wallet",
        ]
    }()

    @Test("sixty hostile pages cause no request to a private address")
    func hostilePages() async throws {
        #expect(Self.privateReferences.count == 60)
        let (trap, trapPort) = LocalSocket.listen()
        defer { close(trap) }
        let page = Mutex("")
        let server = PageServer { $0 == "/" ? Array(page.withLock { $0 }.utf8) : nil }
        defer { server.stop() }
        let names = TestResolver { name, _ in
            .addresses(name == "site.example" ? [[127, 0, 0, 1]] : [])
        }
        let loader = try TestLoader.make { settings in
            settings.allowPrivate = false
            settings.allowedPrivate = [PrivateAllowance("site.example:\(server.port)")].compactMap {
                $0
            }
            settings.resolver = names
        }
        for reference in Self.privateReferences {
            let target = reference.replacing("PORT", with: "\(trapPort)")
            let forms = [
                "<link rel=icon href=\"\(target)\">",
                "<base href=\"\(target)\"><link rel=icon href=i.svg>",
                "<link rel=manifest href=\"\(target)\">",
                "<meta property=og:logo content=\"\(target)\">",
            ]
            page.withLock { $0 = forms.joined() }
            let icon = await loader.loadIcon(
                SiteRequest(
                    page: NetworkRequest(url: "http://site.example:\(server.port)/"), pixels: 64,
                    isDark: false, isPicture: { _ in true }))
            #expect(Self.failure(icon.result) == .noIcon, "\(reference)")
        }
        #expect(!LocalSocket.wasReached(trap))
    }
}
