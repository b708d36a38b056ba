import Cell
import Codecs
import Render
import Support
import Testing

@Suite("Drawings that never end", .serialized)
struct HostileDrawingTests {
    @Test(
        "fault 77: cost their item and nothing else",
        arguments: HostileDrawing.all.filter { $0.ending == .late || $0.ending == .heavy })
    func ends(drawing: HostileDrawing) async throws {
        let pool = CellFixture.pool()
        let picture = try CellFixture.picture()
        let before = await pool.render(CellFixture.order(picture))
        let clock = ContinuousClock()
        let start = clock.now
        let answer = await pool.render(CellFixture.order(drawing.bytes(), seconds: 0.5))
        // The deadline, and the time a busy machine takes to end a process.
        #expect(clock.now - start < .seconds(10))
        switch answer.error {
        case .timeout, .outOfMemory, .crashed, .render(.decode(.limitDecode)): break
        // A quick machine may draw in time what is merely heavy.
        case nil where drawing.ending == .heavy: break
        default: Issue.record("\(drawing.name): \(String(describing: answer.error))")
        }
        let after = await pool.render(CellFixture.order(picture))
        #expect(after.images.map(\.bytes) == before.images.map(\.bytes))
        pool.close()
        #expect(pool.processes.isEmpty)
    }
}
