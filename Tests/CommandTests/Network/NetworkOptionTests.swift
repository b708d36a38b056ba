import Notation
import Support
import Testing

@Suite("The network options of emblem batch", .ownThreads)
struct NetworkOptionTests {
    private static func disc(_ query: String, _ folder: String = "logged") -> [(String, String)] {
        [("disc", Web.server.url("\(folder)/disc-1.png?\(query)"))]
    }

    @Test("environment variables set network options, and flags override them")
    func environment() throws {
        let folder = try ScratchFolder()
        let variables = ["EMBLEM_ALLOW_PRIVATE": "1", "EMBLEM_CACHE": folder.path("cache")]
        let run = try Web.batch(Self.disc("env"), in: folder, environment: variables)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try ManifestText(folder).item("disc")?["status"]?.stringValue == "ok")
        #expect(Web.server.requests(for: "?env").count == 1)
        #expect(!folder.tree("cache").isEmpty)
        let offline = try Web.batch(
            Self.disc("env"), ["--offline"], in: folder, out: "off", environment: variables)
        #expect(offline.status == 0, "\(offline.errors)")
        #expect(Web.server.requests(for: "?env").count == 1)
        let flag = try Web.batch(
            Self.disc("env"), ["-H", "User-Agent: flag/1", "--cache", "none"], in: folder,
            out: "flag", environment: variables)
        #expect(flag.status == 0, "\(flag.errors)")
        #expect(Web.server.requests(for: "?env").count == 2)
        let wrong = try Web.batch(
            Self.disc("env"), in: folder, out: "wrong", environment: ["EMBLEM_JOBS": "many"])
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("EMBLEM_JOBS"))
    }

    @Test("headers that the transfer sets itself are refused")
    func refused() throws {
        let folder = try ScratchFolder()
        for line in ["Content-Length: 5", "range: bytes=0-9", "If-None-Match: *"] {
            let run = try Web.batch(Self.disc("never"), ["--header", line], in: folder, out: "out")
            #expect(
                run.status == 64 && run.errors.contains("is set by emblem itself"), "\(run.errors)")
        }
        try folder.write("X-Good: 1\nTransfer-Encoding: chunked\n", to: "headers")
        let file = try Web.batch(
            Self.disc("never"), ["--header", "@" + folder.path("headers")], in: folder, out: "out")
        #expect(file.status == 65 && file.errors.contains("line 2"), "\(file.errors)")
        #expect(Web.server.requests(for: "?never").isEmpty && !folder.exists("out"))
    }

    @Test("a configuration file in a folder cannot open a path out of that folder")
    func folderFile() throws {
        let folder = try ScratchFolder()
        for (key, value) in [
            ("proxy", "http://127.0.0.1:9"), ("sandbox", "none"),
            ("depfile", "d"),
        ] {
            try folder.write("{\"\(key)\": \"\(value)\"}", to: "emblem.json")
            let run = try Web.batch(Self.disc("never"), in: folder, out: "out")
            #expect(run.status == 64 && run.errors.contains("--\(key)"), "\(run.errors)")
        }
        folder.link("away", to: "/tmp")
        for (key, value, status) in [
            ("target", "web=../site", 64), ("target", "files=/emblem-away", 64),
            ("target", "web=away/x", 64),
            ("target", "web=site", 0), ("cache", "/emblem-away", 64), ("cache", "kept", 0),
        ] {
            try folder.write("{\"\(key)\": \"\(value)\"}", to: "emblem.json")
            let run = try Web.batch(Self.disc("disc"), in: folder, out: "out")
            #expect(run.status == Int32(status), "\(key) \(value): \(run.errors)")
        }
    }

    @Test("--redact-queries removes queries from records and messages, and passwords never appear")
    func maskedAddresses() throws {
        let folder = try ScratchFolder()
        let web = Web.server
        let inside = web.url("files/disc-1.png").replacing("http://", with: "http://me:hush@")
        let rows = [
            ("good", web.url("files/disc-2.png?key=secret")), ("user", inside),
            ("bad", web.url("files/none.png?key=secret")),
        ]
        let masked = try Web.batch(
            rows, Web.open + ["--redact-queries", "-v"], in: folder)
        #expect(masked.status == 0, "\(masked.errors)")
        #expect(try ManifestText(folder).summary?["ok"]?.intValue == 2)
        let failures = try Tool.emblem(["failures", "out"], in: folder.path)
        for text in [masked.errors, masked.output, failures.output] {
            #expect(!text.contains("secret") && !text.contains("hush"), "\(text)")
        }
        for name in folder.tree("out", hidden: true) {
            let text = try folder.text("out/\(name)")
            #expect(!text.contains("secret") && !text.contains("hush"), "\(name)")
        }
        let shown = try Web.batch(rows, Web.open, in: folder, out: "shown")
        #expect(shown.status == 0, "\(shown.errors)")
        let text = try folder.text("shown/manifest.ndjson")
        #expect(text.contains("secret") && !text.contains("hush"))
    }

    @Test(
        "invalid network values exit with 64 before anything is requested",
        arguments: [
            ["--connections", "0"], ["--per-host", "0"], ["--timeout", "0"],
            ["--item-timeout", "soon"], ["--retries", "-1"],
            ["--rate", "10"], ["--rate", "0/s"],
            ["--cache", ""],
        ])
    func usage(more: [String]) throws {
        let folder = try ScratchFolder()
        let run = try Web.batch(Self.disc("usage"), ["--allow-private"] + more, in: folder)
        #expect(run.status == 64, "\(run.errors)")
        #expect(!folder.exists("out"))
        #expect(Web.server.requests(for: "?usage").isEmpty)
    }
}
