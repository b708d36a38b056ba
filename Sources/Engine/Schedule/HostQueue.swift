import System
import Transport

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
