import Foundation
import Notation
import Raster
import Support
import Testing

@Suite("The response cache of emblem batch", .ownThreads)
struct CacheOptionTests {
    private static func rows(_ folder: String, _ query: String) -> [(String, String)] {
        (0..<4).map { ("disc-\($0)", Web.server.url("\(folder)/disc-\($0).png?\(query)")) }
    }

    private static let open = ["--allow-private", "--cache", "cache"]

    @Test("a second run revalidates cached responses and makes the same files")
    func revalidation() throws {
        let folder = try ScratchFolder()
        for out in ["one", "two"] {
            let run = try Web.batch(
                Self.rows("logged", "again"), Self.open, in: folder, out: out)
            #expect(run.status == 0, "\(run.errors)")
        }
        let requests = Web.server.requests(for: "?again")
        #expect(requests.prefix(4).allSatisfy { $0.status == "200" && $0.tag == "-" })
        #expect(requests.dropFirst(4).count == 4)
        #expect(requests.dropFirst(4).allSatisfy { $0.status == "304" && $0.tag != "-" })
        #expect(folder.tree("one").count > 2)
        for name in folder.tree("one") where name != "run.json" {
            #expect(try folder.read("one/\(name)") == folder.read("two/\(name)"), "\(name)")
        }
    }

    @Test(
        "a run whose cache folder cannot be used warns once and loads everything",
        arguments: [["--cache", "/proc/emblem"], []])
    func impossible(named: [String]) throws {
        let folder = try ScratchFolder()
        let run = try Web.batch(
            Self.rows("logged", "impossible"), ["--allow-private"] + named, in: folder, out: "out",
            environment: ["XDG_CACHE_HOME": "/proc"])
        #expect(run.status == 0, "\(run.errors)")
        let words = "the cache folder /proc/emblem cannot be used: "
        #expect(run.errors.components(separatedBy: words).count == 2, "\(run.errors)")
        #expect(try ManifestText(folder).summary?["ok"]?.intValue == 4)
    }

    @Test(
        "--offline exits with 73 if the cache folder cannot be used",
        arguments: [["--cache", "/proc/emblem"], []])
    func offlineWithoutCache(named: [String]) throws {
        let folder = try ScratchFolder()
        let run = try Web.batch(
            Self.rows("logged", "nowhere"), ["--allow-private", "--offline"] + named, in: folder,
            out: "out", environment: ["XDG_CACHE_HOME": "/proc"])
        #expect(run.status == 73, "\(run.errors)")
        #expect(run.errors.contains("--offline: the cache folder /proc/emblem"), "\(run.errors)")
        #expect(!folder.exists("out"))
    }

    @Test("a fresh cached response is not requested again")
    func freshness() throws {
        let folder = try ScratchFolder()
        for out in ["one", "two"] {
            let run = try Web.batch(Self.rows("kept", "fresh"), Self.open, in: folder, out: out)
            #expect(run.status == 0, "\(run.errors)")
        }
        #expect(Web.server.requests(for: "?fresh").count == 4)
    }

    @Test("--max-bytes limits cached responses as well as new ones")
    func limits() throws {
        let folder = try ScratchFolder()
        for (place, query) in [("kept", "small-kept"), ("logged", "small-logged")] {
            let rows = Self.rows(place, query)
            let first = try Web.batch(rows, Self.open, in: folder, out: "first-\(place)")
            #expect(first.status == 0, "\(first.errors)")
            let second = try Web.batch(
                rows, Self.open + ["--max-bytes", "64"], in: folder, out: "second-\(place)")
            #expect(second.status == 0, "\(second.errors)")
            let item = try ManifestText(folder, "second-\(place)").item("disc-0")
            #expect(item?[path: ["error", "class"]]?.stringValue == "too_large")
        }
    }

    @Test("a picture that changed on the server is downloaded again")
    func changes() throws {
        let folder = try ScratchFolder()
        let server = Web.server
        for (out, side) in [("one", 50), ("two", 70)] {
            server.publish(try Pictures.disc(.black, width: side, height: side), as: "changing.png")
            let rows = [("changing", server.url("files/changing.png"))]
            let run = try Web.batch(rows, Self.open, in: folder, out: out)
            #expect(run.status == 0, "\(run.errors)")
            let item = try ManifestText(folder, out).item("changing")
            #expect(item?[path: ["input", "width"]]?.intValue == side)
        }
    }

    @Test("--offline sends no request, uses cached responses and reports missing ones")
    func offline() throws {
        let folder = try ScratchFolder()
        let rows = Self.rows("logged", "offline")
        let first = try Web.batch(Array(rows.prefix(3)), Self.open, in: folder, out: "one")
        #expect(first.status == 0, "\(first.errors)")
        let asked = Web.server.requests(for: "?offline").count
        #expect(asked == 3)
        let second = try Web.batch(rows, Self.open + ["--offline"], in: folder, out: "two")
        #expect(second.status == 0, "\(second.errors)")
        #expect(Web.server.requests(for: "?offline").count == asked)
        let manifest = try ManifestText(folder, "two")
        #expect(manifest.summary?["ok"]?.intValue == 3)
        #expect(manifest.errorClass("disc-3") == "offline")
        #expect(
            try folder.read("one/small/disc-1.png") == folder.read("two/small/disc-1.png"))
    }

    @Test("a failed response is not cached, and no cache is created for it")
    func whatIsNotKept() throws {
        let folder = try ScratchFolder()
        let rows = [("missing", Web.server.url("logged/none.png?kept-not"))]
        for out in ["one", "two"] {
            let run = try Web.batch(rows, Self.open, in: folder, out: out)
            #expect(run.status == 0, "\(run.errors)")
        }
        #expect(Web.server.requests(for: "?kept-not").map(\.tag) == ["-", "-"])
        let none = try Web.batch(
            Self.rows("files", "none"), Web.open, in: folder, out: "none",
            environment: ["XDG_CACHE_HOME": folder.path("home")])
        #expect(none.status == 0, "\(none.errors)")
        #expect(!folder.exists("home"))
        let usual = try Web.batch(
            Self.rows("files", "none"), ["--allow-private"], in: folder, out: "usual",
            environment: ["XDG_CACHE_HOME": folder.path("home")])
        #expect(usual.status == 0, "\(usual.errors)")
        #expect(!folder.tree("home/emblem").isEmpty)
    }
}
