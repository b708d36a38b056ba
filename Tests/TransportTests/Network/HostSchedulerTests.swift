import Testing
import Transport

@Suite("The order in which hosts may connect")
struct HostSchedulerTests {
    static let second: Int64 = 1_000_000_000

    static func scheduler(
        _ change: (inout NetworkSettings) -> Void = { _ in }
    ) -> HostScheduler {
        var settings = NetworkSettings()
        change(&settings)
        return HostScheduler(settings, connections: settings.connections)
    }

    /// Returns every item that may start now.
    static func starts(_ scheduler: inout HostScheduler, at now: Int64) -> [UInt64] {
        var ids: [UInt64] = []
        while let step = scheduler.step(at: now) {
            if case .start(let id) = step { ids.append(id) }
        }
        return ids
    }

    static func ends(
        _ scheduler: inout HostScheduler, at now: Int64
    ) -> [UInt64: ErrorClass] {
        var ends: [UInt64: ErrorClass] = [:]
        while let step = scheduler.step(at: now) {
            if case .end(let id, let failure) = step { ends[id] = failure.errorClass }
        }
        return ends
    }

    @Test("a host with many items leaves room for hosts behind it")
    func fairness() {
        var scheduler = Self.scheduler { $0.connections = 8 }
        for id in 0..<1000 as Range<UInt64> { scheduler.add(id, origin: "slow", at: 0) }
        for id in 1000..<1004 as Range<UInt64> { scheduler.add(id, origin: "h\(id)", at: 0) }
        let first = Self.starts(&scheduler, at: 0)
        #expect(first.count == 8)
        #expect(first.count { $0 < 1000 } == 4)
        #expect(Set(first).isSuperset(of: [1000, 1001, 1002, 1003]))
    }

    @Test("a host never has more transfers than its limit")
    func perHost() {
        var scheduler = Self.scheduler()
        for id in 0..<100 as Range<UInt64> { scheduler.add(id, origin: "one", at: 0) }
        #expect(Self.starts(&scheduler, at: 0) == [0, 1, 2, 3, 4, 5])
        scheduler.succeed(3, at: 1)
        #expect(Self.starts(&scheduler, at: 1) == [6])
    }

    @Test("a temporary failure waits about 250 ms, then 500 ms, and then keeps its class")
    func backoff() {
        var scheduler = Self.scheduler()
        scheduler.add(1, origin: "a", at: 0)
        var now: Int64 = 0
        for wait in [250_000_000, 500_000_000] as [Int64] {
            #expect(Self.starts(&scheduler, at: now) == [1])
            scheduler.fail(1, ItemFailure(.connect), at: now)
            let next = scheduler.nextEvent ?? 0
            #expect((wait / 2...wait * 3 / 2).contains(next - now))
            #expect(scheduler.step(at: next - 1) == nil)
            now = next
        }
        #expect(Self.starts(&scheduler, at: now) == [1])
        scheduler.fail(1, ItemFailure(.timeout), at: now)
        #expect(Self.ends(&scheduler, at: now) == [1: .timeout])
    }

    @Test("a host that sent Retry-After pauses for its other items too, for a bounded time")
    func pause() {
        var scheduler = Self.scheduler { $0.perHost = 1 }
        for id in 1...3 as ClosedRange<UInt64> { scheduler.add(id, origin: "a", at: 0) }
        #expect(Self.starts(&scheduler, at: 0) == [1])
        scheduler.fail(1, ItemFailure(.rateLimited), retryAfter: 20 * Self.second, at: 0)
        #expect(Self.starts(&scheduler, at: 19 * Self.second) == [])
        #expect(Self.starts(&scheduler, at: 20 * Self.second) == [1])
        scheduler.fail(
            1, ItemFailure(.rateLimited), retryAfter: 9 * Self.second, at: 20 * Self.second)
        #expect(Self.starts(&scheduler, at: 29 * Self.second) == [1])
        scheduler.fail(
            1, ItemFailure(.rateLimited), retryAfter: 1, at: 29 * Self.second)
        #expect(Self.starts(&scheduler, at: 29 * Self.second) == [])
        #expect(Self.starts(&scheduler, at: 29 * Self.second + 1) == [2])
        // The waits of this host add up to 29 of at most 30 seconds, so one of the two further
        // seconds is granted.
        scheduler.fail(
            2, ItemFailure(.rateLimited), retryAfter: 2 * Self.second, at: 29 * Self.second + 1)
        #expect(Self.starts(&scheduler, at: 30 * Self.second - 1) == [])
        #expect(Self.starts(&scheduler, at: 30 * Self.second) == [3])
    }

