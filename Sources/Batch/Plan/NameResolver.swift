import Transport

/// Decides the name of each item from the hashes of all names.
///
/// Items of one set (same name, source and recipe) use the name of the first of them. If two sets
/// want one name, both get a suffix, so that a name never depends on the order. Suffixed names that
/// still collide are numbered in input order.
struct NameResolver {
    struct Tally {
        var renamed = 0
        var sharing = 0
        /// The first items of up to ten conflicting sets.
        var examples: [Int] = []
    }

    private(set) var tally = Tally()
    private var contested: NameSorter
    /// The hashes of wanted names that end like a numbered suffix; there are rarely any.
    private var numberedLookalikes: Set<UInt64> = []
    /// The hashes of numbered names that were shortened, so that different names can become equal.
    private var shortened: Set<UInt64> = []

    init(in folder: FilePath, runLength: Int) {
        contested = NameSorter(in: folder, runLength: runLength)
    }

    enum Change {
        /// The item uses the files of the item with this index.
        case follow(UInt32)
        /// The name gets a suffix and, from 2 on, this number.
        case number(UInt32)
    }

    /// Compares all entries and reports every item that does not get the name it wants. `reading`
    /// looks up an item's wanted name and source again, which is rarely needed.
    mutating func resolve(
        _ entries: inout NameSorter,
        report: (_ item: UInt32, Change) throws(PlanError) -> Void,
        reading: (_ item: UInt32) throws(PlanError) -> (wanted: String, source: String)
    ) throws(PlanError) {
        try group(&entries, report)
        var run = Run()
        var queue = contested
        try queue.drain { entry throws(PlanError) in
            if entry.name != run.name { run = Run(name: entry.name) }
            if entry.marks.contains(.isTaken) {
                run.next = 2
                return
            }
            try report(entry.index, .number(try freeNumber(&run, entry, reading)))
            tally.renamed += 1
            if tally.examples.count < 10 { tally.examples.append(Int(entry.index)) }
        }
    }

    /// A sequence of entries with the same suffixed name, and the next number for one of them.
    private struct Run {
        var name: UInt64?
        var next: UInt32 = 1
    }

    /// Finds the items that share files, and the sets that want the same name.
    private mutating func group(
        _ entries: inout NameSorter, _ report: (UInt32, Change) throws(PlanError) -> Void
    ) throws(PlanError) {
        var head: NameEntry?
        var isContested = false
        try entries.drain { entry throws(PlanError) in
            guard let known = head, known.name == entry.name else {
                try close(head, isContested)
                head = entry
                isContested = false
                return
            }
            if known.set == entry.set, known.setRest == entry.setRest {
                tally.sharing += 1
                try report(entry.index, .follow(known.index))
                return
            }
            try contest(known)
            head = entry
            isContested = true
        }
        try close(head, isContested)
    }

    /// Ends a group of equal names. `head` is the first item of its last set, which is in conflict
    /// with other sets if `isContested`.
    private mutating func close(_ head: NameEntry?, _ isContested: Bool) throws(PlanError) {
        guard let head else { return }
        if isContested { return try contest(head) }
        if head.marks.contains(.looksNumbered) { numberedLookalikes.insert(head.name) }
        if head.marks.contains(.looksSuffixed) {
            try contested.append(
                NameEntry(name: head.name, index: head.index, marks: [.isTaken]))
        }
    }

    /// Notes the suffixed name of a set whose wanted name is in conflict.
    private mutating func contest(_ head: NameEntry) throws(PlanError) {
        try contested.append(
            NameEntry(name: head.suffixed, set: 1, index: head.index, marks: head.marks))
    }

    /// Returns the next number that makes the name unique.
    private mutating func freeNumber(
        _ run: inout Run, _ entry: NameEntry,
        _ name: (UInt32) throws(PlanError) -> (wanted: String, source: String)
    ) throws(PlanError) -> UInt32 {
        while true {
            let number = run.next
            run.next = Self.number(after: number)
            if number == 1 { return number }
            let isLong = entry.marks.contains(.isLong)
            if !isLong, numberedLookalikes.isEmpty { return number }
            let (wanted, source) = try name(entry.index)
            let hash = NameHash.of(
                TextForm.folded(Self.name(wanted, source: source, number: number)))
            if numberedLookalikes.contains(hash) { continue }
            if isLong, !shortened.insert(hash).inserted { continue }
            return number
        }
    }

    /// Numbers of eight digits are skipped, because they look like a hash.
    private static func number(after number: UInt32) -> UInt32 {
        number == 9_999_999 ? 100_000_000 : number + 1
    }

    static func name(
        _ wanted: String, source: @autoclosure () -> String, number: UInt32
    ) -> String {
        switch number {
        case 0: wanted
        case 1: ItemName.suffixed(wanted, "-\(ItemName.hash(of: source()))")
        default: ItemName.suffixed(wanted, "-\(ItemName.hash(of: source()))-\(number)")
        }
    }
}
