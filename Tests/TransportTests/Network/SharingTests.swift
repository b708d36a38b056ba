import Gauge
import Glibc
import Support
import Synchronization
import System
import Testing
import Transport

@Suite("Concurrent loads")
struct SharingTests {
    /// The number of tasks that are about to send a request.
    private final class Asking: Sendable {
        let count = Atomic(0)
    }

    @Test("a thousand concurrent loads of one URL send one request")
    func coalesced() async throws {
        let loader = TestLoader.make()
        let name = "coalesced"
        let path = "held/\(name)"
        let asking = Asking()
        let shared = await withTaskGroup { group in
            group.addTask {
                while asking.count.load(ordering: .relaxed) < 1000 { await Task.yield() }
                let released = await loader.load(TestServers.faults.url("released/\(name)"))
                #expect(released.className == "ok")
                return 0
            }
            for _ in 0..<1000 {
                group.addTask {
                    asking.count.add(1, ordering: .relaxed)
                    let outcome = await loader.load(TestServers.faults.url(path))
                    #expect(outcome.bytes == TestPicture.fault, "\(outcome.result)")
                    return outcome.isShared ? 1 : 0
                }
            }
            return await group.reduce(0, +)
        }
        let count = await loader.load(TestServers.faults.url("count/\(path)"))
        let fetched = Int(String(decoding: count.bytes ?? [], as: UTF8.self)) ?? 0
        #expect(fetched >= 1 && fetched <= 3, "fetched \(fetched) times")
        #expect(shared == 1000 - fetched)
    }

    /// Waits until the server has received this many requests for the paths.
    private func isAsked(for paths: [String], count: Int = 1) async throws -> Bool {
        let loader = TestLoader.make()
        return try await Waiting.yielding {
            var sum = 0
            for path in paths {
                let outcome = await loader.load(TestServers.faults.url("count/\(path)"))
                sum += Int(String(decoding: outcome.bytes ?? [], as: UTF8.self)) ?? 0
            }
            return sum >= count
        }
    }

    @Test("a load that is cancelled does not affect others that share it")
    func canceledFollower() async throws {
        // The test does not depend on any duration.
        let loader = TestLoader.make()
        let name = "followers"
        let url = TestServers.faults.url("held/\(name)")
        let first = Task { await loader.load(url) }
        let second = Task { await loader.load(url) }
        #expect(try await isAsked(for: ["held/\(name)"]))
        first.cancel()
        #expect(await first.value.className == "canceled")
        #expect(await loader.load(TestServers.faults.url("released/\(name)")).className == "ok")
        #expect(await second.value.className == "ok")
        let count = await loader.load(TestServers.faults.url("count/held/\(name)"))
        #expect(count.bytes == Array("1".utf8))
    }

    // A load that is not answered at once would wait for ten minutes, and hit the time limit first.
    @Test(
        "cancelling 200 times at random moments leaks nothing and returns at once",
        .timeLimit(.minutes(5)))
    func randomCancelling() async throws {
        let port = TestServers.faults.port("plain")
        let before = TestDescriptors.count(to: port)
        do {
            let loader = TestLoader.make {
                $0.retries = 2
                $0.fixedAddresses = TestLoader.everyName(port)
            }
            var random = SeededRandom(seed: 17)
            let paths = ["slow/0.02/", "ok/", "silent/", "stall-body/", "hops/3/", "status/500/"]
            for round in 0..<200 {
                let urls = paths.map { "http://h\(round % 7).test:\(port)/\($0)?\(round)" }
                let task = Task {
                    await withTaskGroup { group in
                        for url in urls { group.addTask { await loader.load(url) } }
                        var count = 0
                        for await _ in group { count += 1 }
                        return count
                    }
                }
                // The random moment is the purpose of the test.
                let pause = Int64.random(in: 0...20_000, using: &random)
                try await Task.sleep(for: .microseconds(pause))
                task.cancel()
                #expect(await task.value == paths.count)
            }
            loader.shutDown()
        }
        // Other suites open and close connections at the same time.
        #expect(TestDescriptors.count(to: port) < before + 200)
    }

