/// A queue on a ring: in at either end, out at the front, no work per element beyond that.
@usableFromInline
package struct Deque<Element> {
    @usableFromInline var ring: [Element?] = []
    @usableFromInline var head = 0
    @usableFromInline var slots = 0

    @inlinable package init() {}

    @inlinable package var count: Int { slots }

    @inlinable package var isEmpty: Bool { count == 0 }

    @inlinable package var first: Element? { count == 0 ? nil : ring[head] }

    @inlinable package mutating func append(_ element: Element) {
        growIfFull()
        ring[(head + count) & (ring.count - 1)] = element
        slots += 1
    }

    @inlinable package mutating func prepend(_ element: Element) {
        growIfFull()
        head = (head + ring.count - 1) & (ring.count - 1)
        ring[head] = element
        slots += 1
    }

    @inlinable package mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = ring[head]
        ring[head] = nil
        head = (head + 1) & (ring.count - 1)
        slots -= 1
        return element
    }

    /// Takes out the first element that `matches`; the others keep their order. Takes time with
    /// their number.
    @inlinable package mutating func removeFirst(where matches: (Element) -> Bool) -> Element? {
        for index in 0..<count {
            guard let element = ring[slot(index)], matches(element) else { continue }
            for later in index + 1..<max(count, index + 1) {
                ring[slot(later - 1)] = ring[slot(later)]
            }
            ring[slot(count - 1)] = nil
            slots -= 1
            return element
        }
        return nil
    }

    /// Takes out everything, the first one first.
    @inlinable package mutating func removeAll() -> [Element] {
        defer { self = Deque() }
        return (0..<count).compactMap { ring[slot($0)] }
    }

    @inlinable func slot(_ index: Int) -> Int { (head + index) & (ring.count - 1) }

    /// Capacities are powers of two, so that a mask finds the slot.
    @inlinable mutating func growIfFull() {
        guard count == ring.count else { return }
        var larger: [Element?] = []
        larger.reserveCapacity(max(4, ring.count * 2))
        for index in 0..<count { larger.append(ring[slot(index)]) }
        while larger.count < max(4, ring.count * 2) { larger.append(nil) }
        ring = larger
        head = 0
    }
}
