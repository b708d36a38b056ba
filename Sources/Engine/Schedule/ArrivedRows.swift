import Transport

/// Rows that came and have not begun, with what their caller keeps of each; for a caller's one task.
package final class ArrivedRows<Row> {
    private var lookAhead: LookAhead
    private var rows: [Int: Row] = [:]

    package init(_ bounds: LookAheadBounds) { lookAhead = LookAhead(bounds) }

    /// Another row may be read.
    package var hasRoom: Bool { lookAhead.hasRoom }

    /// Takes a row that came; `make` is told whether it waits for an earlier one with its source.
    package func add(
        at index: Int, _ source: SourceReference?, _ make: (_ isFollower: Bool) -> Row
    ) {
        let isFollower = lookAhead.add(PlannedRow(place: index, index: index), source)
        rows[index] = make(isFollower)
    }

    /// The next row that may begin.
    package func next() -> (start: LookAhead.Start, row: Row)? {
        guard let start = lookAhead.next(), let row = rows.removeValue(forKey: start.row.index)
        else { return nil }
        return (start, row)
    }

    /// Discards the rows that have not begun.
    package func stop() {
        lookAhead.stop()
        rows = [:]
    }

    /// Notes that a row has ended; `end` is what others with its source can go by.
    package func ended(_ start: LookAhead.Start, _ end: SharedResult?) {
        lookAhead.ended(start.ticket, end)
    }
}
