import Digest
import System
import Transport

/// How much of a list may be under way at once.
package struct LookAheadBounds: Sendable {
    /// Rows that are read ahead.
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

    /// For who reads no more than may begin. Of each source one stands on it after the other, so that
    /// what several draw of it alike is drawn once.
    package init() {
        (rows, local, perHost, remote) = (.max, .max, .max, .max)
        perSource = 1
    }
}

/// The rows that were read ahead, and which of them may begin.
///
/// Rows are lined up by the host they wait for; hosts are served in turn, so that a slow one at the
/// head of a list holds nobody up. A row whose source is wanted by an earlier row of the look-ahead
/// waits for what comes of that one. Where rows come from, and how one is read again, is the
/// caller's.
package struct LookAhead {
    /// A row that may begin.
    package struct Start: Sendable {
        package let row: PlannedRow
        /// What came of the same source before; nil for an item that has to find out.
        package let shared: SharedResult?
        /// For whoever hands it back when it has ended.
        package let ticket: Ticket
    }

    /// What is to be handed back when an item has ended.
    package struct Ticket: Sendable {
        fileprivate let host: HostKey
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
        var end: SharedResult?
        /// Followers under way.
        var open = 0
    }

    private let bounds: LookAheadBounds
    /// Rows that were read and have not begun.
    private var held = 0
    private var queues: [HostKey: HostQueue] = [:]
    private var turns: [HostKey] = []
    private var firstTurn = 0
    private var groups: [SourceKey: Group] = [:]
    /// Groups whose followers may begin.
    private var ready: [SourceKey] = []
    private var remoteOpen = 0
    /// Items in progress that reuse a result, of all groups. Without a bound for all of them, every
    /// group could leave its last items behind while the next one begins.
    private var followersOpen = 0

    private var isStopped = false

    package init(_ bounds: LookAheadBounds) { self.bounds = bounds }

    /// Another row may be read.
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

    /// Takes a row that was read.
    ///
    /// - Parameter source: what it names; nil where that is nothing to be loaded.
    /// - Returns: whether it waits for an earlier row with the same source.
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

    /// The next row that may begin; `nil` while everything that is left waits for an end.
    package mutating func next() -> Start? {
        if let start = follower() { return start }
        // Each finished source keeps its result until its rows are done, so no more sources begin
        // while that many wait for a place among the followers.
        guard ready.count < bounds.perHost else { return nil }
        while let host = popTurn() {
            // In its place: a queue that is taken out and put back copies its rows.
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

    /// Notes that an item has ended; `end` is what others with its source can go by.
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

    /// A row whose source is known already.
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

    /// A group ends with its last row; what it kept is let go.
    private mutating func closeIfDone(_ key: SourceKey, _ group: Group) {
        if group.hasEnded, group.followers.isEmpty, group.open == 0 { groups[key] = nil }
    }

    /// Puts a host in line if one of its rows may begin.
    private mutating func list(_ host: HostKey) {
        guard let queue = queues[host], !queue.isListed, !queue.isEmpty,
            queue.open < (host.isLocal ? bounds.local : bounds.perHost)
        else { return }
        queues[host]?.isListed = true
        turns.append(host)
    }

    private mutating func popTurn() -> HostKey? {
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

/// Items that wait for the same thing: the disk, or one host.
struct HostKey: Hashable, Sendable {
    /// Scheme and authority as listed, in small letters; empty for everything of this machine.
    ///
    /// Only fairness hangs on it, so two spellings of one host may pass as two.
    let text: String

    static let local = HostKey(text: "")

    private init(text: String) {
        self.text = text
    }

    init(_ source: SourceReference?) {
        guard let source, source.kind == .remote else {
            self = .local
            return
        }
        var slashes = 0
        let end = source.text.firstIndex { character in
            if character == "/" { slashes += 1 }
            return slashes == 3 || (slashes == 2 && (character == "?" || character == "#"))
        }
        let origin = source.text[..<(end ?? source.text.endIndex)]
        // What stands before the host names a user, not another host.
        guard let at = origin.lastIndex(of: "@"), let start = origin.firstRange(of: "://") else {
            self.init(text: origin.lowercased())
            return
        }
        let host = origin[origin.index(after: at)...]
        self.init(text: (origin[..<start.upperBound] + host).lowercased())
    }

    var isLocal: Bool { text.isEmpty }
}

/// The rows of one host in the order of the list, and how many of its items are under way.
struct HostQueue {
    private var rows = Deque<WaitingRow>()
    /// Items under way.
    var open = 0
    /// It stands among the queues whose turn will come.
    var isListed = false

    var isEmpty: Bool { rows.isEmpty }

    mutating func append(_ row: WaitingRow) { rows.append(row) }

    /// The next row, which is under way from now on.
    mutating func begin() -> WaitingRow? {
        isListed = false
        guard let row = rows.popFirst() else { return nil }
        open += 1
        return row
    }
}

/// A row that has not begun: as little as it takes to read it again.
package struct PlannedRow: Hashable, Sendable {
    /// The place of its line in the manifest.
    package let place: Int
    /// Its index among all rows.
    package let index: Int

    package init(place: Int, index: Int) {
        self.place = place
        self.index = index
    }
}

struct WaitingRow: Sendable {
    let row: PlannedRow
    /// What its source is known by.
    let key: SourceKey?
}

/// What makes two sources the same: the kind, and the path or the text.
struct SourceKey: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Nil for what is read once only, and for rows without a source.
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
