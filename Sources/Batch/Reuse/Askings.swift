/// Which of the items that a run remembers were asked for, and what was looked at before that.
struct Askings {
    /// So many of them are kept that were looked at.
    private static let readyLimit = 2_048

    /// By their place among the entries.
    var asked: [Bool]
    private var ready: [Int: ItemLine] = [:]
    /// What stands before it in the journal is of no use any more to who looks ahead.
    private var passed: Int64 = 0
    /// Nobody will ask any more.
    var isOver = false

    init(count: Int) { asked = Array(repeating: false, count: count) }

    var isFull: Bool { ready.count >= Self.readyLimit }

    /// Whoever asks ahead of all that is kept does not want it, or wants it later: it gives way.
    mutating func ask(_ index: Int, at offset: Int64) -> ItemLine? {
        asked[index] = true
        let item = ready.removeValue(forKey: index)
        if item == nil, isFull {
            ready = [:]
            passed = max(passed, offset)
        }
        return item
    }

    func isWanted(_ index: Int, at offset: Int64) -> Bool { !asked[index] && offset > passed }

    /// Keeps what was looked at, unless somebody asked meanwhile.
    mutating func keep(_ item: ItemLine, of index: Int) {
        if !asked[index] { ready[index] = item }
    }
}
