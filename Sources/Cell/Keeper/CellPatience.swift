import System

/// How long a task waits for its cell.
struct CellPatience {
    /// The moment at which the cell is killed, whatever it did.
    var deadline: UInt64
    /// What the processors may have worked for the cell's process, since that began.
    let processorLimit: UInt64
    /// What they had worked when the order was given.
    private let processorStart: UInt64

    init(deadline: UInt64, processor nanoseconds: UInt64, of cell: Cell) {
        self.deadline = deadline
        processorStart = cell.processorTime ?? 0
        let (sum, overflow) = processorStart.addingReportingOverflow(nanoseconds)
        processorLimit = overflow ? .max : sum
    }

    /// The first moment at which the processors can have worked that long: a cell has one thread.
    /// One with more is found out a little later.
    var look: UInt64 {
        let (sum, overflow) = MonotonicClock.now.addingReportingOverflow(
            processorLimit - processorStart)
        return overflow ? .max : sum
    }

    /// What the processors worked since the order was given.
    func used(by cell: Cell) -> UInt64? {
        cell.processorTime.map { $0 - min($0, processorStart) }
    }
}
