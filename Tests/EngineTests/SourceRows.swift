import Engine
import Transport

/// Rows that consist only of a source, read ahead as there is room.
struct SourceRows {
    let sources: [String]
    private(set) var lookAhead: LookAhead
    private var read = 0

    init(_ sources: [String], _ bounds: LookAheadBounds) {
        self.sources = sources
        lookAhead = LookAhead(bounds)
    }

    mutating func next() -> LookAhead.Start? {
        while lookAhead.hasRoom, read < sources.count {
            let item = BatchItem(index: read, argument: sources[read])
            lookAhead.add(
                PlannedRow(place: read, index: read), item.knownReference(remoteOnly: false))
            read += 1
        }
        return lookAhead.next()
    }

    mutating func ended(_ start: LookAhead.Start) { lookAhead.ended(start.ticket, nil) }
}
