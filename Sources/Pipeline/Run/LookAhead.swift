import Transport

/// The next rows of a plan, and which of them may begin.
///
/// Up to 65,536 rows are read ahead and lined up by the host they wait for; hosts are served in
/// turn, so that a slow one at the head of a list holds nobody up. A row whose source is wanted by
/// an earlier row of the look-ahead waits for what comes of that one.
package struct LookAhead {
    /// How much may be under way at once.
    package struct Bounds: Sendable {
        /// Rows that are read ahead.
        package var rows = 65_536
        /// Items of this machine.
        package var local: Int
        /// Items of one host: enough that its transfers never wait for a renderer.
        package var perHost: Int
        /// Items of all hosts; those that wait for their next attempt count too.
        package var remote: Int

        package init(_ settings: RunSettings) {
            local = settings.jobs * 2 + 2
            perHost = settings.network.perHost * 2 + local
            remote = settings.network.connections * 8 + local
        }
    }

    /// An item that may begin.
    package struct Start: Sendable {
        package let row: PlannedRow
        package let item: BatchItem
        /// What came of the same source before; nil for an item that has to find out.
        let shared: KeptSource?
        /// For whoever hands it back when it has ended.
        package let ticket: Ticket
    }

    /// What is to be handed back when an item has ended.
    package struct Ticket: Sendable {
        fileprivate let lane: LaneKey
        fileprivate let key: SourceKey?
        /// It stands on what came of an earlier row with the same source.
        package let isFollower: Bool
    }

    /// The rows that want one source.
    private final class Group {
        var followers: [PlannedRow] = []
        /// The first row has ended.
        var hasEnded = false
        /// What came of it; nil if the run was asked to stop before that was known.
        var end: KeptSource?
        /// Followers under way.
        var open = 0
    }

    private let bounds: Bounds
    private let remoteOnly: Bool
    private var places: StrideTo<Int>.Iterator
    private var nextPlace = 0
    private var isRead = false
    /// Rows that were read and have not begun.
    private var held = 0
    private var lanes: [LaneKey: Lane] = [:]
    private var turns: [LaneKey] = []
    private var firstTurn = 0
    private var groups: [SourceKey: Group] = [:]
    /// Groups whose followers may begin.
    private var ready: [SourceKey] = []
    private var remoteOpen = 0

    package init(_ places: StrideTo<Int>, bounds: Bounds, remoteOnly: Bool) {
        self.places = places.makeIterator()
        self.bounds = bounds
        self.remoteOnly = remoteOnly
    }

    /// The next item that may begin; `nil` while everything that is left waits for an end.
    package mutating func next(in plan: BatchPlan) throws(PlanError) -> Start? {
        if let start = try follower(in: plan) { return start }
        try fill(from: plan)
        while let key = popTurn() {
            guard var lane = lanes[key] else { continue }
            lane.isListed = false
            guard let row = lane.popFirst() else {
                lanes[key] = lane.open == 0 ? nil : lane
                continue
            }
            lane.open += 1
            if !key.isLocal { remoteOpen += 1 }
            held -= 1
            lanes[key] = lane
            list(key)
            let item = try plan.item(at: row.index)
            return Start(
                row: row, item: item, shared: nil,
                ticket: Ticket(
                    lane: key, key: row.key, isFollower: false))
        }
        return nil
    }

    /// Notes that an item has ended; `end` is what others with its source can go by.
    package mutating func ended(_ ticket: Ticket, _ end: KeptSource?) {
        if ticket.isFollower {
            guard let key = ticket.key, let group = groups[key] else { return }
            group.open -= 1
            closeIfDone(key, group)
            return
        }
        if !ticket.lane.isLocal { remoteOpen -= 1 }
        if var lane = lanes[ticket.lane] {
            lane.open -= 1
            lanes[ticket.lane] = lane.open == 0 && lane.isEmpty ? nil : lane
            list(ticket.lane)
        }
        if let key = ticket.key, let group = groups[key] {
            group.hasEnded = true
            group.end = end
            if !group.followers.isEmpty { ready.append(key) }
            closeIfDone(key, group)
        }
    }

    /// Reads rows until the look-ahead is full.
    private mutating func fill(from plan: BatchPlan) throws(PlanError) {
        while !isRead, held < bounds.rows {
            guard let index = places.next() else {
                isRead = true
                return
            }
            let source = reference(of: try plan.item(at: index))
            let row = PlannedRow(place: nextPlace, index: index, key: SourceKey(source))
            nextPlace += 1
            held += 1
            if let key = row.key {
                if let group = groups[key] {
                    group.followers.append(row)
                    if group.hasEnded, group.followers.count == 1 { ready.append(key) }
                    continue
                }
                groups[key] = Group()
            }
            let lane = LaneKey(source)
            lanes[lane, default: Lane()].append(row)
            list(lane)
        }
    }

    /// A row whose source is known already.
    private mutating func follower(in plan: BatchPlan) throws(PlanError) -> Start? {
        while let key = ready.last {
            guard let group = groups[key], !group.followers.isEmpty else {
                ready.removeLast()
                continue
            }
            guard group.open < bounds.local else { return nil }
            let row = group.followers.removeLast()
            group.open += 1
            held -= 1
            return Start(
                row: row, item: try plan.item(at: row.index), shared: group.end,
                ticket: Ticket(lane: .local, key: key, isFollower: true))
        }
        return nil
    }

    /// A group ends with its last row; what it kept is let go.
    private mutating func closeIfDone(_ key: SourceKey, _ group: Group) {
        if group.hasEnded, group.followers.isEmpty, group.open == 0 { groups[key] = nil }
    }

    private func reference(of item: BatchItem) -> SourceReference? {
        do throws(IntakeError) {
            return try item.reference(remoteOnly: remoteOnly)
        } catch {
            return nil
        }
    }

    /// Puts a lane in line if one of its rows may begin.
    private mutating func list(_ key: LaneKey) {
        guard var lane = lanes[key], !lane.isListed, !lane.isEmpty,
            lane.open < (key.isLocal ? bounds.local : bounds.perHost)
        else { return }
        lane.isListed = true
        lanes[key] = lane
        turns.append(key)
    }

    private mutating func popTurn() -> LaneKey? {
        while firstTurn < turns.count {
            // With every place for remote items taken, those of this machine still go on.
            guard remoteOpen >= bounds.remote, !turns[firstTurn].isLocal else {
                defer { advanceTurn() }
                return turns[firstTurn]
            }
            guard let local = turns[firstTurn...].firstIndex(of: .local) else { return nil }
            turns.swapAt(firstTurn, local)
        }
        return nil
    }

    private mutating func advanceTurn() {
        firstTurn += 1
        if firstTurn > 1024, firstTurn * 2 > turns.count {
            turns.removeFirst(firstTurn)
            firstTurn = 0
        }
    }
}
