import Digest
import System
import Transport

/// The limits on the rows that are read ahead and on the items in progress.
package struct LookAheadBounds: Sendable {
    /// The most rows that were read and have not begun.
    package var rows = 65_536
    /// The most items in progress with local sources. The same limit applies separately to items
    /// that reuse the result of another row.
    package var local: Int
    /// The most items in progress that reuse the result of one source; nil for the value of
    /// `local`.
    package var perSource: Int?
    /// The most items in progress of one host: enough that its transfers never wait for a renderer.
    package var perHost: Int
    /// The most items in progress of all hosts, including items that wait for a retry.
    package var remote: Int

    package init(_ settings: RunSettings, local: Int) {
        self.local = local
        perHost = settings.network.perHost * 2 + local
        remote = settings.network.connections * 8 + local
    }

    /// Creates bounds for callers that read a row only if it can begin at once. The items of one
    /// source begin one after another, so that each drawing is made once and then reused.
    package init() {
        (rows, local, perHost, remote) = (.max, .max, .max, .max)
        perSource = 1
    }
}

/// The rows that were read ahead of the work, and the choice of the next row to begin.
///
/// Each host has a queue of rows, and the queues are served in rotation, so that a slow host at the
/// head of a list does not delay others. A row with the same source as an earlier row waits for the
/// result of that row. Only the position of a row is kept; the caller reads the row again when it
/// begins.
package struct LookAhead {
    package struct Start: Sendable {
        package let row: PlannedRow
        /// The result of an earlier row with the same source; nil for a row that must load its
        /// source.
        package let shared: SharedResult?
        package let ticket: Ticket
    }

    /// The value to pass to `ended` when the item of the row has ended.
    package struct Ticket: Sendable {
        fileprivate let host: HostKey
        fileprivate let key: SourceKey?
        /// Whether the item reuses the result of an earlier row with the same source.
        package let isFollower: Bool
    }

    /// The rows with the same source. The first row loads the source, and the followers reuse its
    /// result.
    private final class Group {
        var followers: [PlannedRow] = []
        var hasEnded = false
        /// The result of the first row; nil if the run was stopped before it was known.
        var end: SharedResult?
        var inProgress = 0
    }

    private let bounds: LookAheadBounds
    /// The number of rows that were read and have not begun.
    private var waitingCount = 0
    private var queues: [HostKey: HostQueue] = [:]
    /// The hosts with a row that may begin, in rotation; the entries before `firstReady` were
    /// removed.
    private var readyHosts: [HostKey] = []
    private var firstReady = 0
    private var groups: [SourceKey: Group] = [:]
    /// The sources with a result and rows that wait to reuse it.
    private var readySources: [SourceKey] = []
    /// The number of items in progress that load from a host.
    private var remoteInProgress = 0
    /// The number of items in progress that reuse a result, over all sources. Without a bound on
    /// this number, the rows of the next source would begin while the last rows of many other
    /// sources are in progress.
    private var followersInProgress = 0

    private var isStopped = false

    package init(_ bounds: LookAheadBounds) { self.bounds = bounds }

    package var hasRoom: Bool { waitingCount < bounds.rows && !isStopped }

    /// Discards the rows that have not begun, and the results that are kept for them: an item in
    /// progress may be waiting for the memory of these results.
    package mutating func stop() {
        guard !isStopped else { return }
        isStopped = true
        waitingCount = 0
        queues = [:]
        readyHosts = []
        firstReady = 0
        groups = [:]
        readySources = []
    }

    /// Adds a row that was read.
    ///
    /// - Parameter source: The parsed source; nil if there is nothing to load.
    /// - Returns: Whether the row waits for an earlier row with the same source.
    @discardableResult
    package mutating func add(_ row: PlannedRow, _ source: SourceReference?) -> Bool {
        guard !isStopped else { return false }
        let waiting = WaitingRow(row: row, key: SourceKey(source))
        waitingCount += 1
        if let key = waiting.key {
            if let group = groups[key] {
                group.followers.append(row)
                if group.hasEnded, group.followers.count == 1 { readySources.append(key) }
                return true
            }
            groups[key] = Group()
        }
        let host = HostKey(source)
        queues[host, default: HostQueue()].append(waiting)
        listIfReady(host)
        return false
    }

    /// Returns the next row that may begin; `nil` while all remaining rows wait until another row
    /// ends.
    package mutating func next() -> Start? {
        if let start = follower() { return start }
        // A source keeps its result in memory until all its rows have ended. So no other source
        // begins while many sources have rows that wait to reuse a result.
        guard readySources.count < bounds.perHost else { return nil }
        while let host = popReadyHost() {
            // The queue is changed in place, since a copy would copy its rows.
            guard let waiting = queues[host]?.begin() else {
                if queues[host]?.inProgress == 0 { queues[host] = nil }
                continue
            }
            if !host.isLocal { remoteInProgress += 1 }
            waitingCount -= 1
            listIfReady(host)
            return Start(
                row: waiting.row, shared: nil,
                ticket: Ticket(host: host, key: waiting.key, isFollower: false))
        }
        return nil
    }

    /// Records that an item has ended; `end` is the result for other rows with its source.
    package mutating func ended(_ ticket: Ticket, _ end: SharedResult?) {
        if ticket.isFollower {
            followersInProgress -= 1
            guard let key = ticket.key, let group = groups[key] else { return }
            group.inProgress -= 1
            closeIfDone(key, group)
            return
        }
        if !ticket.host.isLocal { remoteInProgress -= 1 }
        queues[ticket.host]?.inProgress -= 1
        if let queue = queues[ticket.host], queue.inProgress == 0, queue.isEmpty {
            queues[ticket.host] = nil
        }
        listIfReady(ticket.host)
        if let key = ticket.key, let group = groups[key] {
            group.hasEnded = true
            group.end = end
            if !group.followers.isEmpty { readySources.append(key) }
            closeIfDone(key, group)
        }
    }

    /// Returns the next row that can reuse a result.
    private mutating func follower() -> Start? {
        while let key = readySources.last {
            guard let group = groups[key], !group.followers.isEmpty else {
                readySources.removeLast()
                continue
            }
            guard group.inProgress < bounds.perSource ?? bounds.local,
                followersInProgress < bounds.local
            else { return nil }
            let row = group.followers.removeLast()
            group.inProgress += 1
            followersInProgress += 1
            waitingCount -= 1
            return Start(
                row: row, shared: group.end,
                ticket: Ticket(host: .local, key: key, isFollower: true))
        }
        return nil
    }

    /// Removes a group and its result after its last row.
    private mutating func closeIfDone(_ key: SourceKey, _ group: Group) {
        if group.hasEnded, group.followers.isEmpty, group.inProgress == 0 { groups[key] = nil }
    }

    /// Adds the host to the rotation if one of its rows may begin.
    private mutating func listIfReady(_ host: HostKey) {
        guard let queue = queues[host], !queue.isListed, !queue.isEmpty,
            queue.inProgress < (host.isLocal ? bounds.local : bounds.perHost)
        else { return }
        queues[host]?.isListed = true
        readyHosts.append(host)
    }

    private mutating func popReadyHost() -> HostKey? {
        while firstReady < readyHosts.count {
            // At the limit of remote items, local items can still begin.
            guard remoteInProgress >= bounds.remote, !readyHosts[firstReady].isLocal else {
                defer { dropFirstReady() }
                return readyHosts[firstReady]
            }
            guard let local = readyHosts[firstReady...].firstIndex(of: .local) else { return nil }
            readyHosts.swapAt(firstReady, local)
        }
        return nil
    }

    private mutating func dropFirstReady() {
        firstReady += 1
        if firstReady > 1024, firstReady * 2 > readyHosts.count {
            readyHosts.removeFirst(firstReady)
            firstReady = 0
        }
    }
}

