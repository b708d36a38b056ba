import System

/// How long a task waits for its cell.
struct CellPatience {
    /// The moment at which the cell is killed, whatever it did.
    private(set) var deadline: UInt64
    /// What the processors may have worked for the cell's process, since that began.
    let processorLimit: UInt64
    /// What they had worked when the order was given.
    private let processorStart: UInt64

    init(from moment: UInt64, _ nanoseconds: UInt64, processor: UInt64, of cell: Cell) {
        deadline = moment.saturating(plus: nanoseconds)
        processorStart = cell.processorTime ?? 0
        processorLimit = processorStart.saturating(plus: processor)
    }

    /// Time went by that is not the cell's.
    mutating func extend(by nanoseconds: UInt64) {
        deadline = deadline.saturating(plus: nanoseconds)
    }

    /// The first moment at which the processors can have worked that long: a cell has one thread.
    /// One with more is found out a little later.
    var look: UInt64 { MonotonicClock.now.saturating(plus: processorLimit - processorStart) }

    /// What the processors worked since the order was given.
    func used(by cell: Cell) -> UInt64? {
        cell.processorTime.map { $0 - min($0, processorStart) }
    }
}

extension UInt64 {
    fileprivate func saturating(plus other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
