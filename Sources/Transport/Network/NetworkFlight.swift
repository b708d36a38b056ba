/// A load that is under way, for whoever watches a run that drags.
package struct NetworkFlight: Sendable, Equatable {
    /// What it is doing.
    package enum Stage: String, Sendable {
        /// It waits for a permit, or for its next attempt.
        case queue
        case dns
        case connect
        case ttfb
        case fetch
    }

    /// Where it is at present; without credentials.
    package let url: String
    package let stage: Stage
    package let attempts: Int
    /// Nanoseconds of its own time used so far.
    package let active: Int64
    package let bytes: Int
}

extension EventLoop {
    /// The flights that have used most of their time, the slowest first.
    func slowest(_ count: Int) -> [NetworkFlight] {
        let used = flights.keys.map { (id: $0, active: scheduler.activeTime(of: $0, at: now)) }
        let slowest = used.sorted { ($1.active, $0.id) < ($0.active, $1.id) }.prefix(max(0, count))
        return slowest.compactMap { id, active in
            guard let flight = flights[id] else { return nil }
            return NetworkFlight(
                url: flight.address.text, stage: stage(of: flight),
                attempts: scheduler.attempts(of: id), active: active,
                bytes: flight.handle?.signs.bodyBytes ?? 0)
        }
    }

    private func stage(of flight: Flight) -> NetworkFlight.Stage {
        guard flight.hopStart != nil else { return .queue }
        guard let handle = flight.handle else { return .dns }
        let signs = handle.signs
        guard signs.requestedAt != nil else { return .connect }
        return signs.isHeadDone ? .fetch : .ttfb
    }
}