    @Test("requests to one host are spaced without delaying those to another")
    func rate() {
        var scheduler = Self.scheduler { $0.rate = RequestRate("4/s") }
        for id in 1...3 as ClosedRange<UInt64> { scheduler.add(id, origin: "a", at: 0) }
        scheduler.add(4, origin: "b", at: 0)
        #expect(Self.starts(&scheduler, at: 0) == [1, 4])
        #expect(Self.starts(&scheduler, at: Self.second / 4 - 1) == [])
        #expect(Self.starts(&scheduler, at: Self.second / 4) == [2])
        // A redirect is another request, and the host is remembered even without items.
        scheduler.redirect(2, to: "b", at: Self.second / 4)
        #expect(Self.starts(&scheduler, at: Self.second / 4) == [2])
        scheduler.succeed(2, at: Self.second / 4)
        scheduler.succeed(4, at: Self.second / 4)
        scheduler.add(5, origin: "b", at: Self.second / 4)
        #expect(Set(Self.starts(&scheduler, at: Self.second / 2)) == [3, 5])
    }

    @Test("a rate is a number of requests per second or per minute")
    func rateText() {
        #expect(RequestRate("4/s")?.spacing == Self.second / 4)
        #expect(RequestRate("3/s")?.spacing == 333_333_334)
        #expect(RequestRate("30/m")?.spacing == 2 * Self.second)
        for text in ["", "/s", "4", "0/s", "-1/s", "4/h", "4 /s", "10001/s", "1.5/s", "٤/s"] {
            #expect(RequestRate(text) == nil, "\(text)")
        }
    }

    @Test("only the wait for permits does not count towards the time of an item")
    func deadline() {
        var scheduler = Self.scheduler { $0.perHost = 1 }
        scheduler.add(1, origin: "a", at: 0)
        scheduler.add(2, origin: "a", at: 0)
        #expect(Self.starts(&scheduler, at: 0) == [1])
        #expect(scheduler.nextEvent == 30 * Self.second)
        #expect(Self.ends(&scheduler, at: 29 * Self.second) == [:])
        #expect(scheduler.step(at: 30 * Self.second) == .end(1, Self.timeUp))
        #expect(scheduler.step(at: 30 * Self.second) == .start(2))
        #expect(scheduler.step(at: 59 * Self.second) == nil)
        #expect(scheduler.step(at: 60 * Self.second) == .end(2, Self.timeUp))
    }

    @Test("an item without descriptors waits for another to end, and the attempt is not counted")
    func starvation() {
        var scheduler = Self.scheduler()
        for id in 1...3 as ClosedRange<UInt64> { scheduler.add(id, origin: "h\(id)", at: 0) }
        #expect(Self.starts(&scheduler, at: 0) == [1, 2, 3])
        scheduler.starve(3, ItemFailure(.connect), at: 1)
        #expect(Self.starts(&scheduler, at: 1) == [])
        scheduler.succeed(1, at: 2)
        #expect(Self.starts(&scheduler, at: 2) == [3])
        #expect(scheduler.attempts(of: 3) == 1)
    }

    // MARK: Circuit breaker

    @Test("a response below 500 resets the failure count of a host")
    func answerCloses() {
        var scheduler = Self.scheduler { $0.retries = 0 }
        for id in 1...30 as ClosedRange<UInt64> {
            scheduler.add(id, origin: "a", at: 0)
            #expect(Self.starts(&scheduler, at: 0) == [id])
            scheduler.fail(id, ItemFailure(id % 10 == 0 ? .http4xx : .http5xx), at: 0)
            #expect(Self.ends(&scheduler, at: 0).count == 1)
        }
    }

