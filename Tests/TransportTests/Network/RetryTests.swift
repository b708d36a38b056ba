import Support
import System
import Testing
import Transport

@Suite("Retries of a load")
struct RetryTests {
    private func load(
        _ path: String, _ change: (inout NetworkSettings) -> Void = { _ in }
    ) async throws -> NetworkOutcome {
        let loader = TestLoader.make {
            $0.retries = 2
            change(&$0)
        }
        // The server counts requests by URL.
        return await loader.load(TestServers.faults.url("\(path)"))
    }

    @Test(
        "a temporary failure is retried",
        arguments: ["reset", "close", "reset-body", "408", "429", "500", "503"])
    func passing(_ how: String) async throws {
        let outcome = try await load("fail-then-ok/\(how)/2/passing")
        #expect(outcome.className == "ok", "\(outcome.result)")
        #expect(outcome.attempts == 3)
    }

    @Test(
        "a server that closes without a response gets one request for each attempt",
        arguments: [0, 2])
    func requestsOnTheWire(retries: Int) async throws {
        let loader = TestLoader.make {
            $0.retries = retries
            $0.connections = 64
            $0.perHost = 64
        }
        let kind = "wire-\(retries)"
        let address = { @Sendable (folder: String, index: Int) in
            TestServers.faults.url("\(folder)/\(kind)/\(index)")
        }
        await withTaskGroup(of: Void.self) { group in
            // Responses leave connections open, which the other requests reuse.
            for index in 0..<300 {
                group.addTask { _ = await loader.load(address("ok", index)) }
                guard index.isMultiple(of: 5) else { continue }
                group.addTask {
                    let outcome = await loader.load(address("close", index))
                    #expect(outcome.className == "connect", "\(outcome.result)")
                    #expect(outcome.attempts == retries + 1)
                }
            }
        }
        for index in stride(from: 0, to: 300, by: 5) {
            let count = await loader.load(TestServers.faults.url("count/close/\(kind)/\(index)"))
            #expect(count.bytes == Array("\(retries + 1)".utf8), "\(index)")
        }
    }

    @Test("a permanent failure is not retried", arguments: ["400", "403", "404", "410"])
    func lasting(_ status: String) async throws {
        let outcome = try await load("fail-then-ok/\(status)/1/lasting")
        #expect(outcome.className == "http_4xx")
        #expect(outcome.attempts == 1)
    }

    @Test("a server that does not respond once is asked again")
    func silent() async throws {
        #expect(
            try await Waiting.growing(from: .milliseconds(700)) { timeout in
                let outcome = try await load(
                    "fail-then-ok/silent/1/silent-\(timeout / .seconds(1))"
                ) { $0.timeout = timeout }
                return outcome.className == "ok" && outcome.attempts == 2
            })
    }

    @Test(
        "a load that fails at every attempt keeps its error class",
        arguments: [
            ("reset", "connect"), ("reset-body", "truncated"), ("length/5000", "truncated"),
            ("status/429", "rate_limited"), ("status/500", "http_5xx"),
        ])
    func stubborn(_ path: String, _ expected: String) async throws {
        let outcome = try await load(path)
        #expect(outcome.className == expected)
        #expect(outcome.attempts == 3)
    }

    @Test(
        "Retry-After is respected within the time of the item",
        arguments: [
            ("retry-after/429/1/1/a", "ok", 2), ("retry-after/503/0/1/b", "ok", 2),
            ("retry-after/503/Thu,_01_Jan_1998_00:00:00_GMT/1/c", "ok", 2),
            ("retry-after/429/99999/1/d", "rate_limited", 1),
            ("retry-after/503/99999999999999999999/1/e", "http_5xx", 1),
            ("retry-after/503/Thu,_01_Jan_2099_00:00:00_GMT/1/f", "http_5xx", 1),
            ("retry-after/429/soon/1/g", "ok", 2),
        ])
    func retryAfter(_ path: String, _ expected: String, _ attempts: Int) async throws {
        let outcome = try await load(path)
        #expect(outcome.className == expected, "\(outcome.result)")
        #expect(outcome.attempts == attempts)
        #expect(outcome.timings.active < 300_000_000_000)
    }

    @Test("an item ends by its deadline, including attempts and waits")
    func deadline() async throws {
        let outcome = try await load("silent") { $0.itemTimeout = .milliseconds(400) }
        #expect(outcome.className == "timeout")
        #expect(
            (350_000_000...300_000_000_000).contains(outcome.timings.active), "\(outcome.timings)")
    }

    @Test("host names that do not exist, fail temporarily or never resolve have their classes")
    func names() async throws {
        let isOver = Semaphore()
        defer { isOver.signal() }
        let loader = TestLoader.make {
            $0.retries = 1
            $0.lookUp = { host in
                if host == "never.invalid" { isOver.wait() }
                return ItemFailure(.dns, "", isRetryable: host != "nowhere.invalid")
            }
        }
        async let nowhere = loader.load("http://nowhere.invalid/ok")
        async let later = loader.load("http://later.invalid/ok")
        async let never = loader.load(
            NetworkRequest(url: "http://never.invalid/ok", timeLeft: .seconds(1)))
        #expect(await nowhere.className == "dns")
        #expect(await nowhere.attempts == 1)
        #expect(await later.className == "dns")
        #expect(await later.attempts == 2)
        #expect(await never.className == "timeout")
        let port = TestServers.faults.port("plain")
        let named = TestLoader.make { $0.fixedAddresses = TestLoader.everyName(port) }
        #expect(await named.load("http://a.test.:\(port)/ok").className == "ok")
    }
}
