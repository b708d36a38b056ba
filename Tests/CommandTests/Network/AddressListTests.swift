import Notation
import Support
import Testing

@Suite("emblem batch with URLs", .ownThreads)
struct AddressListTests {
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
}
