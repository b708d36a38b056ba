import Foundation
import Notation
import Raster
import Support
import System
import Testing

@Suite("Lists with hostile servers", .serialized, .ownThreads)
struct HostileServerTests {
    /// - Parameter timeout: the time limit of a server in seconds; an item has three times that.
    private func run(
        _ rows: [String], _ options: [String], environment: [String: String] = [:],
        timeout: Double = 60
    ) throws -> (ending: Tool.Ending, items: [JSON], folder: ScratchFolder) {
        let folder = try ScratchFolder()
        try folder.write(rows.joined(separator: "\n") + "\n", to: "urls.txt")
        let ending = try Tool.emblem(
            [
                "batch", "--list", "urls.txt", "-o", "out", "--timeout", "\(timeout)",
                "--item-timeout", "\(timeout * 3)", "--retries", "1", "--layout", "small",
                "--cache", "none", "--progress", "none",
            ] + options, in: folder.path, environment: environment)
        let items = try folder.text("out/manifest.ndjson").split(separator: "\n")
            .map { try JSONParser.parse(Array($0.utf8).span) }
            .filter { $0["type"]?.stringValue == "item" }
        return (ending, items, folder)
    }

    private func classes(_ items: [JSON]) -> [String] {
        items.map { $0[path: ["error", "class"]]?.stringValue ?? "ok" }
    }

    @Test("every hostile server in a run ends within the deadline with its error class")
    func misbehaviour() async throws {
        let faults = TestServers.faults
        let cases: [(url: String, errorClass: String)] = [
            (faults.url("silent"), "timeout"),
            (faults.url("slow-head"), "timeout"),
            (faults.url("slow-body"), "timeout"),
            (faults.url("stall-body"), "timeout"),
            (faults.url("close"), "connect"),
            (faults.url("reset"), "connect"),
            (faults.url("reset-body"), "truncated"),
            (faults.url("length/99999"), "truncated"),
            (faults.url("chunks/cut"), "truncated"),
            (faults.url("endless"), "too_large"),
            (faults.url("bomb/gzip/1"), "too_large"),
            (faults.url("loop"), "redirect"),
            (faults.url("redirect/302/ftp:~~host~x"), "redirect"),
            (faults.url("raw/http09"), "bad_http"),
            (faults.url("raw/long-header"), "bad_http"),
            (faults.url("bare-status/204"), "bad_http"),
            (faults.url("bare-status/206"), "bad_http"),
            (faults.url("status/404"), "http_4xx"),
            (faults.url("status/500"), "http_5xx"),
            (faults.url("status/401/WWW-Authenticate:_Basic"), "http_4xx"),
            (faults.url("retry-after/429/99999/9"), "rate_limited"),
            (faults.url("empty"), "not_image"),
            (faults.url("echo"), "not_image"),
            (faults.secureURL("tls"), "tls"),
            (faults.secureURL("tls-stall"), "timeout"),
            (faults.url("ok").replacing("127.0.0.1", with: "nowhere.invalid"), "dns"),
            ("http://127.0.0.1:\(LocalSocket.freePort())/x.png", "connect"),
            ("http://127.0.0.1:0/x.png", "bad_url"),
            ("http://127.0.0.1:99999/x.png", "bad_url"),
            ("file:///etc/passwd", "unsupported_scheme"),
            ("gopher://127.0.0.1/x", "unsupported_scheme"),
            ("data:image/png;base64,@@@", "bad_url"),
            ("data:text/html,<p>", "not_image"),
        ]
        var wrong: [String] = []
        let isEnough = try await Waiting.growing(from: .seconds(1)) { timeout in
            let timeout = timeout / .seconds(1)
            var run: (ending: Tool.Ending, items: [JSON], folder: ScratchFolder)?
            let seconds = try Waiting.seconds {
                run = try self.run(
                    cases.map(\.url), ["--allow-private", "--per-host", "40", "--max-bytes", "2M"],
                    timeout: timeout)
            }
            let (ending, items, folder) = try #require(run)
            #expect(ending.status == 0, "\(ending.errors)")
            #expect(items.count == cases.count)
            // A placeholder has the same bytes for every error.
            let hashes = items.map { $0["outputs"]?.elements?.first?["sha256"]?.stringValue }
            #expect(Set(hashes).count == 1)
            #expect(folder.tree("out/.emblem/tmp", hidden: true).isEmpty)
            wrong = zip(items, cases).compactMap { item, expected in
                let found = item[path: ["error", "class"]]?.stringValue ?? "ok"
                return found == expected.errorClass ? nil : "\(expected): \(item.text)"
            }
            let status = items.first { $0["source"]?.stringValue == faults.url("status/404") }
            let message = status?[path: ["error", "message"]]?.stringValue
            return wrong.isEmpty && message == "404 Not Found" && seconds < 25 * timeout
        }
        #expect(isEnough, "\(wrong)")
    }