    @Test(
        "shutting down a loader cancels loads in progress and later ones",
        .timeLimit(.minutes(5)))
    func shutDown() async throws {
        let loader = TestLoader.make()
        let task = Task { await loader.load(TestServers.faults.url("held/shutdown")) }
        #expect(try await isAsked(for: ["held/shutdown"]))
        loader.shutDown()
        #expect(await task.value.className == "canceled")
        #expect(await loader.load(TestServers.faults.url("ok")).className == "canceled")
    }

    @Test("a host that stalls does not delay other hosts", .timeLimit(.minutes(5)))
    func stalledHost() async throws {
        let port = TestServers.faults.port("plain")
        let loader = TestLoader.make {
            $0.connections = 8
            $0.fixedAddresses = TestLoader.everyName(port)
        }
        let stalled = (0..<20).map { index in
            Task { await loader.load("http://stalled.test:\(port)/held/stalled-\(index)") }
        }
        // The limit of one host.
        #expect(try await isAsked(for: (0..<20).map { "held/stalled-\($0)" }, count: 6))
        for index in 0..<50 {
            #expect(await loader.load("http://good.test:\(port)/ok/\(index)").className == "ok")
        }
        for task in stalled { task.cancel() }
        for task in stalled { #expect(await task.value.className == "canceled") }
    }

    @Test("a dead host is given up after ten items")
    func deadHost() async throws {
        let loader = TestLoader.make {
            $0.breakerItems = 10
            $0.breakerProbes = 0
        }
        let port = LocalSocket.freePort()
        let counts = await withTaskGroup { group in
            for index in 0..<200 {
                group.addTask { await loader.load("http://127.0.0.1:\(port)/\(index)").className }
            }
            var counts: [String: Int] = [:]
            for await name in group { counts[name, default: 0] += 1 }
            return counts
        }
        #expect((counts["connect"] ?? 0) + (counts["host_skipped"] ?? 0) == 200)
        #expect((10...15).contains(counts["connect"] ?? 0), "\(counts)")
    }

    @Test("bodies that are not released block new loads until they are released")
    func heldBytes() async throws {
        let loader = TestLoader.make {
            $0.heldBytesLimit = 5000
        }
        var held: [NetworkOutcome] = []
        for index in 0..<2 {
            held.append(await loader.load(TestServers.faults.url("ok/held/\(index)")))
        }
        let isDone = Atomic(false)
        let third = Task {
            let outcome = await loader.load(TestServers.faults.url("ok/held/third"))
            isDone.store(true, ordering: .relaxed)
            return outcome.className
        }
        // The absence of an event can only be observed for a while.
        try await Task.sleep(for: .milliseconds(100))
        let isEarly = isDone.load(ordering: .relaxed)
        #expect(!isEarly)
        held = []
        #expect(await third.value == "ok")
    }

    @Test("large concurrent bodies share a small memory budget, and all arrive")
    func smallBudget() async throws {
        let loader = TestLoader.make {
            $0.heldBytesLimit = 1 << 20
        }
        await withTaskGroup { group in
            for index in 0..<12 {
                group.addTask {
                    let outcome = await loader.load(
                        TestServers.faults.url("large/500000/\(index)"))
                    #expect(outcome.response?.body.bytes.count == 500_000, "\(outcome.result)")
                    #expect(outcome.attempts == 1)
                }
            }
        }
    }

    @Test("a compressed body of a gigabyte does not fill the memory")
    func flatMemory() async throws {
        let loader = TestLoader.make()
        let before = TestDescriptors.residentBytes
        await withTaskGroup { group in
            for index in 0..<6 {
                let path = index % 2 == 0 ? "endless" : "bomb/gzip/1"
                group.addTask {
                    let outcome = await loader.load(TestServers.faults.url("\(path)?\(index)"))
                    #expect(outcome.className == "too_large", "\(outcome.result)")
                }
            }
        }
        // A leak would be gigabytes; less may belong to tests that run at the same time.
        #expect(TestDescriptors.residentBytes - before < 800 << 20)
    }
}
