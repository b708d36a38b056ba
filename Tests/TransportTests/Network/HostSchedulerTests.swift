import Testing
import Transport

@Suite("The order in which hosts may connect")
struct HostSchedulerTests {
    static let second: Int64 = 1_000_000_000

    static func scheduler(
        seed: UInt64 = 1, _ change: (inout HostScheduler.Limits) -> Void = { _ in }
    ) -> HostScheduler {
        var limits = HostScheduler.Limits()
        change(&limits)
        return HostScheduler(limits: limits, seed: seed)
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
    ) -> [UInt64: NetworkFailure.Kind] {
        var ends: [UInt64: NetworkFailure.Kind] = [:]
        while let step = scheduler.step(at: now) {
            if case .end(let id, let failure) = step { ends[id] = failure.kind }
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
            scheduler.fail(1, NetworkFailure(.connect), at: now)
            let next = scheduler.nextEvent ?? 0
            #expect((wait / 2...wait * 3 / 2).contains(next - now))
            #expect(scheduler.step(at: next - 1) == nil)
            now = next
        }
        #expect(Self.starts(&scheduler, at: now) == [1])
        scheduler.fail(1, NetworkFailure(.timeout), at: now)
        #expect(Self.ends(&scheduler, at: now) == [1: .timeout])
        #expect(scheduler.count == 0)
    }

    @Test("the Retry-After of a server is used unless it exceeds the deadline")
    func retryAfter() {
        var scheduler = Self.scheduler()
        scheduler.add(1, origin: "a", at: 0)
        _ = Self.starts(&scheduler, at: 0)
        scheduler.fail(1, NetworkFailure(.rateLimited), retryAfter: 20 * Self.second, at: 0)
        #expect(scheduler.nextEvent == 20 * Self.second)
        #expect(Self.starts(&scheduler, at: 20 * Self.second) == [1])
        scheduler.fail(
            1, NetworkFailure(.rateLimited), retryAfter: 11 * Self.second, at: 20 * Self.second)
        #expect(Self.ends(&scheduler, at: 20 * Self.second) == [1: .rateLimited])
    }

    @Test("a host that sent Retry-After pauses for its other items too, for a bounded time")
    func pause() {
        var scheduler = Self.scheduler { $0.perHost = 1 }
        for id in 1...3 as ClosedRange<UInt64> { scheduler.add(id, origin: "a", at: 0) }
        #expect(Self.starts(&scheduler, at: 0) == [1])
        scheduler.fail(1, NetworkFailure(.rateLimited), retryAfter: 20 * Self.second, at: 0)
        #expect(Self.starts(&scheduler, at: 19 * Self.second) == [])
        #expect(Self.starts(&scheduler, at: 20 * Self.second) == [1])
        scheduler.fail(
            1, NetworkFailure(.rateLimited), retryAfter: 9 * Self.second, at: 20 * Self.second)
        #expect(Self.starts(&scheduler, at: 29 * Self.second) == [1])
        scheduler.fail(
            1, NetworkFailure(.rateLimited), retryAfter: 1, at: 29 * Self.second)
        #expect(Self.starts(&scheduler, at: 29 * Self.second) == [])
        #expect(Self.starts(&scheduler, at: 29 * Self.second + 1) == [2])
        // The waits of this host add up to 29 of at most 30 seconds, so one of the two further
        // seconds is granted.
        scheduler.fail(
            2, NetworkFailure(.rateLimited), retryAfter: 2 * Self.second, at: 29 * Self.second + 1)
        #expect(Self.starts(&scheduler, at: 30 * Self.second - 1) == [])
        #expect(Self.starts(&scheduler, at: 30 * Self.second) == [3])
    }

    @Test("the pauses of a host are bounded until it responds successfully again")
    func pauseBound() {
        var scheduler = Self.scheduler {
            $0.retries = 0
            $0.perHost = 2
        }
        for id in 1...9 as ClosedRange<UInt64> { scheduler.add(id, origin: "a", at: 0) }
        #expect(Self.starts(&scheduler, at: 0) == [1, 2])
        let hours = 99_999 * Self.second
        scheduler.fail(1, NetworkFailure(.rateLimited), retryAfter: hours, at: 0)
        // The request was sent before the pause.
        scheduler.succeed(2, at: 1)
        var now: Int64 = 0
        for pair in [[3, 4], [5, 6], [7, 8]] as [[UInt64]] {
            #expect(Self.starts(&scheduler, at: now + 10 * Self.second - 1) == [])
            now += 10 * Self.second
            #expect(Self.starts(&scheduler, at: now) == pair)
            guard pair != [7, 8] else { break }
            for id in pair {
                scheduler.fail(id, NetworkFailure(.rateLimited), retryAfter: hours, at: now)
            }
        }
        // The host has used its 30 seconds.
        scheduler.fail(7, NetworkFailure(.rateLimited), retryAfter: hours, at: now)
        #expect(Self.starts(&scheduler, at: now) == [9])
        scheduler.succeed(8, at: now + 1)
        scheduler.fail(9, NetworkFailure(.rateLimited), retryAfter: hours, at: now + 1)
        scheduler.add(10, origin: "a", at: now + 1)
        #expect(Self.starts(&scheduler, at: now + 10 * Self.second) == [])
        #expect(Self.starts(&scheduler, at: now + 1 + 10 * Self.second) == [10])
    }

    @Test("requests to one host are spaced without delaying those to another")
    func rate() {
        var scheduler = Self.scheduler { $0.spacing = Self.second / 4 }
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
        scheduler.starve(3, NetworkFailure(.connect), at: 1)
        #expect(Self.starts(&scheduler, at: 1) == [])
        scheduler.succeed(1, at: 2)
        #expect(Self.starts(&scheduler, at: 2) == [3])
        #expect(scheduler.attempts(of: 3) == 1)
    }

    @Test("a postponed item starts when its body fits, with the time that it had left")
    func postponed() {
        var scheduler = Self.scheduler()
        for id in 1...3 as ClosedRange<UInt64> { scheduler.add(id, origin: "h\(id)", at: 0) }
        #expect(Self.starts(&scheduler, at: 0) == [1, 2, 3])
        let now = 20 * Self.second
        scheduler.postpone(2, bytes: 600, at: now)
        scheduler.postpone(3, bytes: 300, at: now)
        scheduler.bodyBytes = (limit: 1_000, incoming: 500)
        #expect(Self.starts(&scheduler, at: now) == [3])
        scheduler.bodyBytes = (limit: 1_000, incoming: 300)
        #expect(Self.starts(&scheduler, at: now) == [2])
        #expect(scheduler.activeTime(of: 2, at: now) == 0 && scheduler.attempts(of: 2) == 1)
        scheduler.postpone(2, bytes: 5_000, at: now)
        for id in [1, 3] as [UInt64] { scheduler.succeed(id, at: now) }
        scheduler.bodyBytes = (limit: 0, incoming: 0)
        #expect(Self.starts(&scheduler, at: now) == [])
        // An item alone may be larger than the limit.
        scheduler.bodyBytes = (limit: 1, incoming: 0)
        #expect(Self.starts(&scheduler, at: now) == [2])
    }

    private static let timeUp = NetworkFailure(.timeout, "The time limit of the item is reached.")
}
