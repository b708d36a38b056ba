import Synchronization

/// The sum of bytes that bodies hold, and a call for when it falls below a mark.
final class HeldBytes: Sendable {
    private let sum = Atomic<Int>(0)
    let mark: Int
    private let onRoom: @Sendable () -> Void

    init(mark: Int, onRoom: @escaping @Sendable () -> Void) {
        self.mark = mark
        self.onRoom = onRoom
    }

    var value: Int { sum.load(ordering: .relaxed) }

    func add(_ count: Int) {
        let (old, new) = sum.add(count, ordering: .relaxed)
        if old >= mark, new < mark { onRoom() }
    }
}
