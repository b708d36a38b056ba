import Digest
import System
import Transport

/// The limits on the rows that are read ahead and on the items in progress.
package struct LookAheadBounds: Sendable {
    package var rows = 65_536
    /// Items with local sources; also the items that reuse the result of another row.
    package var local: Int
    /// Items that reuse the result of one source at the same time, if fewer than `local`.
    package var perSource: Int?
    /// Items of one host: enough that its transfers never wait for a renderer.
    package var perHost: Int
    /// Items of all hosts; those that wait for their next attempt count too.
    package var remote: Int

    package init(_ settings: RunSettings, local: Int) {
        self.local = local
        perHost = settings.network.perHost * 2 + local
        remote = settings.network.connections * 8 + local
    }

    /// Creates bounds for callers that read only rows that may begin. Items of one source reuse its
    /// result one after another, so that equal drawings are made once.
    package init() {
        (rows, local, perHost, remote) = (.max, .max, .max, .max)
        perSource = 1
    }
}

/// The rows that were read ahead, and which of them may begin.
///
/// Rows are queued by host, and hosts are served in turn, so that a slow host at the head of a list
/// does not delay others. A row whose source is also wanted by an earlier row waits for the result
/// of that row. The caller reads rows, and reads them again when they begin.
package struct LookAhead {
    package struct Start: Sendable {
        package let row: PlannedRow
        /// The result of the same source; nil for an item that must load it.
        package let shared: SharedResult?
        package let ticket: Ticket
    }

    /// The value to pass to `ended` when an item has ended.
    package struct Ticket: Sendable {
        fileprivate let host: HostKey
        fileprivate let key: SourceKey?
        /// Whether the item reuses the result of an earlier row with the same source.
        package let isFollower: Bool
    }

    private final class Group {
        var followers: [PlannedRow] = []
        var hasEnded = false
        /// The result of the first row; nil if the run was stopped before it was known.
        var end: SharedResult?
        var open = 0
    }

    private let bounds: LookAheadBounds
    /// The number of rows that were read and have not begun.
    private var held = 0
    private var queues: [HostKey: HostQueue] = [:]
    private var turns: [HostKey] = []
    private var firstTurn = 0
    private var groups: [SourceKey: Group] = [:]
    private var ready: [SourceKey] = []
    private var remoteOpen = 0
    /// Items in progress that reuse a result, of all groups. Without a bound for all of them, every
    /// group could leave its last items behind while the next one begins.
    private var followersOpen = 0

    private var isStopped = false

    package init(_ bounds: LookAheadBounds) { self.bounds = bounds }

    /// Whether another row may be read.
    package var hasRoom: Bool { held < bounds.rows && !isStopped }

    /// Discards the rows that have not begun, and the results that are kept for them. A result holds
    /// memory that an item in progress may be waiting for.
    package mutating func stop() {
        guard !isStopped else { return }
        isStopped = true
        held = 0
        queues = [:]
        turns = []
        firstTurn = 0
        groups = [:]
        ready = []
    }

    /// Adds a row that was read.
    ///
    /// - Parameter source: The parsed source; nil if there is nothing to load.
    /// - Returns: Whether the row waits for an earlier row with the same source.
    @discardableResult
    package mutating func add(_ row: PlannedRow, _ source: SourceReference?) -> Bool {
        guard !isStopped else { return false }
        let waiting = WaitingRow(row: row, key: SourceKey(source))
        held += 1
        if let key = waiting.key {
            if let group = groups[key] {
                group.followers.append(row)
                if group.hasEnded, group.followers.count == 1 { ready.append(key) }
                return true
            }
            groups[key] = Group()
        }
        let host = HostKey(source)
        queues[host, default: HostQueue()].append(waiting)
        list(host)
        return false
    }

    /// Returns the next row that may begin; `nil` while all remaining rows wait for another to end.
    package mutating func next() -> Start? {
        if let start = follower() { return start }
        // Each finished source keeps its result until its rows are done, so no more sources begin
        // while that many wait for a place among the followers.
        guard ready.count < bounds.perHost else { return nil }
        while let host = popTurn() {
            // Changed in place: taking the queue out and putting it back would copy its rows.
            guard let waiting = queues[host]?.begin() else {
                if queues[host]?.open == 0 { queues[host] = nil }
                continue
            }
            if !host.isLocal { remoteOpen += 1 }
            held -= 1
            list(host)
            return Start(
                row: waiting.row, shared: nil,
                ticket: Ticket(host: host, key: waiting.key, isFollower: false))
        }
        return nil
    }

    /// Records that an item has ended; `end` is the result for other rows with its source.
    package mutating func ended(_ ticket: Ticket, _ end: SharedResult?) {
        if ticket.isFollower {
            followersOpen -= 1
            guard let key = ticket.key, let group = groups[key] else { return }
            group.open -= 1
            closeIfDone(key, group)
            return
        }
        if !ticket.host.isLocal { remoteOpen -= 1 }
        queues[ticket.host]?.open -= 1
        if let queue = queues[ticket.host], queue.open == 0, queue.isEmpty {
            queues[ticket.host] = nil
        }
        list(ticket.host)
        if let key = ticket.key, let group = groups[key] {
            group.hasEnded = true
            group.end = end
            if !group.followers.isEmpty { ready.append(key) }
            closeIfDone(key, group)
        }
    }

    private mutating func follower() -> Start? {
        while let key = ready.last {
            guard let group = groups[key], !group.followers.isEmpty else {
                ready.removeLast()
                continue
            }
            guard group.open < bounds.perSource ?? bounds.local, followersOpen < bounds.local
            else { return nil }
            let row = group.followers.removeLast()
            group.open += 1
            followersOpen += 1
            held -= 1
            return Start(
                row: row, shared: group.end,
                ticket: Ticket(host: .local, key: key, isFollower: true))
        }
        return nil
    }

    /// Removes a group and its result after its last row.
    private mutating func closeIfDone(_ key: SourceKey, _ group: Group) {
        if group.hasEnded, group.followers.isEmpty, group.open == 0 { groups[key] = nil }
    }

    private mutating func list(_ host: HostKey) {
        guard let queue = queues[host], !queue.isListed, !queue.isEmpty,
            queue.open < (host.isLocal ? bounds.local : bounds.perHost)
        else { return }
        queues[host]?.isListed = true
        turns.append(host)
    }

    private mutating func popTurn() -> HostKey? {
        while firstTurn < turns.count {
            // At the limit of remote items, local items can still begin.
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

/// The resource that items share: the local disk, or one host.
struct HostKey: Hashable, Sendable {
    /// Scheme and authority as listed, in lower case; empty for local sources.
    ///
    /// It affects only fairness, so two spellings of one host may count as two.
    let text: String

    static let local = HostKey(nil)

    init(_ source: SourceReference?) {
        guard let source, source.kind == .remote else {
            text = ""
            return
        }
        text = URLGrammar.origin(of: source.text) ?? ""
    }

    var isLocal: Bool { text.isEmpty }
}

/// The rows of one host in list order, and the number of its items in progress.
struct HostQueue {
    private var rows = Deque<WaitingRow>()
    var open = 0
    var isListed = false

    var isEmpty: Bool { rows.isEmpty }

    mutating func append(_ row: WaitingRow) { rows.append(row) }

    /// Removes the next row and counts it as in progress.
    mutating func begin() -> WaitingRow? {
        isListed = false
        guard let row = rows.popFirst() else { return nil }
        open += 1
        return row
    }
}

/// A row that has not begun, with only the data that is needed to read it again.
package struct PlannedRow: Hashable, Sendable {
    /// The position of its line in the manifest.
    package let place: Int
    package let index: Int

    package init(place: Int, index: Int) {
        self.place = place
        self.index = index
    }
}

struct WaitingRow: Sendable {
    let row: PlannedRow
    let key: SourceKey?
}

/// The identity of a source: its kind, and its path or text.
struct SourceKey: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Nil for sources that can be read only once, and for rows without a source.
    init?(_ source: SourceReference?) {
        guard let source else { return nil }
        let text: [UInt8]? =
            switch source.kind {
            case .file(let path): [UInt8(ascii: "f")] + path.bytes
            case .remote, .data, .icon: [UInt8(ascii: "u")] + source.text.utf8
            case .standardInput, .given: nil
            }
        guard let text else { return nil }
        (high, low) = SHA256.hash(text.span).prefixWords
    }
}
