import Transport

/// Settles which item gets which name, from the hashes of all of them.
///
/// Items of one set (same name, source and recipe) follow the first of them. A name that two sets
/// want is given to neither: both take their suffix, so that a name never depends on who comes
/// first. Suffixed names that still meet are numbered in input order.
struct NameResolver {
    /// What became of the names, for a dry run.
    struct Tally {
        /// Sets whose name got a suffix.
        var renamed = 0
        /// Items that use the files of an earlier one.
        var sharing = 0
        /// The first items of up to ten contested sets.
        var examples: [Int] = []
    }

    private(set) var tally = Tally()
    private var contested: NameSorter
    /// Names as wanted that end like a numbered suffix; hardly ever any.
    private var numberedLookalikes: Set<UInt64> = []
    /// Numbered names that had to be shortened, where different names can become one.
    private var shortened: Set<UInt64> = []

    init(in folder: FilePath, runLength: Int) {
        contested = NameSorter(in: folder, runLength: runLength)
    }

    /// What becomes of one item.
    enum Change {
        /// It uses the files of this item.
        case follow(UInt32)
        /// Its name gets a suffix, and from 2 on this number.
        case number(UInt32)
    }

    /// Compares all entries and reports every item that does not simply get the name it wants.
    /// `reading` looks up an item's wanted name and source again, which is rarely needed.
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
            try report(entry.index, .number(try free(&run, entry, reading)))
            tally.renamed += 1
            if tally.examples.count < 10 { tally.examples.append(Int(entry.index)) }
        }
    }

    /// The run of entries with one suffixed name.
    private struct Run {
        var name: UInt64?
        var next: UInt32 = 1
    }

    /// Finds the sets, and those that are contested.
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

    /// The last set of a group: contested like those before it, or alone with its name.
    private mutating func close(_ head: NameEntry?, _ isContested: Bool) throws(PlanError) {
        guard let head else { return }
        if isContested { return try contest(head) }
        if head.marks.contains(.looksNumbered) { numberedLookalikes.insert(head.name) }
        if head.marks.contains(.looksSuffixed) {
            try contested.append(
                NameEntry(name: head.name, index: head.index, marks: [.isTaken]))
        }
    }

    private mutating func contest(_ head: NameEntry) throws(PlanError) {
        try contested.append(
            NameEntry(name: head.suffixed, set: 1, index: head.index, marks: head.marks))
    }

    /// The next number with which the name is nobody else's.
    private mutating func free(
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

    /// A number of eight digits could be taken for a hash, so those are left out.
    private static func number(after number: UInt32) -> UInt32 {
        number == 9_999_999 ? 100_000_000 : number + 1
    }

    /// The name as it is written in the end.
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
