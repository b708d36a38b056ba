import Artwork
import Batch
import Cell
import Engine
import Render
import Support
import Testing
import Theming
import Transport

@Suite("A run whose pictures are decoded by other processes")
struct CellRunTests {
    private var fixture: RunFixture

    init() throws { fixture = try RunFixture() }

    private func context(_ settings: RunSettings, program: String) -> RunContext {
        let renderer = Renderer(theme: .builtIn, artwork: EmblemArtwork())
        var cells = CellSettings(
            count: 2, memoryBytes: settings.decodeBytes, program: program)
        cells.backOffNanoseconds = 1_000_000
        return RunContext(
            settings: settings, renderer: renderer,
            cells: CellPool(settings: cells, renderer: renderer))
    }

    /// Pictures among which some make the process do what no decoder should.
    private func fill(_ deeds: [String]) throws {
        for (number, deed) in deeds.enumerated() {
            try fixture.folder.write("deed:\(deed)", to: "in/m\(number)-\(deed).png")
        }
        try fixture.fill(9)
    }

    @Test("loses only the pictures that crash, hang or fill their process; each has its class")
    func badPictures() async throws {
        try fill(["segv", "abort", "hang", "fill", "leave", "shootSelf", "nonsense", "socket"])
        var settings = fixture.settings
        settings.network.itemTimeout = .milliseconds(1_500)
        let context = context(settings, program: Tool.path(of: "CellProbe"))
        let report = try await fixture.runFolder(context: context)
        context.backend.close()
        #expect(report.ending == .finished)
        let items = try fixture.items()
        let classes = Dictionary(
            uniqueKeysWithValues: items.map { ($0.id ?? "", $0.errorClass ?? "ok") })
        #expect(
            items.prefix(8).map { classes[$0.id ?? ""] } == [
                "crashed", "crashed", "timeout", "limit_decode", "crashed", "crashed", "crashed",
                "crashed",
            ], "\(classes)")
        #expect(items.prefix(8).allSatisfy { $0.placeholder == "icon:account-balance" })
        #expect(items.dropFirst(8).allSatisfy { $0.status == "ok" && $0.paths.count == 2 })
    }

    @Test("ends as it does in one process, file for file")
    func sameSet() async throws {
        try fixture.fill(9)
        try fixture.folder.write("no picture", to: "in/bad.png")
        let context = context(fixture.settings, program: Tool.path(of: "CellProbe"))
        try await fixture.runFolder(into: "cells", context: context)
        context.backend.close()
        try await fixture.runFolder(into: "here")
        #expect(try fixture.set(in: "cells") == fixture.set(in: "here"))
    }

    @Test("where no process can be had it ends, calls no picture crashed, and writes no manifest")
    func noProcess() async throws {
        try fixture.fill(4)
        let context = context(fixture.settings, program: "/nonexistent/emblem")
        await #expect(throws: BatchError.self) { try await fixture.runFolder(context: context) }
        let failure = try #require(context.backend.failure)
        #expect("\(failure)".contains("/nonexistent/emblem"))
        context.backend.close()
        #expect(!fixture.folder.exists("out/manifest.ndjson"))
    }
}
