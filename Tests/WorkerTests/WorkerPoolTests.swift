import Artwork
import Codecs
import Glibc
import Raster
import Render
import Support
import System
import Testing
import Worker

@Suite("A pool of workers", .serialized)
struct WorkerPoolTests {
    @Test("a pool of workers reports which protections are in force")
    func confinement() async throws {
        let pool = WorkerFixture.pool()
        let confinement = try #require(await pool.confinement())
        #expect(confinement.filtersCalls && confinement.limitsResources)
        #expect(confinement.description.hasPrefix("process, seccomp"))
        #expect(Confinement.none.description.hasPrefix("none"))
    }

    @Test("workers that are killed while idle fail no item")
    func idleDeaths() async throws {
        let count = 7
        let pool = WorkerFixture.pool(count)
        let order = WorkerFixture.order(try WorkerFixture.picture())
        #expect(try await Waiting.yielding { pool.idleCount == count })
        #expect(pool.processes.count == count)
        for process in pool.processes { kill(process, SIGKILL) }
        #expect(await pool.render(order).images.count == 1)
        #expect(pool.failure == nil)
    }

    @Test("a pool of workers continues when its processes are killed, idle or busy")
    func kills() async throws {
        let pool = WorkerFixture.pool(2)
        let picture = try WorkerFixture.picture()
        for _ in 0..<3 {
            #expect(await pool.render(WorkerFixture.order(picture)).images.count == 1)
            for process in pool.processes { kill(process, SIGKILL) }
        }
        #expect(await pool.render(WorkerFixture.order(picture)).images.count == 1)
        #expect(pool.failure == nil)
    }

    @Test("a pool of workers gives up if its program is not a worker, and fails every task")
    func noWorker() async throws {
        for program in ["/bin/false", "/nowhere", "/bin/cat"] {
            var settings = WorkerFixture.settings(2)
            settings.program = program
            settings.backOffNanoseconds = 1_000_000
            settings.startNanoseconds = 50_000_000
            let pool = WorkerPool(settings: settings, renderer: WorkerFixture.renderer)
            let picture = try WorkerFixture.picture()
            for _ in 0..<3 {
                let answer = await pool.render(WorkerFixture.order(picture))
                guard case .unavailable = answer.error else {
                    Issue.record("\(program): \(String(describing: answer.error))")
                    continue
                }
            }
            #expect(pool.failure != nil)
            #expect(pool.startedCount <= settings.failuresLimit + settings.count)
            let icon = RenderOrder(.icon(.photo), recipe: WorkerFixture.recipe())
            #expect(await pool.render(icon).images.count == 1)
        }
    }

    @Test("a cancelled task leaves nothing behind in a pool of workers")
    func cancellation() throws {
        let ending = try Tool.run(Tool.path(of: "WorkerProbe"), ["canceling"])
        #expect(ending.status == 0, "\(ending.output)")
    }

    @Test("a pool of workers continues when running or queued tasks are cancelled")
    func goesOn() async throws {
        let pool = WorkerFixture.pool()
        let tasks = (0..<4).map { _ in
            Task { await pool.render(WorkerFixture.order(WorkerFixture.deed("hang"))) }
        }
        #expect(try await Waiting.yielding { pool.startedCount > 0 })
        for task in tasks {
            task.cancel()
            #expect(await task.value.error == .render(.stopped))
        }
        let answer = await pool.render(WorkerFixture.order(try WorkerFixture.picture()))
        #expect(answer.images.count == 1)
    }

    @Test("a pool of workers ends its processes when it is released")
    func lettingGo() async throws {
        var processes: [pid_t] = []
        do {
            let pool = WorkerFixture.pool(2)
            _ = await pool.render(WorkerFixture.order(try WorkerFixture.picture()))
            processes = pool.processes
        }
        #expect(!processes.isEmpty)
        #expect(processes.allSatisfy { kill($0, 0) != 0 })
    }