    /// Returns a scheduler whose host `a` has an open breaker since the time 0, with items 3 to 9
    /// queued.
    private static func opened(
        _ change: (inout NetworkSettings) -> Void = { _ in }
    ) -> HostScheduler {
        var scheduler = Self.scheduler {
            $0.retries = 0
            $0.perHost = 2
            $0.breakerItems = 2
            change(&$0)
        }
        for id in 1...9 as ClosedRange<UInt64> { scheduler.add(id, origin: "a", at: 0) }
        #expect(Self.starts(&scheduler, at: 0).starts(with: [1, 2]))
        scheduler.fail(1, ItemFailure(.connect), at: 0)
        scheduler.fail(2, ItemFailure(.http5xx), at: 0)
        #expect(Self.ends(&scheduler, at: 0) == [1: .connect, 2: .http5xx])
        return scheduler
    }

    @Test("an open breaker pauses 5 s before each of three probes, then the other items fail")
    func probesInVain() {
        var scheduler = Self.opened()
        for (id, time) in [(3, 5), (4, 10), (5, 15)] as [(UInt64, Int64)] {
            let now = time * Self.second
            #expect(scheduler.nextEvent == now)
            #expect(Self.starts(&scheduler, at: now - 1) == [])
            #expect(Self.starts(&scheduler, at: now) == [id])
            scheduler.fail(id, ItemFailure(.timeout), at: now)
            let ends = Self.ends(&scheduler, at: now)
            #expect(ends[id] == .timeout)
            #expect(ends.values.count { $0 == .hostSkipped } == (id == 5 ? 4 : 0))
        }
        scheduler.add(10, origin: "a", at: 99 * Self.second)
        #expect(Self.ends(&scheduler, at: 99 * Self.second) == [10: .hostSkipped])
    }

    @Test("a probe with a response below 500 closes the breaker", arguments: [true, false])
    func probeAnswered(isGood: Bool) {
        var scheduler = Self.opened()
        let now = 5 * Self.second
        #expect(Self.starts(&scheduler, at: now) == [3])
        if isGood {
            scheduler.succeed(3, at: now)
        } else {
            scheduler.fail(3, ItemFailure(.http4xx), at: now)
            #expect(scheduler.step(at: now) == .end(3, ItemFailure(.http4xx)))
        }
        #expect(Self.starts(&scheduler, at: now) == [4, 5])
        // The count restarts at 0.
        scheduler.fail(4, ItemFailure(.connect), at: now)
        #expect(scheduler.step(at: now) == .end(4, ItemFailure(.connect)))
        #expect(Self.starts(&scheduler, at: now) == [6])
    }

    @Test("failures of items that failed before an interruption do not open the breaker")
    func failedBefore() {
        var scheduler = Self.scheduler { $0.retries = 0 }
        for id in 0..<39 as Range<UInt64> {
            scheduler.add(id, origin: "a", failedBefore: id < 30, at: 0)
            #expect(Self.starts(&scheduler, at: 0) == [id])
            scheduler.fail(id, ItemFailure(.http5xx), at: 0)
            #expect(Self.ends(&scheduler, at: 0) == [id: .http5xx])
        }
    }

    @Test("a host that was given up is tried again after the configured time")
    func rest() {
        var scheduler = Self.scheduler {
            $0.retries = 0
            $0.breakerItems = 2
            $0.breakerProbes = 0
            $0.givenUpTime = .seconds(60)
        }
        for id in 1...2 as ClosedRange<UInt64> {
            scheduler.add(id, origin: "a", at: 0)
            _ = Self.starts(&scheduler, at: 0)
            scheduler.fail(id, ItemFailure(.connect), at: 0)
        }
        _ = Self.ends(&scheduler, at: 0)
        scheduler.add(3, origin: "a", at: Self.second)
        #expect(Self.ends(&scheduler, at: Self.second) == [3: .hostSkipped])
        scheduler.add(4, origin: "a", at: 61 * Self.second)
        #expect(Self.starts(&scheduler, at: 61 * Self.second) == [4])
    }

    private static let timeUp = ItemFailure(.timeout, "The time limit of the item is reached.")
}
