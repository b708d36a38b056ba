import Foundation
import Notation
import Support
import Testing

@Suite("URLs in a second run", .ownThreads)
struct ResumeAddressTests {
    private static func list(_ query: String, slow: String) -> String {
        let rows = (0..<4).map { "d\($0),\(Web.server.url("logged/disc-\($0).png?\(query)"))" }
        return (["id,url"] + rows + ["slow,\(slow)"]).joined(separator: "\n") + "\n"
    }

    private static let batch = [
        "batch", "--list", "urls.csv", "-o", "out", "--layout", "small", "--allow-private",
        // Far longer than the four images take, since the first run is killed before its end.
        "--timeout", "3600", "--item-timeout", "10", "--retries", "0", "--cache", "none",
    ]

    @Test("a continued run requests no finished item again, but retries temporary failures")
    func resume() throws {
        let folder = try ScratchFolder()
        let name = "resumed-\(getpid())"
        let slow = TestServers.faults.url("silent?\(name)")
        try folder.write(Self.list(name, slow: slow), to: "urls.csv")
        let first = try Tool.start(Tool.path(of: "emblem"), Self.batch, in: folder.path)
        // A journal line is written after its files.
        let journal = "out/.emblem/journal.ndjson"
        #expect(
            Waiting.until {
                let lines = (folder.textIfAny(journal) ?? "").split(separator: "\n")
                return lines.count { $0.contains("\"item\":") } >= 4
            })
        first.send(SIGKILL)
        _ = first.wait()
        #expect(Web.server.requests(for: name).count == 4)
        let second = try Tool.emblem(Self.batch, in: folder.path)
        #expect(second.status == 0, "\(second.errors)")
        #expect(Web.server.requests(for: name).count == 4)
        let manifest = try folder.text("out/manifest.ndjson")
        #expect(manifest.contains("\"ok\":4,\"placeholder\":1,"))
        #expect(manifest.contains("\"class\":\"timeout\""))
        #expect(try folder.json("out/run.json")["resumed"]?.intValue == 4)
    }
}
