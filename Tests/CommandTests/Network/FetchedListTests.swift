import Foundation
import Support
import Testing

@Suite("Lists at a URL", .ownThreads)
struct FetchedListTests {
    private static let svg = Array(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><path d='M0 0h9v9z'/></svg>".utf8
    )
    private static let keys = [
        "AWS_ACCESS_KEY_ID": "AKENV", "AWS_SECRET_ACCESS_KEY": "s3cr/t",
        "AWS_SESSION_TOKEN": "s3cret-token",
    ]

    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func batch(_ arguments: [String]) throws -> Tool.Ending {
        try Tool.emblem(
            [
                "batch", "-o", "out", "--allow-private", "--layout", "small", "--retries", "0",
                "--cache", "none",
            ] + arguments, in: folder.path,
            environment: Self.keys.merging(["HOME": folder.path]) { $1 })
    }

    private func items() throws -> [Substring] {
        try folder.text("out/manifest.ndjson").split(separator: "\n")
            .filter { $0.contains("\"type\":\"item\"") }
    }

    @Test("lists of every format at a URL or in a bucket have the rows of a file")
    func formats() throws {
        let parquet = try Array(
            Data(
                contentsOf: Repository.root.appending(
                    path: "Tests/Fixtures/Parquet/plain-1.parquet")))
        let pages = [
            "/lists/a.csv": Array("source,id\ns3://lists/a.svg,one\n".utf8),
            "/lists/a.ndjson": Array("{\"source\":\"s3://lists/a.svg\",\"id\":\"one\"}\n".utf8),
            "/lists/a.parquet": parquet, "/lists/a.svg": Self.svg,
        ]
        let server = PageServer { path in pages[String(path.prefix { $0 != "?" })] }
        defer { server.stop() }
        for (name, count) in [("a.csv", 1), ("a.ndjson", 1), ("a.parquet", 40)] {
            for list in ["s3://lists/\(name)", server.url("/lists/\(name)?token=s3cr")] {
                server.forget()
                let ending = try batch(
                    ["--list", list, "--s3-endpoint", server.url(""), "-v", "--force"])
                #expect(ending.status == 0, "\(list) \(ending.errors)")
                let items = try items()
                #expect(items.count == count, "\(list)")
                if count == 40 {
                    // A Parquet list has rows but no lines.
                    #expect(ending.errors.contains("(row 1)"), "\(ending.errors)")
                    #expect(!ending.errors.contains("(line "))
                }
                if count == 1 {
                    #expect(items[0].contains("\"id\":\"one\""))
                    #expect(items[0].contains("\"status\":\"ok\""))
                }
                let head = server.requests.first ?? ""
                #expect(head.contains("/lists/\(name)"))
                #expect(head.contains("Credential=AKENV/") == list.hasPrefix("s3:"))
                #expect(!(ending.output + ending.errors).contains("s3cr"))
                for name in folder.tree("", hidden: true) {
                    let text = String(decoding: try folder.read(name), as: UTF8.self)
                    #expect(!text.contains("s3cr") && !text.contains("AKENV"), "\(name)")
                }
            }
        }
    }

    @Test("a list at a URL cannot name paths, also as alternative, dark twin or placeholder")
    func paths() throws {
        let own = try folder.write(Self.svg, to: "own.svg")
        let server = PageServer { _ in
            let rows = "\(own),own.svg,\(own),own.svg\nicon:wallet,,\(own),\n"
            return Array("source,alternatives,dark,placeholder\n\(rows)".utf8)
        }
        defer { server.stop() }
        let ending = try batch(["--list", server.url("/a.csv"), "--scheme", "both", "-v"])
        #expect(ending.errors.contains("paths are refused"), "\(ending.errors)")
        let items = try items()
        #expect(items[0].contains("\"class\":\"unsupported_scheme\""))
        #expect(!items[0].contains("\"status\":\"ok\""))
        #expect(items[1].contains("\"status\":\"ok\""))
        #expect(items[1].contains("no-dark-twin") && !items[1].contains("src_dark"))
        let proof = try Tool.emblem(["prove", "out"], in: folder.path)
        #expect(proof.status == 0, "\(proof.output)\(proof.errors)")
    }

