import Synchronization

/// The waits that hosts asked for with `Retry-After` or 429, for a run's progress and its last note.
package final class HostWaits: Sendable {
    private struct Wait {
        /// Nanoseconds in all, the present wait included.
        var total: Int64 = 0
        var end = Int64.min

        func total(at now: Int64) -> Int64 { total - max(0, end - now) }
    }

    /// The hosts of which waits are kept; later ones are not noted.
    private static let hostLimit = 1_000

    private let waits = Mutex<[String: Wait]>([:])

    package init() {}

    /// Notes that nothing is sent to a host before `end`.
    package func note(_ host: String, until end: Int64, at now: Int64) {
        waits.withLock { waits in
            guard end > now, waits[host] != nil || waits.count < Self.hostLimit else { return }
            let added = end - max(now, waits[host, default: Wait()].end)
            guard added > 0 else { return }
            waits[host, default: Wait()].total += added
            waits[host]?.end = end
        }
    }

    /// The host that is waited for longest from now on, and the nanoseconds left; nil where none is.
    package func longest(at now: Int64) -> (host: String, left: Int64)? {
        let longest = waits.withLock { waits in
            waits.filter { $0.value.end > now }.max {
                ($0.value.end, $1.key) < ($1.value.end, $0.key)
            }
        }
        return longest.map { ($0.key, $0.value.end - now) }
    }

    /// The hosts that were waited for at least a second up to now, the longest wait first.
    package func totals(at now: Int64) -> [(host: String, time: Int64)] {
        waits.withLock { $0.map { (host: $0.key, time: $0.value.total(at: now)) } }
            .filter { $0.time >= 1_000_000_000 }
            .sorted { ($1.time, $0.host) < ($0.time, $1.host) }
    }
}
