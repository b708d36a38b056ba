import Foundation
import Notation
import Raster
import Support
import Testing

/// Tests sources that an earlier run could load and a later run cannot.
@Suite("Emblems whose sources fail in later runs", .ownThreads)
struct StaleTests {
    /// The options for a proxy that refuses every connection.
    private static let outage = ["--proxy", Web.refusing, "--retries", "0"]

    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Returns three rows; the last two share a source.
    private func rows(_ query: String) -> [(String, String)] {
        [("a", 1), ("b", 2), ("c", 2)].map { id, disc in
            (id, Web.server.url("files/disc-\(disc).png?\(query)"))
        }
    }

    private func run(_ rows: [(String, String)], _ options: [String]) throws -> Tool.Ending {
        try Web.batch(rows, ["--allow-private"] + options, in: folder)
    }

    private func emblems() throws -> [[UInt8]] {
        try ["a", "b", "c"].map { try folder.read("out/small/\($0).png") }
    }

    @Test(
        "emblems are kept during an outage, marked and counted, and fresh again after it",
        arguments: ["none", "cache"])
    func outage(cache: String) throws {
        let rows = rows("outage-\(cache)")
        #expect(try run(rows, ["--cache", cache]).status == 0)
        let (good, manifest) = (try emblems(), try folder.read("out/manifest.ndjson"))
        // Two failed runs, one after the other.
        for _ in 0..<2 {
            let night = try run(rows, Self.outage + ["--cache", cache])
            #expect(night.status == 0, "\(night.errors)")
            #expect(night.errors.contains("3 items keep their last good emblem"))
            let text = try ManifestText(folder)
            for id in ["a", "b", "c"] {
                let item = try #require(text.item(id))
                #expect(item["status"]?.stringValue == "ok", "\(item.text)")
                #expect(item["stale"]?.boolValue == true, "\(item.text)")
                #expect(item[path: ["error", "class"]]?.stringValue == "connect")
            }
            #expect(text.summary?["ok"]?.intValue == 3)
            #expect(text.summary?["stale"]?.intValue == 3)
            #expect(try emblems() == good)
        }
        #expect(try run(rows, Self.outage + ["--cache", cache, "--strict"]).status == 1)
        let tolerant = ["--cache", cache, "--max-failures"]
        #expect(try run(rows, Self.outage + tolerant + ["2"]).status == 1)
        #expect(try run(rows, Self.outage + tolerant + ["3"]).status == 0)
        let failures = try Tool.emblem(["failures", "out", "--csv"], in: folder.path)
        #expect(failures.output.split(separator: "\r\n").count == 4, "\(failures.output)")
        #expect(try run(rows, ["--cache", cache]).status == 0)
        #expect(try folder.read("out/manifest.ndjson") == manifest)
    }

    @Test("--offline keeps the emblems of sources that are not in the cache")
    func offline() throws {
        let rows = rows("offline-stale")
        #expect(try run(rows, ["--cache", "cache"]).status == 0)
        let good = try emblems()
        let offline = try run(rows, ["--cache", "empty", "--offline"])
        #expect(offline.status == 0, "\(offline.errors)")
        for item in try ManifestText(folder).items {
            #expect(item["stale"]?.boolValue == true, "\(item.text)")
            #expect(item[path: ["error", "class"]]?.stringValue == "offline")
            #expect(item[path: ["error", "retryable"]]?.boolValue == true)
        }
        #expect(try emblems() == good)
    }

    @Test("a maintenance page replaces an emblem by its placeholder")
    func maintenance() throws {
        let name = "closed-\(UInt32.random(in: 0...UInt32.max)).png"
        let rows = [("a", Web.server.url("files/\(name)"))]
        Web.server.publish(
            try Pictures.disc(
                Color(red: 10, green: 95, blue: 255), width: 90, height: 80), as: name)
        #expect(try run(rows, ["--cache", "none"]).status == 0)
        Web.server.publish(Array("<!doctype html><title>Closed</title>".utf8), as: name)
        let night = try run(rows, ["--cache", "none"])
        #expect(night.status == 0, "\(night.errors)")
        let item = try #require(try ManifestText(folder).item("a"))
        #expect(item["status"]?.stringValue == "placeholder", "\(item.text)")
        #expect(item["stale"] == nil, "\(item.text)")
        #expect(item[path: ["error", "class"]]?.stringValue == "not_image")
    }

    @Test("a stream uses old cache entries while the network is down")
    func stream() throws {
        let rows = rows("stream")
        #expect(try run(rows, ["--cache", "cache"]).status == 0)
        let row = "{\"key\":1,\"source\":\"\(rows[0].1)\"}\n"
        let stream = try Tool.run(
            "/bin/bash",
            ["-c", "\"$@\" | head -n 1", "bash", Tool.path(of: "emblem"), "stream"]
                + ["--layout", "small", "--allow-private", "--cache", "cache"] + Self.outage,
            in: folder.path, input: Array(row.utf8))
        let line = Array((stream.output.split(separator: "\n").first ?? "").utf8)
        let record = try JSONParser.parse(line.span)
        #expect(record["status"]?.stringValue == "ok", "\(record.text)")
        #expect(record["stale"]?.boolValue == true, "\(record.text)")
    }
}
