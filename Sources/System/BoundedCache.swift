import Synchronization

/// A cache with limits on the number and total weight of its values; the least recently used values
/// are evicted first.
///
/// A value must depend only on its key, so that the cache affects nothing but speed. Thread-safe;
/// no value is made while the lock is held. Eviction takes time proportional to the number of
/// values, which should be some hundreds.
///
/// Inlinable, like all generic types of this module, so that each user is specialised for its keys.
@usableFromInline
package final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline struct Entry {
        @usableFromInline let value: Value
        @usableFromInline let weight: Int
        @usableFromInline var use: UInt64

        @inlinable init(value: Value, weight: Int, use: UInt64) {
            self.value = value
            self.weight = weight
            self.use = use
        }
    }

    @usableFromInline struct State {
        @usableFromInline var entries: [Key: Entry] = [:]
        @usableFromInline var uses: UInt64 = 0
        @usableFromInline var weight = 0

        @inlinable init() {}
    }

    @usableFromInline let countLimit: Int
    @usableFromInline let weightLimit: Int
    @usableFromInline let state = Mutex(State())

    /// - Parameters:
    ///   - countLimit: the maximum number of values.
    ///   - weightLimit: the maximum total weight, in the unit of ``keep(_:for:weight:)``.
    @inlinable package init(countLimit: Int = .max, weightLimit: Int = .max) {
        self.countLimit = max(0, countLimit)
        self.weightLimit = max(0, weightLimit)
    }

    @inlinable package var count: Int { state.withLock { $0.entries.count } }

    @inlinable package var weight: Int { state.withLock { $0.weight } }

    /// Returns the value of `key` and marks it as the most recently used.
    @inlinable package func value(for key: Key) -> Value? {
        state.withLock { state in
            guard let index = state.entries.index(forKey: key) else { return nil }
            state.uses += 1
            state.entries.values[index].use = state.uses
            return state.entries.values[index].value
        }
    }

    /// Returns the value of `key` and makes it if necessary. Two threads may both make it; one
    /// result is discarded.
    @inlinable package func value<Failure>(
        for key: Key, make: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        if let known = value(for: key) { return known }
        let made = try make()
        keep(made, for: key)
        return made
    }

    /// Stores `value`, unless it alone exceeds a limit.
    ///
    /// - Returns: the evicted values, for callers that must close or count them.
    @inlinable @discardableResult
    package func keep(_ value: Value, for key: Key, weight: Int = 1) -> [(key: Key, value: Value)] {
        guard weight <= weightLimit, countLimit > 0 else { return [] }
        return state.withLock { state in
            state.uses += 1
            let entry = Entry(value: value, weight: weight, use: state.uses)
            state.weight += weight
            if let old = state.entries.updateValue(entry, forKey: key) {
                state.weight -= old.weight
            }
            var gone: [(key: Key, value: Value)] = []
            while state.entries.count > countLimit || state.weight > weightLimit,
                let oldest = state.entries.min(by: { $0.value.use < $1.value.use })
            {
                state.entries[oldest.key] = nil
                state.weight -= oldest.value.weight
                gone.append((oldest.key, oldest.value.value))
            }
            return gone
        }
    }

    @inlinable package func remove(_ key: Key) {
        state.withLock { state in
            if let old = state.entries.removeValue(forKey: key) { state.weight -= old.weight }
        }
    }

    /// Removes all values.
    ///
    /// - Returns: the removed values, in no order.
    @inlinable @discardableResult
    package func removeAll() -> [(key: Key, value: Value)] {
        state.withLock { state in
            defer { state = State() }
            return state.entries.map { ($0.key, $0.value.value) }
        }
    }

    @inlinable package var all: [(key: Key, value: Value)] {
        state.withLock { state in state.entries.map { ($0.key, $0.value.value) } }
    }
}