    @Test(
        "a pool of workers leaves no process behind when its parent is killed",
        arguments: [SIGKILL, SIGTERM])
    func orphans(signal: Int32) throws {
        let folder = try ScratchFolder()
        let parent = try Tool.start(
            Tool.path(of: "WorkerProbe"), ["parent", folder.path("workers")], in: folder.path)
        #expect(Waiting.until { folder.exists("workers.whole") })
        let processes = try folder.text("workers.whole").split(separator: " ").compactMap {
            pid_t($0)
        }
        #expect(processes.count == 2)
        #expect(processes.allSatisfy { kill($0, 0) == 0 })
        parent.send(signal)
        _ = parent.wait()
        #expect(Waiting.until { processes.allSatisfy { !Self.runs($0) } })
    }

    /// Returns whether a process runs; a zombie does not count.
    private static func runs(_ process: pid_t) -> Bool {
        guard let file = unsafe fopen("/proc/\(process)/stat", "r") else { return false }
        defer { unsafe fclose(file) }
        var text = [CChar](repeating: 0, count: 256)
        let count = unsafe fread(&text, 1, 255, file)
        return !text[..<count].contains(CChar(UInt8(ascii: "Z")))
    }

    @Test("a pool of workers serves many tasks at once, each with its own picture")
    func crowd() async throws {
        let pool = WorkerFixture.pool(2)
        let sides = Array(20..<60)
        let pictures = try sides.map { try WorkerFixture.picture($0, $0 * 2) }
        await withTaskGroup(of: (Int, Int?).self) { group in
            for (side, picture) in zip(sides, pictures) {
                group.addTask {
                    let answer = await pool.render(WorkerFixture.order(picture))
                    return (side, answer.header?.size.width)
                }
            }
            for await (side, width) in group { #expect(side == width) }
        }
        #expect(pool.startedCount == 2)
    }

    @Test("the deadline of a job does not run while it waits for a worker")
    func waitingHasTime() async throws {
        let pool = WorkerFixture.pool()
        let picture = try WorkerFixture.picture()
        #expect(
            try await Waiting.growing(from: .milliseconds(200)) { patience in
                let order = WorkerFixture.order(picture, seconds: patience / .seconds(1))
                let place = try await pool.queue.place(for: order, in: WorkerFixture.renderer)
                let task = Task { await pool.render(order) }
                while pool.queue.waitingCount == 0 { await Task.yield() }
                try await Task.sleep(for: patience * 1.5)
                _ = consume place
                return await task.value.images.count == 1
            })
    }

    @Test("a large picture that waits for memory holds no worker, and small pictures pass it")
    func passing() async throws {
        let small = WorkerFixture.order(try WorkerFixture.picture())
        let large = WorkerFixture.order(try WorkerFixture.picture(2_000, 2_000))
        let pool = WorkerPool(
            settings: WorkerFixture.settings(2), renderer: WorkerFixture.renderer,
            queue: OrderQueue(slots: 2, bytes: 64 << 20))
        let grant = try await pool.queue.memory.grant(of: 40 << 20)
        let task = Task { await pool.render(large) }
        while pool.queue.waitingCount == 0 { await Task.yield() }
        for _ in 0..<20 { #expect(await pool.render(small).images.count == 1) }
        #expect(pool.queue.waitingCount == 1)
        _ = consume grant
        #expect(await task.value.images.count == 1)
    }

    @Test("small pictures are drawn while more endless drawings than workers are queued")
    func fairness() async throws {
        let small = WorkerFixture.order(try WorkerFixture.picture())
        let drawing = try #require(
            HostileDrawing.all.first { $0.name == "a million octaves of noise" })
        var endless = WorkerFixture.order(drawing.bytes())
        endless.processorNanoseconds = 3_600_000_000_000
        let pool = WorkerPool(
            settings: WorkerFixture.settings(2), renderer: WorkerFixture.renderer,
            queue: OrderQueue(slots: 2, bytes: WorkerFixture.memoryBytes, isFair: true))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { [endless] in _ = await pool.render(endless) }
            }
            while pool.queue.waitingCount < 2 { await Task.yield() }
            for _ in 0..<20 { #expect(await pool.render(small).images.count == 1) }
            #expect(pool.queue.waitingCount >= 2)
            group.cancelAll()
        }
        #expect(pool.queue.waitingCount == 0)
    }
}
