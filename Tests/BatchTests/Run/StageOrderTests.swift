import Artwork
import Batch
import Codecs
import Engine
import Foundation
import Gauge
import Notation
import Render
import Support
import Synchronization
import Testing
import Theming
import Transport
import Worker

@Suite("The order of the stages")
struct StageOrderTests {
    private var fixture: RunFixture

    init() throws {
        fixture = try RunFixture()
        // So little memory that decoding must wait for it.
        fixture.settings = RunSettings(
            layouts: [.small, .xLarge], scales: [4], jobs: 4, memoryBytes: 16 << 20,
            bytesLimit: 1 << 20)
    }

    /// Returns a picture that needs every step: large, and stored rotated.
    private static func lying() throws -> [UInt8] {
        let upright = try RunFixture.picture(1500, 1200, as: .jpeg)
        let tiff: [UInt8] = [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
        ]
        let body = Array("Exif\0\0".utf8) + tiff
        return upright.prefix(2) + [0xFF, 0xE1, 0, UInt8(body.count + 2)] + body
            + upright.dropFirst(2)
    }

    @Test(
        "a job passes the stages in their order, in one process and in workers",
        arguments: [false, true])
    func order(inWorkers: Bool) async throws {
        let each = ["resize", "compose", "encode"]
        // The item has two layouts.
        let passed = try await stages(inWorkers: inWorkers)
        #expect(passed == ["fetch", "queue", "decode"] + each + each + ["write"])
    }

    /// Returns the stages of a run over one picture, in their order.
    private func stages(inWorkers: Bool) async throws -> [String] {
        try fixture.folder.write(Self.lying(), to: "in/lying.jpg")
        let plan = try fixture.plan([.source(fixture.folder.path("in"))])
        let context = inWorkers ? fixture.context(workers: 1) : fixture.context
        let laps = Mutex<[RunStage]>([])
        _ = try await fixture.batch(plan, context: context) { end in
            laps.withLock { $0 += end.clock.laps.map(\.stage) }
        }.run(0..<1)
        context.backend.close()
        return laps.withLock { $0 }.filter { $0 != .total }.map(\.rawValue)
    }

    @Test("the order of work equals the list on the architecture page")
    func page() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(
            contentsOf: root.appending(
                path: "ARCHITECTURE.md"), encoding: .utf8)
        let table = text.components(separatedBy: "\n")
            .compactMap { $0.wholeMatch(of: /\d+\. \*\*(\w+)\*\*.*/)?.1 }
        #expect(table.map(String.init) == RunStage.timed.dropLast().map(\.rawValue))
    }

    @Test("an item that never gets its memory ends early and records its header")
    func neverEnough() async throws {
        var fixture = fixture
        fixture.settings = RunSettings(
            layouts: [.xLarge], scales: [4], memoryBytes: 1 << 20, bytesLimit: 1 << 20)
        try fixture.folder.write(Self.lying(), to: "in/lying.jpg")
        try await fixture.runFolder()
        let item = try #require(try fixture.items().first)
        #expect(item.errorClass == "limit_decode")
        let manifest = String(
            decoding: try fixture.folder.read("out/manifest.ndjson"), as: UTF8.self)
        #expect(manifest.contains(#""width":1200,"height":1500"#))
    }
}