    @Test("the default settings block every spelling of an address of this machine")
    func nothingReachesThisMachine() throws {
        let (listener, port) = LocalSocket.listen()
        defer { close(listener) }
        let hosts = [
            "127.0.0.1", "localhost", "[::1]", "0", "0.0.0.0", "[::]", "2130706433", "0x7f000001",
            "0177.0.0.1", "127.1", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[2002:7f00:1::]",
            "[64:ff9b::7f00:1]", "10.0.0.1", "169.254.169.254", "192.168.1.1", "100.64.0.1",
            "127.0.0.1.", "a@127.0.0.1", "[fe80::1]", "[fc00::1]", "224.0.0.1", "①②⑦.0.0.1",
        ]
        let (ending, items, _) = try run(hosts.map { "http://\($0):\(port)/x.png" }, [])
        #expect(ending.status == 0, "\(ending.errors)")
        for (host, errorClass) in zip(hosts, classes(items)) {
            #expect(["blocked_address", "bad_url"].contains(errorClass), "\(host): \(errorClass)")
        }
        #expect(items.count == hosts.count)
        #expect(!LocalSocket.wasReached(listener))
    }

    @Test("an item that hangs ends at its deadline, and no secret of its URL is written")
    func hangingItem() throws {
        let url = TestServers.faults.url("silent?key=hidden")
        let folder = try ScratchFolder()
        try folder.write(url.replacing("http://", with: "http://me:secret@"), to: "urls.txt")
        let ending = try Tool.emblem(
            [
                "batch", "--list", "urls.txt", "-o", "out", "--allow-private", "--cache", "none",
                "--timeout", "3600", "--item-timeout", "1", "--redact-queries", "--layout", "small",
            ], in: folder.path)
        #expect(ending.status == 75)
        let everything =
            try ending.errors + folder.text("out/manifest.ndjson")
            + folder.text("out/run.json") + folder.text("out/.emblem/journal.ndjson")
        #expect(!everything.contains("secret"))
        #expect(!everything.contains("hidden"))
        #expect(everything.contains("\"class\":\"timeout\""))
    }

    @Test(
        "a run stopped at a random moment ends at once without a crash or partial file")
    func stoppedAtRandom() throws {
        let folder = try ScratchFolder()
        TestServers.nginx.publish(try Pictures.disc(.black, width: 300, height: 300), as: "s.png")
        var rows = (0..<400).map { TestServers.nginx.url("files/s.png?\($0)") }
        for index in stride(from: 0, to: 400, by: 10) {
            rows[index] = TestServers.faults.url("silent?\(index)")
        }
        try folder.write(rows.joined(separator: "\n"), to: "urls.txt")
        var random = SeededRandom(seed: TestSeed.value)
        for round in 0..<20 {
            let running = try Tool.start(
                Tool.path(of: "emblem"),
                [
                    "batch", "--list", "urls.txt", "-o", "out\(round)", "--allow-private",
                    "--layout", "small", "--cache", "cache", "--timeout", "3600",
                    "--item-timeout", "3600",
                ], in: folder.path)
            // The random moment is the purpose of the test.
            usleep(UInt32.random(in: 1_000...350_000, using: &random))
            running.send(round % 2 == 0 ? SIGINT : SIGTERM)
            // A run that waited for the silent addresses would take an hour.
            #expect(Waiting.until { !running.isRunning }, "\(TestSeed.words)")
            let ending = running.wait()
            // In the first moments the default signal action applies, before the tool installs its
            // handlers.
            #expect(
                [130, 143, SIGINT, SIGTERM].contains(ending.status),
                "\(ending.errors) \(TestSeed.words)")
            #expect(folder.tree("out\(round)/.emblem/tmp", hidden: true).isEmpty)
            #expect(!folder.exists("out\(round)/manifest.ndjson"))
            folder.remove("out\(round)")
        }
    }
}
