/// Equal requests that are under way together: one flies, the others wait for it to land.
///
/// A flight is named by the order that began it, and goes on for as long as anybody waits.
package struct RequestCoalescer<Key: Hashable, Waiter> {
    private struct Flight {
        let key: Key
        var waiters: [(id: UInt64, waiter: Waiter)]
    }

    /// What is left when a waiter goes.
    package enum Leaving {
        case unknown
        case others(Waiter)
        /// The flight has nobody left to fly for.
        case last(Waiter, flight: UInt64)
    }

    private var flights: [UInt64: Flight] = [:]
    private var flightOfKey: [Key: UInt64] = [:]
    private var flightOfWaiter: [UInt64: UInt64] = [:]

    package init() {}

    package var isEmpty: Bool { flights.isEmpty }

    /// The flights under way.
    package var ids: [UInt64] { flights.keys.sorted() }

    /// Lines up for `key`; true when this begins the flight, which then bears the waiter's id.
    package mutating func join(_ key: Key, id: UInt64, _ waiter: Waiter) -> Bool {
        if let flight = flightOfKey[key] {
            flights[flight]?.waiters.append((id, waiter))
            flightOfWaiter[id] = flight
            return false
        }
        flights[id] = Flight(key: key, waiters: [(id, waiter)])
        flightOfKey[key] = id
        flightOfWaiter[id] = id
        return true
    }

    /// Takes a waiter out.
    package mutating func leave(_ id: UInt64) -> Leaving {
        guard let name = flightOfWaiter.removeValue(forKey: id), let flight = flights[name],
            let index = flight.waiters.firstIndex(where: { $0.id == id })
        else { return .unknown }
        let waiter = flight.waiters[index].waiter
        guard flight.waiters.count > 1 else {
            flights[name] = nil
            flightOfKey[flight.key] = nil
            return .last(waiter, flight: name)
        }
        flights[name]?.waiters.remove(at: index)
        return .others(waiter)
    }

    /// Ends a flight; those who waited, in the order they came.
    package mutating func land(_ name: UInt64) -> [Waiter] {
        guard let flight = flights.removeValue(forKey: name) else { return [] }
        flightOfKey[flight.key] = nil
        for waiter in flight.waiters { flightOfWaiter[waiter.id] = nil }
        return flight.waiters.map(\.waiter)
    }
}
