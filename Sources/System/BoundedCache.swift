import Synchronization

/// Values that were made before, up to a number of them and a weight; those unused for longest go
/// first.
///
/// What is kept must follow from its key alone, so that nothing shows of a cache but the time that
/// it saves. Any number of threads may ask at once; no value is made while the lock is held. To make
/// room takes time with the number of values, which should be some hundreds.
///
/// Inlinable, as all generic types of this room, so that each user has code of its own for its keys.
@usableFromInline
package final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline struct Entry {
        @usableFromInline let value: Value
        @usableFromInline let weight: Int
        /// The number of the last use.
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
            guard let index = state.entries.index(forKey: key) else { return nil }
            state.uses += 1
            state.entries.values[index].use = state.uses
            return state.entries.values[index].value
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
