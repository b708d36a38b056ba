/// Things to do at a time, the earliest first.
struct TimerHeap<Element> {
    private var entries: [(at: Int64, element: Element)] = []

    /// The earliest time, or nil when there is nothing to do.
    var earliest: Int64? { entries.first?.at }

    mutating func add(_ element: Element, at time: Int64) {
        entries.append((time, element))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].at < entries[parent].at else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes the earliest out if its time has come.
    mutating func popDue(at now: Int64) -> Element? {
        guard let first = entries.first, first.at <= now else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return first.element
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].at < entries[least].at {
                least = child
            }
            if least == parent { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
