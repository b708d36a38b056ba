/// Which lane a transfer goes by.
///
/// Connections stay with their lane, so a host keeps to the lanes that it had. One that has much
/// under way at once takes several, so that a list of one server is carried by several threads too.
package struct LanePlaces {
    /// So many transfers of a host share a lane before the next one is taken.
    package static let together = 2

    /// The lanes of a host.
    private struct Row {
        /// How many transfers each lane has of it.
        var counts: [Int]
        /// So many lanes from its first one on were wanted at once.
        var length = 1
        /// Which of them is the next where all have as many.
        var next = 0
    }

    /// Of so many hosts with more than one lane it is kept where they were, so that the next one is
    /// not always the first again.
    private static let keptRows = 256

    private let room: Int
    /// How many transfers each lane has.
    private var counts: [Int]
    private var rows: [String: Row] = [:]

    /// - Parameter room: so many transfers a lane has room for.
    package init(lanes: Int, room: Int) {
        self.room = room
        counts = Array(repeating: 0, count: max(1, lanes))
    }

    /// Finds a lane for one more transfer to a host: that of its row with the fewest of it, or the
    /// first beyond that is not full.
    package mutating func take(_ origin: String) -> Int {
        var row = rows[origin] ?? Row(counts: Array(repeating: 0, count: counts.count))
        let wanted = (row.counts.reduce(1, +) + Self.together - 1) / Self.together
        row.length = max(row.length, min(wanted, counts.count))
        let first = Int(UInt(bitPattern: origin.hashValue) % UInt(counts.count))
        var best: Int?
        for offset in counts.indices {
            if offset >= row.length, best != nil { break }
            let step = offset < row.length ? (row.next + offset) % row.length : offset
            let lane = (first + step) % counts.count
            guard counts[lane] < room, row.counts[lane] < best.map({ row.counts[$0] }) ?? .max
            else { continue }
            best = lane
        }
        let lane = best ?? first
        row.next = ((lane - first + counts.count) % counts.count + 1) % row.length
        row.counts[lane] += 1
        counts[lane] += 1
        rows[origin] = row
        return lane
    }

    /// A transfer of a host left its lane, or one that is not among them.
    package mutating func leave(_ lane: Int, _ origin: String) {
        guard lane < counts.count, var row = rows[origin], row.counts[lane] > 0 else { return }
        row.counts[lane] -= 1
        counts[lane] -= 1
        let isKept = row.length > 1 && rows.count <= Self.keptRows
        rows[origin] = isKept || row.counts.contains { $0 > 0 } ? row : nil
    }
}