    @Test("an HTML page in place of a list ends with 65, and --prune keeps the outputs")
    func page() throws {
        let pages = [
            "/export": "icon:wallet\n",
            "/login": "\u{FEFF}\n <!DOCTYPE html>\n<title>Sign in</title>\n",
        ]
        let server = PageServer { path in pages[path].map { Array($0.utf8) } }
        defer { server.stop() }
        #expect(try batch(["--list", server.url("/export")]).status == 0)
        let outputs = folder.tree("out")
        #expect(!outputs.isEmpty)
        try folder.write("<html><body></body></html>\n", to: "export")
        try folder.write("<?xml version=\"1.0\"?>\n<svg/>\n", to: "export.csv")
        for (list, words) in [
            (server.url("/login"), "this is an HTML page, not a list; does the URL need a sign-in"),
            ("export", "export: this is an HTML page, not a list"),
            ("export.csv", "export.csv: this is an SVG or XML file, not a list"),
        ] {
            let ending = try batch(["--list", list, "--prune"])
            #expect(ending.status == 65, "\(ending.errors)")
            #expect(ending.errors.contains(words), "\(ending.errors)")
            #expect(!ending.errors.contains("--columns"), "\(ending.errors)")
            #expect(folder.tree("out") == outputs)
        }
    }

    @Test("the key of a bucket does not follow the redirect of a list")
    func redirect() throws {
        let other = PageServer { _ in Array("source\nicon:wallet\n".utf8) }
        let server = PageServer(redirects: ["/lists/a.csv": other.url("/b.csv")]) { _ in nil }
        defer {
            server.stop()
            other.stop()
        }
        let ending = try batch(
            ["--list", "s3://lists/a.csv", "--s3-endpoint", server.url("")])
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(server.requests.first?.contains("Credential=AKENV/") == true)
        #expect(other.requests.count == 1)
        let head = other.requests.first ?? ""
        #expect(!head.contains("Authorization") && !head.lowercased().contains("x-amz"))
    }

    @Test("a list that needs a sign-in names the options for it")
    func unauthorized() throws {
        let server = PageServer(refusal: "401 Unauthorized") { _ in nil }
        defer { server.stop() }
        let ending = try batch(["--list", server.url("/a.csv")])
        #expect(ending.status == 66, "\(ending.errors)")
        #expect(ending.errors.contains("401 Unauthorized; sign in with --header-file or --netrc"))
    }

    @Test("a list at a URL of another scheme ends with 64, with the schemes or a path as advice")
    func otherSchemes() throws {
        try folder.write("icon:wallet\n", to: "a.csv")
        for (list, advice) in [
            ("file://\(folder.path("a.csv"))", "Write a path."),
            ("ftp://u:s3cr@h.example/a.csv", "Download the list, and write its path."),
        ] {
            let ending = try batch(["--list", list])
            #expect(ending.status == 64, "\(ending.errors)")
            #expect(ending.errors.contains("--list takes http, https, s3 and gs URLs, not '"))
            #expect(ending.errors.contains(advice), "\(ending.errors)")
            #expect(!ending.errors.contains("s3cr"), "\(ending.errors)")
        }
    }

    @Test("a list at a URL that cannot be loaded ends the run with its reason and writes nothing")
    func failures() throws {
        let server = PageServer { $0.hasPrefix("/text") ? [0x89, 0x50, 0x4E, 0x47] : nil }
        let down = PageServer { _ in nil }
        down.stop()
        defer { server.stop() }
        let user = server.url("/none.csv?token=s3cr").replacing("http://", with: "http://u:s3cr@")
        for (list, code, words) in [
            (user, 66, "127.0.0.1:\(server.port)/none.csv cannot be loaded: "),
            (down.url("/a.csv"), 75, "/a.csv cannot be loaded: "),
            ("s3://UP/../a.csv", 66, "UP is not a bucket name (3 to 63 "),
            ("s3://buck/", 66, "names no key"), ("s3:///a.csv", 66, "names no bucket"),
            ("s3://me:s3cr@logos/a.csv", 66, "The text before the key is not a bucket name"),
            ("s3://logos/a/", 66, "The key ends with a slash"),
            (server.url("/text.csv"), 65, "this is a PNG picture, not a list"),
            (server.url("/text.php"), 65, "this is a PNG picture, not a list"),
        ] {
            let ending = try batch(["--list", list, "--s3-endpoint", server.url("")])
            #expect(ending.status == code, "\(list) \(ending.errors)")
            #expect(ending.errors.contains(words), "\(ending.errors)")
            #expect(!ending.errors.contains("s3cr"))
            #expect(folder.tree("").isEmpty)
        }
        let hidden = try Tool.emblem(
            ["batch", "-o", "out", "--list", server.url("/a.csv"), "--cache", "none"],
            in: folder.path, environment: ["HOME": folder.path])
        #expect(hidden.status == 66)
        #expect(hidden.errors.contains("--allow-private"), "\(hidden.errors)")
        try folder.write("source\n", to: "own.csv")
        let watch = try batch(["--list", "own.csv", "--list", server.url("/a.csv"), "--watch"])
        #expect(watch.status == 64, "\(watch.errors)")
        #expect(watch.errors.contains("--watch cannot notice changes of a list at a URL"))
    }
}
