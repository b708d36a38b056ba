/// A queue on a ring: in at either end, out at the front, no work per element beyond that.
struct Line<Element> {
    private var ring: [Element?] = []
    private var head = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ element: Element) {
        growIfFull()
        ring[(head + count) & (ring.count - 1)] = element
        count += 1
    }

    mutating func prepend(_ element: Element) {
        growIfFull()
        head = (head + ring.count - 1) & (ring.count - 1)
        ring[head] = element
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = ring[head]
        ring[head] = nil
        head = (head + 1) & (ring.count - 1)
        count -= 1
        return element
    }

    /// Capacities are powers of two, so that a mask finds the place.
    private mutating func growIfFull() {
        guard count == ring.count else { return }
        var larger: [Element?] = []
        larger.reserveCapacity(max(4, ring.count * 2))
        for index in 0..<count { larger.append(ring[(head + index) & (ring.count - 1)]) }
        while larger.count < max(4, ring.count * 2) { larger.append(nil) }
        ring = larger
        head = 0
    }
}