/// The origin from which items load: the local disk, or one host.
struct HostKey: Hashable, Sendable {
    /// Scheme and authority as listed, in lower case; empty for local sources.
    ///
    /// The text only affects the order of rows, so two spellings of one host may count as two
    /// hosts.
    let text: String

    static let local = HostKey(nil)

    init(_ source: SourceReference?) {
        text =
            switch source?.kind {
            case .remote: source.flatMap { URLGrammar.origin(of: $0.text) } ?? ""
            case .file, .data, .icon, .standardInput, .given, nil: ""
            }
    }

    var isLocal: Bool { text.isEmpty }
}

/// The rows of one host in list order, and the number of its items in progress.
struct HostQueue {
    private var rows = Deque<WaitingRow>()
    var inProgress = 0
    /// Whether the host is in the rotation of `LookAhead`.
    var isListed = false

    var isEmpty: Bool { rows.isEmpty }

    mutating func append(_ row: WaitingRow) { rows.append(row) }

    /// Removes the next row and counts it as in progress.
    mutating func begin() -> WaitingRow? {
        isListed = false
        guard let row = rows.popFirst() else { return nil }
        inProgress += 1
        return row
    }
}

/// The position of a row that has not begun, from which the caller reads it again.
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

    /// Creates the key; nil for a source that can be read only once, and for a row without a
    /// source.
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
