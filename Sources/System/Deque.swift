/// A ring buffer: inserts at both ends and removes at the front, in amortised constant time.
@usableFromInline
package struct Deque<Element> {
    @usableFromInline var ring: [Element?] = []
    @usableFromInline var head = 0
    @usableFromInline var elementCount = 0

    @inlinable package init() {}

    @inlinable package var count: Int { elementCount }

    @inlinable package var isEmpty: Bool { count == 0 }

    @inlinable package var first: Element? { count == 0 ? nil : ring[head] }

    @inlinable package mutating func append(_ element: Element) {
        growIfFull()
        ring[(head + count) & (ring.count - 1)] = element
        elementCount += 1
    }

    @inlinable package mutating func prepend(_ element: Element) {
        growIfFull()
        head = (head + ring.count - 1) & (ring.count - 1)
        ring[head] = element
        elementCount += 1
    }

    @inlinable package mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = ring[head]
        ring[head] = nil
        head = (head + 1) & (ring.count - 1)
        elementCount -= 1
        return element
    }

    /// Removes the first element that `matches` and keeps the order of the others. Takes linear
    /// time.
    @inlinable package mutating func removeFirst(where matches: (Element) -> Bool) -> Element? {
        for index in 0..<count {
            guard let element = ring[slot(index)], matches(element) else { continue }
            for later in index + 1..<max(count, index + 1) {
                ring[slot(later - 1)] = ring[slot(later)]
            }
            ring[slot(count - 1)] = nil
            elementCount -= 1
            return element
        }
        return nil
    }

    @inlinable package mutating func removeAll() -> [Element] {
        defer { self = Deque() }
        return (0..<count).compactMap { ring[slot($0)] }
    }

    @inlinable func slot(_ index: Int) -> Int { (head + index) & (ring.count - 1) }

    /// Capacities are powers of two, so that a mask gives the slot.
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
