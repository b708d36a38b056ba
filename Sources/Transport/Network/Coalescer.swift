/// The callers of equal loads: the first begins the load, the others wait for the same result.
///
/// A load has the number of the caller that began it, and runs while at least one caller waits.
/// `LookAhead` has already grouped the rows of a list by source: there a waiting row costs no task,
/// and rows share the decoded image as well. Coalescing here is for callers without a list, and for
/// rows whose URLs are spelled differently but lead to one address.
package struct Coalescer<Key: Hashable, Waiter> {
    private struct Load {
        let key: Key
        var waiters: [(id: UInt64, waiter: Waiter)]
    }

    package enum LeaveResult {
        case unknown
        /// Other callers still wait for the load.
        case others(Waiter)
        /// The last caller has left the load with this number.
        case last(Waiter, load: UInt64)
    }

    private var loads: [UInt64: Load] = [:]
    private var loadOfKey: [Key: UInt64] = [:]
    private var loadOfWaiter: [UInt64: UInt64] = [:]

    package init() {}

    package var ids: [UInt64] { loads.keys.sorted() }

    /// Adds a caller; true if it begins the load, which then has the caller's number.
    package mutating func join(_ key: Key, id: UInt64, _ waiter: Waiter) -> Bool {
        if let load = loadOfKey[key] {
            loads[load]?.waiters.append((id, waiter))
            loadOfWaiter[id] = load
            return false
        }
        loads[id] = Load(key: key, waiters: [(id, waiter)])
        loadOfKey[key] = id
        loadOfWaiter[id] = id
        return true
    }

    package mutating func leave(_ id: UInt64) -> LeaveResult {
        guard let number = loadOfWaiter.removeValue(forKey: id), let load = loads[number],
            let index = load.waiters.firstIndex(where: { $0.id == id })
        else { return .unknown }
        let waiter = load.waiters[index].waiter
        guard load.waiters.count > 1 else {
            loads[number] = nil
            loadOfKey[load.key] = nil
            return .last(waiter, load: number)
        }
        loads[number]?.waiters.remove(at: index)
        return .others(waiter)
    }

    /// Ends a load and returns its callers in the order in which they joined.
    package mutating func finish(_ number: UInt64) -> [Waiter] {
        guard let load = loads.removeValue(forKey: number) else { return [] }
        loadOfKey[load.key] = nil
        for waiter in load.waiters { loadOfWaiter[waiter.id] = nil }
        return load.waiters.map(\.waiter)
    }
}
