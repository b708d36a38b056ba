import System
import Transport

/// Items that wait for the same thing: the disk, or one host.
struct LaneKey: Hashable, Sendable {
    /// Scheme and authority as listed, in small letters; empty for everything of this machine.
    ///
    /// Only fairness hangs on it, so two spellings of one host may pass as two.
    let text: String

    static let local = LaneKey(text: "")

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

/// The rows of one lane in the order of the list, and how many of its items are under way.
struct Lane {
    private var rows = Deque<PlannedRow>()
    /// Items under way.
    var open = 0
    /// It stands among the lanes whose turn will come.
    var isListed = false

    var isEmpty: Bool { rows.isEmpty }

    mutating func append(_ row: PlannedRow) { rows.append(row) }

    mutating func popFirst() -> PlannedRow? { rows.popFirst() }
}

/// An item that was not begun yet: as little as it takes to read it again.
package struct PlannedRow: Hashable, Sendable {
    /// The place of its line in the manifest.
    package let place: Int
    /// Its index in the plan.
    package let index: Int
    /// What its source is known by.
    let key: SourceKey?
}
