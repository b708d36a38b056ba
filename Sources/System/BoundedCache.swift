import Synchronization

/// Values that were made before, up to a number of them and a weight; those unused for longest go
/// first.
///
/// Inlinable, as all generic types of this room, so that each user has code of its own for its keys.
///
/// What is kept must follow from its key alone, so that nothing shows of a cache but the time that
/// it saves. Any number of threads may ask at once; no value is made while the lock is held.
@usableFromInline
package final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline struct Entry {
        @usableFromInline let value: Value
        @usableFromInline let weight: Int
        @usableFromInline var older: Key?
        @usableFromInline var newer: Key?

        @inlinable init(value: Value, weight: Int, older: Key?) {
            self.value = value
            self.weight = weight
            self.older = older
        }
    }

    @usableFromInline struct State {
        @usableFromInline var entries: [Key: Entry] = [:]
        @usableFromInline var oldest: Key?
        @usableFromInline var newest: Key?
        @usableFromInline var weight = 0

        @inlinable init() {}
    }

    @usableFromInline let countLimit: Int
    @usableFromInline let weightLimit: Int
    @usableFromInline let state = Mutex(State())

    /// - Parameters:
    ///   - countLimit: the most values that are kept.
    ///   - weightLimit: what they may weigh together, in the unit of ``keep(_:for:weight:)``.
    @inlinable package init(countLimit: Int = .max, weightLimit: Int = .max) {
        self.countLimit = max(0, countLimit)
        self.weightLimit = max(0, weightLimit)
    }

    @inlinable package var count: Int { state.withLock { $0.entries.count } }

    /// What the values that are kept weigh together.
    @inlinable package var weight: Int { state.withLock { $0.weight } }

    /// The value of `key`, which thereby is the one used last.
    @inlinable package func value(for key: Key) -> Value? {
        state.withLock { state in
            guard let entry = state.entries[key] else { return nil }
            if entry.newer != nil {
                state.unlink(key)
                state.link(key, entry.value, entry.weight)
            }
            return entry.value
        }
    }

    /// The value of `key`, made where it is not kept. Two threads may both make it; one is dropped.
    @inlinable package func value<Failure>(
        for key: Key, make: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        if let known = value(for: key) { return known }
        let made = try make()
        keep(made, for: key)
        return made
    }

    /// Keeps `value`, unless it alone is over a limit.
    ///
    /// - Returns: what had to go for it, for those who must close or count it.
    @inlinable @discardableResult
    package func keep(_ value: Value, for key: Key, weight: Int = 1) -> [(key: Key, value: Value)] {
        guard weight <= weightLimit, countLimit > 0 else { return [] }
        return state.withLock { state in
            if state.entries[key] != nil { state.unlink(key) }
            state.link(key, value, weight)
            var gone: [(key: Key, value: Value)] = []
            while state.entries.count > countLimit || state.weight > weightLimit,
                let oldest = state.oldest, let entry = state.entries[oldest]
            {
                state.unlink(oldest)
                gone.append((oldest, entry.value))
            }
            return gone
        }
    }

    /// Lets go of everything.
    ///
    /// - Returns: what was kept, in no order.
    @inlinable @discardableResult
    package func removeAll() -> [(key: Key, value: Value)] {
        state.withLock { state in
            defer { state = State() }
            return state.entries.map { ($0.key, $0.value.value) }
        }
    }

    /// All that is kept, in no order.
    @inlinable package var all: [(key: Key, value: Value)] {
        state.withLock { state in state.entries.map { ($0.key, $0.value.value) } }
    }
}

/// The order of use is a chain through the entries, so that a use costs the same however many
/// there are.
extension BoundedCache.State {
    @inlinable mutating func link(_ key: Key, _ value: Value, _ weight: Int) {
        entries[key] = BoundedCache.Entry(value: value, weight: weight, older: newest)
        if let newest { entries[newest]?.newer = key }
        newest = key
        oldest = oldest ?? key
        self.weight += weight
    }

    @inlinable mutating func unlink(_ key: Key) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        if let older = entry.older {
            entries[older]?.newer = entry.newer
        } else {
            oldest = entry.newer
        }
        if let newer = entry.newer {
            entries[newer]?.older = entry.older
        } else {
            newest = entry.older
        }
        weight -= entry.weight
    }
}
