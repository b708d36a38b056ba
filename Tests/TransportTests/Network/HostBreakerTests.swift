import Testing
import Transport

@Suite("The circuit breaker of a host")
struct HostBreakerTests {
    private typealias Base = HostSchedulerTests

    @Test("a response below 500 resets the failure count of a host")
    func answerCloses() {
        var scheduler = Base.scheduler { $0.retries = 0 }
        for id in 1...30 as ClosedRange<UInt64> {
            scheduler.add(id, origin: "a", at: 0)
            #expect(Base.starts(&scheduler, at: 0) == [id])
            scheduler.fail(id, NetworkFailure(id % 10 == 0 ? .http4xx(404) : .http5xx(500)), at: 0)
            #expect(Base.ends(&scheduler, at: 0).count == 1)
        }
    }

    /// Returns a scheduler whose host `a` has an open breaker since the time 0, with items 3 to 9
    /// queued.
    private static func opened(
        _ change: (inout HostScheduler.Limits) -> Void = { _ in }
    ) -> HostScheduler {
        var scheduler = Base.scheduler {
            $0.retries = 0
            $0.perHost = 2
            $0.breakerItems = 2
            change(&$0)
        }
        for id in 1...9 as ClosedRange<UInt64> { scheduler.add(id, origin: "a", at: 0) }
        #expect(Base.starts(&scheduler, at: 0).starts(with: [1, 2]))
        scheduler.fail(1, NetworkFailure(.connect), at: 0)
        scheduler.fail(2, NetworkFailure(.http5xx(503)), at: 0)
        #expect(Base.ends(&scheduler, at: 0) == [1: .connect, 2: .http5xx(503)])
        return scheduler
    }

    @Test("an open breaker pauses 5 s before each of three probes, then the other items fail")
    func probesInVain() {
        var scheduler = Self.opened()
        for (id, time) in [(3, 5), (4, 10), (5, 15)] as [(UInt64, Int64)] {
            let now = time * Base.second
            #expect(scheduler.nextEvent == now)
            #expect(Base.starts(&scheduler, at: now - 1) == [])
            #expect(Base.starts(&scheduler, at: now) == [id])
            scheduler.fail(id, NetworkFailure(.timeout), at: now)
            let ends = Base.ends(&scheduler, at: now)
            #expect(ends[id] == .timeout)
            #expect(ends.values.count { $0 == .hostSkipped } == (id == 5 ? 4 : 0))
        }
        scheduler.add(10, origin: "a", at: 99 * Base.second)
        #expect(Base.ends(&scheduler, at: 99 * Base.second) == [10: .hostSkipped])
    }

    @Test("a probe with a response below 500 closes the breaker", arguments: [true, false])
    func probeAnswered(isGood: Bool) {
        var scheduler = Self.opened()
        let now = 5 * Base.second
        #expect(Base.starts(&scheduler, at: now) == [3])
        if isGood {
            scheduler.succeed(3, at: now)
        } else {
            scheduler.fail(3, NetworkFailure(.http4xx(404)), at: now)
            #expect(scheduler.step(at: now) == .end(3, NetworkFailure(.http4xx(404))))
        }
        #expect(Base.starts(&scheduler, at: now) == [4, 5])
        // The count restarts at 0.
        scheduler.fail(4, NetworkFailure(.connect), at: now)
        #expect(scheduler.step(at: now) == .end(4, NetworkFailure(.connect)))
        #expect(Base.starts(&scheduler, at: now) == [6])
    }

    @Test("failures of items that failed before an interruption do not open the breaker")
    func failedBefore() {
        var scheduler = Base.scheduler { $0.retries = 0 }
        for id in 0..<39 as Range<UInt64> {
            scheduler.add(id, origin: "a", failedBefore: id < 30, at: 0)
            #expect(Base.starts(&scheduler, at: 0) == [id])
            scheduler.fail(id, NetworkFailure(.http5xx(500)), at: 0)
            #expect(Base.ends(&scheduler, at: 0) == [id: .http5xx(500)])
        }
    }

    @Test("a host that was given up is tried again after the configured time")
    func rest() {
        var scheduler = Base.scheduler {
            $0.retries = 0
            $0.breakerItems = 2
            $0.breakerProbes = 0
            $0.givenUpTime = 60 * Base.second
        }
        for id in 1...2 as ClosedRange<UInt64> {
            scheduler.add(id, origin: "a", at: 0)
            _ = Base.starts(&scheduler, at: 0)
            scheduler.fail(id, NetworkFailure(.connect), at: 0)
        }
        _ = Base.ends(&scheduler, at: 0)
        scheduler.add(3, origin: "a", at: Base.second)
        #expect(Base.ends(&scheduler, at: Base.second) == [3: .hostSkipped])
        scheduler.add(4, origin: "a", at: 61 * Base.second)
        #expect(Base.starts(&scheduler, at: 61 * Base.second) == [4])
    }
}
