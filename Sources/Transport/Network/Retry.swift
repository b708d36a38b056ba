import CLibCurl
import Synchronization
import System

/// The retry rules of the loader: a failed attempt is retried while its failure may pass, and while
/// attempts and time are left.
extension HostScheduler {
    /// Ends the attempt of a running item, and decides whether it is retried.
    ///
    /// - Parameter retryAfter: The wait that the server asked for. The host is paused for it even
    ///   if the item ends; other items that wait for the host lose none of their time.
    package mutating func fail(
        _ id: UInt64, _ failure: NetworkFailure, retryAfter: Int64? = nil, at now: Int64
    ) {
        guard let item = items[id], item.state == .running else { return }
        release(item, at: now)
        item.lastFailure = failure
        judge(item, failure, at: now)
        guard failure.isPassing else { return finish(item, failure, at: now) }
        let pause = retryAfter ?? wait.nanoseconds(afterAttempt: item.attempts)
        if retryAfter != nil || failure.kind == .rateLimited {
            // A pause longer than the time limit of items is cut to the longest own wait.
            hold(item.host, for: pause < limits.itemTime ? pause : RetryWait.longest, at: now)
        }
        guard item.attempts <= limits.retries, pause < item.timeLeft, !isGivenUp(item.home, at: now)
        else { return finish(item, failure, at: now) }
        item.timeLeft -= pause
        item.state = .waiting
        item.turn += 1
        timers.add(.item(id, turn: item.turn), at: now + pause)
    }

    /// Ends the attempt of a running item that found no file descriptor. It is retried, uncounted,
    /// when another item has ended; if nothing else runs, it fails like any other.
    package mutating func starve(_ id: UInt64, _ failure: NetworkFailure, at now: Int64) {
        guard let item = items[id], item.state == .running else { return }
        guard running.count > 1 else {
            fail(id, failure, at: now)
            return
        }
        release(item, at: now)
        connectionsAllowed = max(1, min(connectionsAllowed, running.count))
        item.isHop = true
        queue(item, first: true, at: now)
    }
}

extension NetworkFailure.Kind {
    /// Whether another attempt may succeed, unless the failure says otherwise.
    var isUsuallyPassing: Bool {
        switch self {
        case .connect, .timeout, .http5xx, .rateLimited, .truncated, .offline, .hostSkipped: true
        case .http4xx(let status): status == 408
        default: false
        }
    }

    /// Whether the failure counts towards the breaker of its host.
    var countsAgainstHost: Bool {
        switch self {
        case .dns, .connect, .tls, .timeout, .http5xx: true
        default: false
        }
    }

    /// Whether the failure shows that the host is up: it answered with a status below 500.
    var clearsHost: Bool {
        switch self {
        case .http4xx, .rateLimited, .redirect, .tooLarge, .truncated: true
        default: false
        }
    }
}

package struct RetryWait {
    /// The longest wait that no server asked for.
    static let longest: Int64 = 10_000_000_000

    private var generator: SeededRandom

    init(seed: UInt64) {
        generator = SeededRandom(seed: seed)
    }

    /// Returns 250 ms, doubled with each attempt up to 10 s, plus or minus half at random.
    mutating func nanoseconds(afterAttempt attempt: Int) -> Int64 {
        let base: Int64 = 250_000_000
        let doubled =
            attempt > 6 ? Self.longest : min(base << Int64(max(0, attempt - 1)), Self.longest)
        let jittered = doubled / 2 + Int64(generator.next() % UInt64(doubled))
        return min(jittered, Self.longest)
    }

    /// Returns the wait of a `Retry-After`: seconds, or a date minus `now` (seconds since 1970;
    /// zero for a date in the past). Returns nil for any other text.
    package static func nanoseconds(retryAfter text: String, now: Int64) -> Int64? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        let seconds: Int64
        if isNumber {
            seconds = Int64(text) ?? .max
        } else if let date = HTTPDate.seconds(text) {
            seconds = max(0, date - now)
        } else {
            return nil
        }
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max : product
    }
}

/// The three date formats of HTTP.
enum HTTPDate {
    static func seconds(_ text: String) -> Int64? {
        let seconds = unsafe text.withCString { unsafe curl_getdate($0, nil) }
        return seconds < 0 ? nil : Int64(seconds)
    }
}

/// The waits that hosts asked for with `Retry-After` or 429, for a run's progress and its last
/// note.
package final class HostWaits: Sendable {
    private struct Wait {
        /// Nanoseconds in all, the present wait included.
        var total: Int64 = 0
        var end = Int64.min

        func total(at now: Int64) -> Int64 { total - max(0, end - now) }
    }

    /// The greatest number of hosts; later ones are not recorded.
    private static let hostLimit = 1_000

    private let waits = Mutex<[String: Wait]>([:])

    package init() {}

    /// Records that no request is sent to a host before `end`.
    package func note(_ host: String, until end: Int64, at now: Int64) {
        waits.withLock { waits in
            guard end > now, waits[host] != nil || waits.count < Self.hostLimit else { return }
            let added = end - max(now, waits[host, default: Wait()].end)
            guard added > 0 else { return }
            waits[host, default: Wait()].total += added
            waits[host]?.end = end
        }
    }

    /// The host with the longest wait in progress and the nanoseconds left; nil if no host waits.
    package func longest(at now: Int64) -> (host: String, left: Int64)? {
        let longest = waits.withLock { waits in
            waits.filter { $0.value.end > now }.max {
                ($0.value.end, $1.key) < ($1.value.end, $0.key)
            }
        }
        return longest.map { ($0.key, $0.value.end - now) }
    }

    /// The hosts with at least one second of waits up to now, the longest first.
    package func totals(at now: Int64) -> [(host: String, time: Int64)] {
        waits.withLock { $0.map { (host: $0.key, time: $0.value.total(at: now)) } }
            .filter { $0.time >= 1_000_000_000 }
            .sorted { ($1.time, $0.host) < ($0.time, $1.host) }
    }
}
