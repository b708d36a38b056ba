import Artwork
import Codecs
import Gauge
import Glibc
import Render
import Support
import System
import Testing
import Theming
import Worker

@Suite("Small pictures in one call to a worker", .serialized, .onStepThreads)
struct WorkerGroupTests {
    /// Returns a deed or a lie that looks like an image of a common format.
    private static func disguised(_ words: String) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(words.utf8)
    }

    private func wait(until isSo: () -> Bool) async throws {
        while !isSo() { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Starts orders that keep every worker busy until they are cancelled.
    private func holdAll(_ pool: WorkerPool) async throws -> [Task<RenderAnswer, Never>] {
        let hanging = WorkerFixture.order(WorkerFixture.deed("hang"))
        let holders = (0..<pool.queue.slots).map { _ in
            Task(executorPreference: stepThreads) { await pool.render(hanging) }
        }
        try await wait { pool.queue.greatestSlots == pool.queue.slots }
        return holders
    }

    /// Queues all orders, in order, before the first one has a worker.
    private func lineUp(
        _ orders: [RenderOrder], in pool: WorkerPool
    ) async throws -> [Task<RenderAnswer, Never>] {
        var tasks: [Task<RenderAnswer, Never>] = []
        for order in orders {
            let before = pool.queue.waitingCount
            tasks.append(Task(executorPreference: stepThreads) { await pool.render(order) })
            try await wait { pool.queue.waitingCount > before }
        }
        return tasks
    }

    private func together(
        _ orders: [RenderOrder], in pool: WorkerPool = WorkerFixture.pool()
    ) async throws -> [RenderAnswer] {
        let holders = try await holdAll(pool)
        let tasks = try await lineUp(orders, in: pool)
        for holder in holders { holder.cancel() }
        for holder in holders { #expect(await holder.value.error == .render(.stopped)) }
        var answers: [RenderAnswer] = []
        for task in tasks { answers.append(await task.value) }
        #expect(pool.queue.groupedCount > 0)
        #expect(pool.failure == nil)
        return answers
    }

    private static func pictures() throws -> [[UInt8]] {
        let png = try WorkerFixture.picture(200, 100)
        return [
            png, try WorkerFixture.picture(90, 90, as: .jpeg),
            try WorkerFixture.picture(64, 200, as: .webp), Array(png.dropLast(30)),
            disguised("no picture at all"), try WorkerFixture.picture(300, 300),
            try WorkerFixture.picture(1, 1), try WorkerFixture.picture(90, 91, as: .jpeg),
            try WorkerFixture.picture(64, 65),
        ]
    }

    @Test(
        "grouped pictures have the same outcomes as pictures drawn alone",
        .timeLimit(.minutes(3)), arguments: [1, 2])
    func sameOutcomes(workers: Int) async throws {
        var recipes = [
            WorkerFixture.recipe(), WorkerFixture.recipe(EmblemLayout.allCases, scales: [2]),
        ]
        recipes.append(recipes[0])
        recipes[2].output = .same
        recipes[2].width = .auto
        for recipe in recipes {
            let orders = try Self.pictures().map { WorkerFixture.order($0, recipe) }
            let began = MonotonicClock.now
            let answers = try await together(orders, in: WorkerFixture.pool(workers))
            let ended = MonotonicClock.now
            let alone = WorkerFixture.pool()
            for (order, answer) in zip(orders, answers) {
                let other = await alone.render(order)
                #expect(answer.error == other.error)
                #expect(answer.images.map(\.bytes) == other.images.map(\.bytes))
                #expect(answer.images.map(\.variant) == other.images.map(\.variant))
                #expect(answer.preview == other.preview)
                #expect(answer.header?.size == other.header?.size)
                #expect(answer.moments.map(\.stage) == other.moments.map(\.stage))
                // Each order has separate moments, and ends when the next one begins.
                let moments = answer.moments.map(\.nanoseconds) + [answer.end ?? ended]
                #expect(moments == moments.sorted())
                #expect(moments.allSatisfy { (began...ended).contains($0) })
            }
        }
    }

    @Test(
        "a grouped picture that crashes the worker is retried alone, and the others only wait",
        .timeLimit(.minutes(3)),
        arguments: ["segv", "abort", "leave", "shootSelf", "nonsense", "hangUp", "socket", "spin"])
    func crash(deed: String) async throws {
        let pool = WorkerFixture.pool()
        let picture = WorkerFixture.order(try WorkerFixture.picture())
        var guilty = WorkerFixture.order(Self.disguised("deed:\(deed)"))
        guilty.processorNanoseconds = 2_000_000_000
        var orders = [RenderOrder](repeating: picture, count: 8)
        orders[2] = guilty
        let answers = try await together(orders, in: pool)
        for (index, answer) in answers.enumerated() {
            if index != 2 {
                #expect(answer.images.count == 1, "\(deed), \(index)")
            } else if deed == "spin" {
                #expect(answer.error == .drawnTooLong)
            } else {
                guard case .crashed = answer.error else {
                    Issue.record("\(deed): \(answer.result)")
                    continue
                }
            }
        }
        // The worker that was held, one for the group, two for repeated orders, and an idle one.
        #expect(pool.startedCount <= 5)
    }

    @Test("a worker that sends a false group reply loses it, and each picture is drawn alone")
    func lies() async throws {
        let pool = WorkerFixture.pool()
        let picture = WorkerFixture.order(try WorkerFixture.picture())
        let lie = WorkerFixture.order(Self.disguised("lie:result:0:0"))
        let answers = try await together([picture, lie, picture, picture], in: pool)
        for answer in answers { #expect(answer.images.count == 1) }
    }

    @Test(
        "a group reply with too few or too many outcomes is discarded, and each picture still ends",
        .timeLimit(.minutes(5)), arguments: [0, 1, 3, 5])
    func otherCount(outcomes: Int) async throws {
        let picture = WorkerFixture.order(try WorkerFixture.picture())
        let lie = WorkerFixture.order(Self.disguised("lie:outcomes:\(outcomes):0"))
        let answers = try await together([picture, lie, picture, picture])
        for index in [0, 2, 3] { #expect(answers[index].images.count == 1, "\(index)") }
        #expect(answers[1].images.isEmpty)
    }

    @Test("a large picture, or one without time to spare, is sent alone")
    func others() async throws {
        let picture = try WorkerFixture.picture()
        var orders = [
            WorkerFixture.order(picture + [UInt8](repeating: 0, count: 200_000)),
            WorkerFixture.order(Array("<svg/>".utf8)), WorkerFixture.order(picture, seconds: 5),
            WorkerFixture.order(picture, WorkerFixture.recipe([.xLarge], scales: [9])),
            WorkerFixture.order([]),
            RenderOrder(.check, of: picture, recipe: WorkerFixture.recipe()),
            WorkerFixture.order(picture), WorkerFixture.order(picture),
        ]
        orders[6].processorNanoseconds = 1_000_000_000
        orders[7].besideBytes = 1
        let pool = WorkerFixture.pool()
        let holders = try await holdAll(pool)
        let tasks = try await lineUp(orders, in: pool)
        for holder in holders { holder.cancel() }
        for task in tasks { _ = await task.value }
        #expect(pool.queue.groupedCount == 0)
    }

    @Test("the first moment of a job comes after its wait for a worker")
    func line() async throws {
        let pool = WorkerFixture.pool()
        let holders = try await holdAll(pool)
        let tasks = try await lineUp([WorkerFixture.order(try WorkerFixture.picture())], in: pool)
        let released = MonotonicClock.now
        for holder in holders { holder.cancel() }
        let answer = await tasks[0].value
        #expect(answer.images.count == 1)
        #expect(answer.moments.first.map { $0.nanoseconds >= released } == true)
    }

    @Test(
        "a cancelled task in a group cancels no other task of the group",
        .timeLimit(.minutes(3)), arguments: [0, 1, 2], [false, true])
    func cancellation(place: Int, hangs: Bool) async throws {
        let pool = WorkerFixture.pool()
        let holders = try await holdAll(pool)
        var orders = [RenderOrder](
            repeating: WorkerFixture.order(try WorkerFixture.picture()), count: 3)
        if hangs { orders[place] = WorkerFixture.order(Self.disguised("deed:hang")) }
        let tasks = try await lineUp(orders, in: pool)
        if hangs {
            // Released while the orders are rendered.
            for holder in holders { holder.cancel() }
            try await wait { pool.queue.waitingCount == 0 }
            try await Task.sleep(for: .milliseconds(50))
        }
        tasks[place].cancel()
        for holder in holders { holder.cancel() }
        let error = await tasks[place].value.error
        #expect(error == .render(.stopped))
        for (index, task) in tasks.enumerated() where index != place {
            #expect(await task.value.images.count == 1, "\(index)")
        }
        #expect(
            await pool.render(WorkerFixture.order(try WorkerFixture.picture())).images.count == 1)
    }

    @Test("a pool that closes notifies running and queued jobs", .timeLimit(.minutes(5)))
    func closing() async throws {
        let pool = WorkerFixture.pool()
        let holders = try await holdAll(pool)
        let hanging = WorkerFixture.order(Self.disguised("deed:hang"))
        let tasks = try await lineUp([RenderOrder](repeating: hanging, count: 12), in: pool)
        for holder in holders { holder.cancel() }
        try await wait { pool.queue.waitingCount < 12 }
        pool.close()
        for task in tasks { #expect(await task.value.error == .render(.stopped)) }
    }

    @Test("a group of small pictures takes milliseconds, and a failed group stops the grouping")
    func size() {
        var size = WorkerGroupSize()
        for _ in 0..<50 { size.note(500_000) }
        #expect(size.size == WorkerGroupSize.limit)
        for _ in 0..<50 { size.note(6_000_000) }
        #expect(size.size == 2)
        for _ in 0..<50 { size.note(.max) }
        #expect(size.size == 1)
        for _ in 0..<50 { size.note(0) }
        #expect(size.size == WorkerGroupSize.limit)
        size.note(nil)
        #expect(size.size == 1)
        var quick = 0
        while size.size == 1, quick < 100 {
            size.note(100_000)
            quick += 1
        }
        #expect((5...30).contains(quick))
    }
}
