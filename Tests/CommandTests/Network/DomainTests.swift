import Foundation
import Support
import Testing

@Suite("Domains and icons of sites", .ownThreads)
struct DomainTests {
    private static func svg(_ color: String) -> [UInt8] {
        Array(
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" \
            fill="\(color)"/></svg>
            """.utf8)
    }

    /// A logo service that knows one domain and one token, and a site.
    private static func server() -> PageServer {
        PageServer { path in
            switch path {
            case "/api/known.example/light?token=s3cr%2Ft": svg("#123456")
            case "/api/known.example/dark?token=s3cr%2Ft": svg("#FEDCBA")
            case "/other/known.example", "/other/more.example": svg("#00FF00")
            case "/": Array("<link rel=icon href=/i.svg>".utf8)
            case "/i.svg": svg("#0000FF")
            default: nil
            }
        }
    }

    private static func items(_ folder: ScratchFolder, _ out: String) throws -> [String] {
        try folder.text("\(out)/manifest.ndjson").split(separator: "\n")
            .filter { $0.contains("\"type\":\"item\"") }.map { String($0) }
    }

    private static let usual = [
        "--allow-private", "--layout", "small", "--retries", "0", "--progress", "plain", "-v",
        "--report",
    ]

    @Test("source templates are tried in order, and no secret is in a record or message")
    func templates() throws {
        let server = Self.server()
        defer { server.stop() }
        let folder = try ScratchFolder()
        try folder.write(
            "domain,id\nknown.example,a\nMore.Example,b\nnone.example,c\n"
                + "https://x.example/,d\n127.0.0.1,e\n", to: "companies.csv")
        func batch(_ out: String, _ more: String...) throws -> Tool.Ending {
            try Tool.emblem(
                [
                    "batch", "--list", "companies.csv", "-o", out, "--cache", "cache",
                    "--source-template",
                    server.url("/api/{domain}/{scheme}?token={env:LOGO_TOKEN}"),
                    "--source-template", server.url("/other/{domain}"),
                ] + Self.usual + more, in: folder.path,
                environment: ["HOME": folder.path, "LOGO_TOKEN": "s3cr/t"])
        }
        let ending = try batch("out", "--scheme", "both", "--trace", "trace.json")
        #expect(ending.status == 0, "\(ending.errors)")
        let items = try Self.items(folder, "out")
        #expect(items[0].contains("\"source\":\"domain:known.example\",\"status\":\"ok\""))
        #expect(items[0].contains("\"src_dark\""))
        #expect(items[1].contains("\"source\":\"domain:more.example\",\"status\":\"ok\""))
        #expect(items[2].contains("\"class\":\"http_4xx\""))
        #expect(items[3].contains("\"class\":\"bad_row\"") && items[3].contains("domain"))
        #expect(items[4].contains("\"class\":\"bad_row\""))
        #expect(
            server.paths.filter { $0.contains("more.example") } == [
                "/api/more.example/light?token=s3cr%2Ft", "/other/more.example",
                "/api/more.example/dark?token=s3cr%2Ft", "/other/more.example",
            ])
        #expect(try folder.text("out/manifest.ndjson").contains("?token={env:LOGO_TOKEN}"))
        let files = folder.tree("", hidden: true)
        #expect(files.count > 10)
        for name in files {
            let text = String(decoding: try folder.read(name), as: UTF8.self)
            #expect(!text.contains("s3cr"), "\(name)")
        }
        #expect(!(ending.output + ending.errors).contains("s3cr"))

        let failures = try Tool.emblem(["failures", "out", "--csv"], in: folder.path)
        #expect(failures.output.contains("domain:none.example"))
        server.forget()
        let again = try batch("out", "--scheme", "both")
        #expect(again.status == 0)
        #expect(try Self.items(folder, "out") == items)

        // With dark outputs alone, each URL is requested once.
        server.forget()
        #expect(try batch("dark", "--scheme", "dark", "--cache", "none").status == 0)
        #expect(
            server.paths.filter { $0.contains("/known.example") } == [
                "/api/known.example/dark?token=s3cr%2Ft"
            ])
    }

    @Test("a template with a missing variable or an unknown placeholder ends with 64")
    func usage() throws {
        let folder = try ScratchFolder()
        try folder.write("domain\na.example\n", to: "companies.csv")
        for (template, words) in [
            (
                "https://h.example/{domain}?t={env:NOT_SET}",
                "--source-template: The environment variable NOT_SET is empty or not set."
            ),
            (
                "https://h.example/{domain}?t={env:EMPTY}",
                "--source-template: The environment variable EMPTY is empty or not set."
            ),
            ("https://h.example/{domain}?t={env:}", "{env:} has no name of a variable"),
            ("https://h.example/{name}", "{name}"), ("https://h.example/", "{domain}"),
            ("https://{env:HOME}/{domain}", "host"),
        ] {
            let ending = try Tool.emblem(
                ["batch", "--list", "companies.csv", "-o", "out", "--source-template", template],
                in: folder.path, environment: ["HOME": folder.path, "EMPTY": ""])
            #expect(ending.status == 64)
            #expect(ending.errors.contains(words), "\(ending.errors)")
            #expect(ending.errors.components(separatedBy: "--source-template").count == 2)
        }
        try folder.write(#"{"source-template": ["https://h.example/{domain}"]}"#, to: "emblem.json")
        let ending = try Tool.emblem(
            ["batch", "--list", "companies.csv", "-o", "out"], in: folder.path,
            environment: ["HOME": folder.path])
        #expect(ending.status == 64 && ending.errors.contains("source-template"))
    }

    @Test("a template without a domain is noted, and a wrong domain says what it must be")
    func idle() throws {
        let folder = try ScratchFolder()
        try folder.write(Self.svg("#123456"), to: "logo.svg")
        let template = ["--source-template", "https://h.example/{domain}", "--layout", "small"]
        for (list, words) in [
            ("source\nlogo.svg\n", "--source-template has no effect, because no item has a domain"),
            ("domain\nhttps://x.example/\n", "\"https://x.example/\" is not a domain name"),
        ] {
            try folder.write(list, to: "list.csv")
            let ending = try Tool.emblem(
                ["batch", "--list", "list.csv", "-o", "out", "-v", "--offline"] + template,
                in: folder.path, environment: ["HOME": folder.path])
            #expect(ending.status == 0, "\(ending.errors)")
            #expect(ending.errors.contains(words), "\(ending.errors)")
        }
        try folder.write("source,alternatives\nlogo.svg,domain:x.example\n", to: "list.csv")
        let used = try Tool.emblem(
            ["batch", "--list", "list.csv", "-o", "out", "--offline"] + template,
            in: folder.path, environment: ["HOME": folder.path])
        #expect(!used.errors.contains("has no effect"), "\(used.errors)")
    }

    @Test("inspect refuses sites, domains and buckets, and names the command for them")
    func inspect() throws {
        let folder = try ScratchFolder()
        for (source, word) in [
            ("site:example.com", "site:example.com"), ("domain:example.com", "domain:example.com"),
            ("s3://logos/a b.svg", "'s3://logos/a b.svg'"), ("gs://b/a", "gs://b/a"),
            ("https://h.example/?a", "'https://h.example/?a'"),
            ("https://u:s3cr@h.example/", "SOURCE"),
        ] {
            let ending = try Tool.emblem(["inspect", source], in: folder.path)
            #expect(ending.status == 64)
            let command = "'emblem batch \(word) -o OUT'"
            #expect(ending.errors.contains(command), "\(ending.errors)")
            #expect(!ending.errors.contains("s3cr"))
        }
    }

    @Test("a site is a source of a command, a list and a template")
    func sites() throws {
        let server = Self.server()
        let empty = PageServer { _ in nil }
        defer {
            server.stop()
            empty.stop()
        }
        let folder = try ScratchFolder()
        try folder.write(
            "id,source,alternatives\na,site:\(server.url("/")),\n"
                + "b,site:\(empty.url("/")),site:\(server.url("/"))\nc,site:\(empty.url("/x/")),\n",
            to: "sites.csv")
        let ending = try Tool.emblem(
            ["batch", "--list", "sites.csv", "-o", "out", "--cache", "none"] + Self.usual,
            in: folder.path, environment: ["HOME": folder.path])
        #expect(ending.status == 0, "\(ending.errors)")
        let items = try Self.items(folder, "out")
        #expect(items[0].contains("\"status\":\"ok\"") && items[0].contains("\"format\":\"svg\""))
        #expect(items[1].contains("\"status\":\"ok\""))
        #expect(items[2].contains("\"class\":\"no_icon\""))
        let drawn = try Tool.emblem(
            [
                "render", "emblem", "site:\(server.url("/"))", "-o", "x.png", "--allow-private",
                "--cache", "none",
            ], in: folder.path, environment: ["HOME": folder.path])
        #expect(drawn.status == 0, "\(drawn.errors)")
        let closed = try Tool.emblem(
            ["batch", "site:\(server.url("/"))", "-o", "out2", "--cache", "none"],
            in: folder.path, environment: ["HOME": folder.path])
        #expect(closed.status == 0)
        #expect(try Self.items(folder, "out2")[0].contains("\"class\":\"blocked_address\""))
    }
}
