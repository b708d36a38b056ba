import Codecs
import Render
import Support
import Testing
import Worker

@Suite("Drawings that never end or crash")
struct HostileDrawingTests {
    @Test(
        "a drawing that never ends or crashes librsvg fails alone and harms no other item",
        arguments: HostileDrawing.all.filter { $0.ending != .soon })
    func ends(drawing: HostileDrawing) async throws {
        let pool = WorkerFixture.pool()
        let picture = try WorkerFixture.picture()
        let before = await pool.render(WorkerFixture.order(picture))
        let answer = await pool.render(WorkerFixture.order(drawing.bytes(), seconds: 0.5))
        // Half a second of elapsed time is at most that much CPU time, and a little for the end.
        #expect(answer.processorNanoseconds < 2_000_000_000)
        switch answer.error {
        case .crashed: break
        case .timeout, .outOfMemory, .render(.decode(.limitDecode)):
            #expect(drawing.ending != .crash)
        // A fast machine may finish a drawing that is only heavy.
        case nil where drawing.ending == .heavy: break
        default: Issue.record("\(drawing.name): \(String(describing: answer.error))")
        }
        let after = await pool.render(WorkerFixture.order(picture))
        #expect(after.images.map(\.bytes) == before.images.map(\.bytes))
        pool.close()
        #expect(pool.processes.isEmpty)
    }
}

@Suite("The processor time limit of a worker", .serialized)
struct ProcessorTimeTests {
    @Test("a drawing that exceeds its processor time costs one worker process")
    func drawing() async throws {
        let drawing = try #require(HostileDrawing.all.first { $0.ending == .late })
        let pool = WorkerFixture.pool()
        defer { pool.close() }
        let picture = try WorkerFixture.picture()
        _ = await pool.render(WorkerFixture.order(picture))
        let started = pool.startedCount
        var order = WorkerFixture.order(drawing.bytes(), seconds: 120)
        order.processorNanoseconds = 300_000_000
        let answer = await pool.render(order)
        #expect(answer.error == .drawnTooLong)
        #expect((300_000_000..<2_000_000_000).contains(answer.processorNanoseconds))
        #expect(await pool.render(WorkerFixture.order(picture)).error == nil)
        #expect(pool.startedCount <= started + 1)
    }

    @Test("a pool starts a new worker each time a drawing exceeds its processor time")
    func manyDrawings() async throws {
        let drawing = try #require(HostileDrawing.all.first { $0.ending == .late })
        let pool = WorkerFixture.pool(2)
        defer { pool.close() }
        // More crashes than the number of failures after which no process is started any more.
        for _ in 0..<(2 * WorkerFixture.settings().failuresLimit) {
            var order = WorkerFixture.order(drawing.bytes(), seconds: 120)
            order.processorNanoseconds = 30_000_000
            #expect(await pool.render(order).error == .drawnTooLong)
        }
        #expect(pool.failure == nil)
        #expect(try await pool.render(WorkerFixture.order(WorkerFixture.picture())).error == nil)
    }

    @Test("the processor time limit counts per order, not per worker process")
    func manyOrders() async throws {
        let pool = WorkerFixture.pool()
        defer { pool.close() }
        let picture = try WorkerFixture.picture()
        var sum: UInt64 = 0
        // Until the process has used more CPU time than a single order may.
        for _ in 0..<100_000 where sum < 400_000_000 {
            var order = WorkerFixture.order(picture)
            order.processorNanoseconds = 200_000_000
            let answer = await pool.render(order)
            try #require(answer.error == nil)
            sum += answer.processorNanoseconds
        }
        #expect(sum >= 400_000_000)
    }
}
