import Notation
import Support
import Testing

@Suite("emblem batch with URLs", .ownThreads)
struct AddressListTests {
    @Test("the behaviour of a server decides the error class, message and exit code")
    func outcomes() throws {
        let folder = try ScratchFolder()
        let web = Web.server
        let cases: [(id: String, url: String, outcome: String, message: String?)] = [
            ("good", web.url("files/disc-1.png"), "ok", nil),
            ("moved", web.url("moved/?to=files/disc-2.png"), "ok", nil),
            ("for-good", web.url("for-good/?to=files/disc-3.png"), "ok", nil),
            ("short-lived", web.url("closing/disc-4.png"), "ok", nil),
            ("missing", web.url("files/none.png"), "http_4xx", "404 Not Found"),
            ("gone", web.url("gone/"), "http_4xx", "410 Gone"),
            ("error", web.url("error/"), "http_5xx", "500 Internal Server Error"),
            ("busy", web.url("busy/"), "rate_limited", "429 Too Many Requests"),
            ("page", web.url("files/page.png"), "not_image", nil),
            ("refused", "\(Web.refusing)/a.png", "connect", nil),
            ("scheme", "ftp://127.0.0.1/a.png", "unsupported_scheme", nil),
            ("local", "file:///etc/hostname", "unsupported_scheme", nil),
            ("untrusted", web.secureURL("files/disc-1.png"), "tls", nil),
            ("loop", TestServers.faults.url("loop"), "redirect", nil),
        ]
        let run = try Web.batch(
            cases.map { ($0.id, $0.url) }, Web.open + ["--retries", "0"], in: folder)
        #expect(run.status == 0, "\(run.errors)")
        let manifest = try ManifestText(folder)
        #expect(manifest.items.count == cases.count)
        for (item, expected) in zip(manifest.items, cases) {
            #expect(item["id"]?.stringValue == expected.id)
            #expect(item["source"]?.stringValue == expected.url)
            let outcome = item[path: ["error", "class"]]?.stringValue ?? "ok"
            #expect(outcome == expected.outcome, "\(expected.id)")
            if let message = expected.message {
                #expect(item[path: ["error", "message"]]?.stringValue == message)
            }
            #expect(folder.exists("out/small/\(expected.id).png"))
        }
        let passing = manifest.items.filter {
            $0[path: ["error", "retryable"]]?.boolValue == true
        }
        #expect(
            passing.compactMap { $0["id"]?.stringValue } == ["error", "busy", "refused"])
        let strict = try Web.batch(
            [("missing", web.url("files/none.png"))], Web.open + ["--strict"], in: folder,
            out: "strict")
        #expect(strict.status == 1)
    }

    @Test("a job count as on a large machine changes no picture and no row")
    func manyJobs() throws {
        let folder = try ScratchFolder()
        let rows = (0..<60).map { index in
            let name = index % 20 == 7 ? "none" : "disc-\(index % 12)"
            return ("r\(index)", Web.server.url("files/\(name).png?\(index)"))
        }
        for (jobs, out) in [("1", "few"), ("32", "many")] {
            let run = try Web.batch(rows, Web.open + ["--jobs", jobs], in: folder, out: out)
            #expect(run.status == 0, "\(run.errors)")
        }
        for (id, _) in rows {
            let picture = try folder.read("few/small/\(id).png")
            #expect(try folder.read("many/small/\(id).png") == picture, "\(id)")
        }
        let outcomes = try ["few", "many"].map { out in
            try ManifestText(folder, out).items.map {
                $0[path: ["error", "class"]]?.stringValue ?? "ok"
            }
        }
        #expect(outcomes[0] == outcomes[1])
        #expect(outcomes[0].count { $0 != "ok" } == 3)
    }

    @Test("labels and unknown columns are kept, and alternatives are tried in order")
    func columns() throws {
        let folder = try ScratchFolder()
        let web = Web.server
        let (missing, disc) = (web.url("files/none.png"), web.url("files/disc-5.png"))
        try folder.write(
            "id,url,label,merchant,alternatives\na,\(missing),Acme,998,\(disc)\n", to: "list.csv")
        let run = try Tool.emblem(
            ["batch", "--list", "list.csv", "-o", "out"] + Web.open, in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let item = try #require(ManifestText(folder).item("a"))
        #expect(item["status"]?.stringValue == "ok")
        #expect(item["source"]?.stringValue == missing)
        #expect(item[path: ["accessibility", "label"]]?.stringValue == "Acme")
        #expect(item[path: ["extra", "merchant"]]?.stringValue == "998")
    }

    @Test("a URL is accepted as an argument, and its output is named after its path")
    func argument() throws {
        let folder = try ScratchFolder()
        let run = try Tool.emblem(
            ["batch", Web.server.url("files/disc-6.png"), "-o", "out"] + Web.open,
            in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(folder.exists("out/medium/disc-6.png"))
    }

    @Test("equal URLs are requested once, and each row has its files")
    func duplicates() throws {
        let folder = try ScratchFolder()
        let url = Web.server.url("logged/disc-7.png?duplicates")
        let rows = (0..<30).map { ("row-\($0)", url) }
        let run = try Web.batch(rows, Web.open, in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(Web.server.requests(for: "?duplicates").count == 1)
        let manifest = try ManifestText(folder)
        #expect(manifest.items.count == 30)
        #expect(Set(manifest.items.map { $0[path: ["input", "sha256"]]?.stringValue }).count == 1)
        #expect(folder.tree("out/small").count == 30)
    }

    @Test("one or many transfers at a time give the same manifest and the same files")
    func sameBytes() throws {
        let folder = try ScratchFolder()
        let web = Web.server
        var rows = (0..<12).map { ("disc-\($0)", web.url("files/disc-\($0).png")) }
        rows.insert(("missing", web.url("files/none.png")), at: 5)
        rows.append(("page", web.url("files/page.png")))
        for (out, connections) in [("one", "1"), ("many", "64")] {
            let run = try Web.batch(
                rows, Web.open + ["--connections", connections], in: folder, out: out)
            #expect(run.status == 0, "\(run.errors)")
        }
        for name in folder.tree("one") where name != "run.json" {
            #expect(try folder.read("one/\(name)") == folder.read("many/\(name)"), "\(name)")
        }
        #expect(folder.tree("one").count > 12 && folder.tree("one") == folder.tree("many"))
    }

    @Test("a server that limits its rate is served in the end if the deadline allows")
    func rateLimit() throws {
        let folder = try ScratchFolder()
        let rows = (0..<12).map { index in
            ("disc-\(index)", Web.server.url("limited/disc-\(index).png?guest=tool"))
        }
        let run = try Web.batch(rows, Web.open + ["--retries", "8"], in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try ManifestText(folder).summary?["ok"]?.intValue == 12)
    }

    @Test("a host that never responds delays only its own items")
    func silentHost() async throws {
        var rows = (0..<4).map { ("silent-\($0)", TestServers.faults.url("silent/\($0)")) }
        rows += (0..<12).map { ("disc-\($0)", Web.server.url("files/disc-\($0).png")) }
        let isEnough = try await Waiting.growing(from: .seconds(1)) { [rows] timeout in
            let seconds = timeout / .seconds(1)
            let folder = try ScratchFolder()
            let run = try Web.batch(
                rows,
                Web.open + [
                    "--timeout", "\(seconds)", "--item-timeout", "\(2 * seconds)", "--retries", "1",
                ], in: folder)
            #expect(run.status == 0, "\(run.errors)")
            let manifest = try ManifestText(folder)
            #expect(manifest.items.count == 16)
            return manifest.items.allSatisfy { item in
                let isSilent = item["id"]?.stringValue?.hasPrefix("silent") == true
                let outcome = item[path: ["error", "class"]]?.stringValue ?? "ok"
                return outcome == (isSilent ? "timeout" : "ok")
            }
        }
        #expect(isEnough)
    }

    @Test(
        "emblem batch names the hosts that delay a run, unless progress is off",
        arguments: ["plain", "none"])
    func standstill(progress: String) async throws {
        let folder = try ScratchFolder()
        let rows = [("slow", TestServers.faults.url("slow/9")), ("b", "gone.png")]
        let run = try await apart {
            try Web.batch(
                rows, Web.open + ["--progress", progress, "--timeout", "20"], in: folder)
        }
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.errors.contains("no item has finished") == (progress == "plain"), "\(run.errors)")
        // The result of the run is still printed.
        #expect(run.errors.contains("not_found  1"))
    }

    @Test("the exit code is 75 if every item failed temporarily, and 0 if one failed permanently")
    func tryAgainLater() throws {
        let folder = try ScratchFolder()
        let (refused, error) = ("\(Web.refusing)/a.png", Web.server.url("error/"))
        let once = Web.open + ["--retries", "0"]
        let later = try Web.batch([("a", refused), ("b", error)], once, in: folder, out: "later")
        #expect(later.status == 75, "\(later.errors)")
        let never = Web.server.url("files/none.png")
        let mixed = try Web.batch([("a", refused), ("b", never)], once, in: folder, out: "mixed")
        #expect(mixed.status == 0, "\(mixed.errors)")
        let good = Web.server.url("files/disc-0.png")
        let one = try Web.batch([("a", refused), ("b", good)], once, in: folder, out: "one")
        #expect(one.status == 0, "\(one.errors)")
    }

    @Test("failures filters by class and by host, and its list is accepted as an input")
    func failures() throws {
        let folder = try ScratchFolder()
        let web = Web.server
        _ = try Web.batch(
            [
                ("missing", web.url("files/none.png")), ("page", web.url("files/page.png")),
                ("refused", "\(Web.refusing)/a.png"), ("good", web.url("files/disc-0.png")),
            ], Web.open + ["--retries", "0"], in: folder)
        func ids(_ more: [String]) throws -> [String] {
            let run = try Tool.emblem(["failures", "out", "--json"] + more, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            let list = try JSONParser.parse(Array(run.output.utf8).span)
            return (list.elements ?? []).compactMap { $0["id"]?.stringValue }
        }
        #expect(try ids([]) == ["missing", "page", "refused"])
        #expect(try ids(["--class", "http_4xx"]) == ["missing"])
        let csv = try Tool.emblem(["failures", "out", "--csv"], in: folder.path)
        try folder.write(csv.output, to: "again.csv")
        let again = try Tool.emblem(
            ["batch", "--list", "again.csv", "-o", "two"] + Web.open, in: folder.path)
        #expect(again.status == 0, "\(again.errors)")
        #expect(try ManifestText(folder, "two").items.count == 3)
    }

    @Test("failures prints the response of a server or the error text of the library")
    func reasons() throws {
        let folder = try ScratchFolder()
        let web = Web.server
        let certificate = "SSL certificate problem: certificate has expired"
        _ = try Web.batch(
            [
                ("missing", web.url("files/none.png")),
                ("old", web.secureURL("files/disc-0.png", .expired)),
                ("refused", "\(Web.refusing)/a.png"), ("scheme", "ftp://a.test/a"),
            ],
            Web.open + ["--retries", "0", "--report"], in: folder,
            environment: ["SSL_CERT_FILE": TestServers.authority])
        let page = try folder.text("out/report.html")
        #expect(page.ranges(of: certificate).count == 2 && page.contains("404 Not Found"))
        let fixed = try ManifestText(folder).items.map {
            $0[path: ["error", "message"]]?.stringValue
        }
        #expect(fixed[0...1] == ["404 Not Found", "The secure connection could not be made."])
        func list(_ more: String...) throws -> [String] {
            let run = try Tool.emblem(["failures", "out", "--quiet"] + more, in: folder.path)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            return run.output.split(separator: "\n").map(String.init)
        }
        let told = try list().map { $0.split(separator: "\t").map(String.init) }
        #expect(told.map(\.count) == [5, 5, 5, 5])
        #expect(told[0][3] == "404 Not Found" && told[1][3] == certificate, "\(told)")
        #expect(told.map { $0[4] } == ["row 1", "row 2", "row 3", "row 4"])
        #expect(told[2][3].contains("connect to 127.0.0.1"), "\(told)")
        func parsed() throws -> [JSON] {
            let text = try list("--json").joined(separator: "\n")
            return try #require(try JSONParser.parse(Array(text.utf8).span).elements)
        }
        let rows = try parsed()
        #expect(rows.map { $0["message"]?.stringValue } == fixed)
        #expect(rows[0]["detail"] == nil && rows[1]["detail"]?.stringValue == certificate)
        // As an input, `detail` is an extra column; the next list does not add `emblem_detail`.
        try folder.write(try list("--json").joined(separator: "\n"), to: "again.json")
        _ = try Tool.emblem(
            ["batch", "--list", "again.json", "-o", "out"] + Web.open, in: folder.path)
        #expect(try ManifestText(folder).items[1][path: ["extra", "detail"]] != nil)
        let again = try parsed()
        #expect(again.allSatisfy { $0["emblem_detail"] == nil }, "\(again)")
        // Without a journal, the texts of the manifest are used.
        folder.remove("out/.emblem")
        #expect(try list()[1].contains("\tThe secure connection could not be made.\t"))
    }
}
