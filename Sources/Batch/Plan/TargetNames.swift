import Engine
import Targets
import Transport

/// The names of items in a target that restricts names. They are decided like the names of plain
/// files: names that the restriction makes equal get suffixes.
///
/// It keeps four bytes per item, mostly on disk if the list is long.
struct TargetNames: Sendable {
    private static let byteCount = 4

    let kind: TargetKind
    private let rule: LegalName
    /// The form of each item's name, as in `PlanSlot.number`.
    private let numbers: SpillBuffer

    /// Nil for a target that accepts every name.
    init?(_ kind: TargetKind, of plan: BatchPlan, _ options: PlanOptions) throws(PlanError) {
        guard let rule = kind.legalName else { return nil }
        self.kind = kind
        self.rule = rule
        let rows = options.rowsInMemory
        var entries = NameSorter(in: options.scratch, runLength: rows)
        var numbers = SpillBuffer(in: options.scratch, limit: max(1, rows) * Self.byteCount)
        for index in 0..<plan.count {
            _ = try numbers.append([UInt8](word: UInt32(0)))
            let item = try plan.item(at: index)
            guard item.sharesFilesWith == nil else { continue }
            try entries.append(
                Self.entry(rule.wanted(item.name), source: item.plainSource, at: index))
        }
        var resolver = NameResolver(in: options.scratch, runLength: rows)
        try resolver.resolve(&entries) { item, change throws(PlanError) in
            guard case .number(let number) = change else { return }
            try numbers.patch(
                [UInt8](word: number), at: Int64(item) * Int64(Self.byteCount))
        } reading: { index throws(PlanError) in
            let item = try plan.item(at: Int(index))
            return (rule.wanted(item.name), item.plainSource)
        }
        self.numbers = numbers
    }

    private static func entry(_ name: String, source: String, at index: Int) -> NameEntry {
        let folded = TextForm.folded(name)
        let suffixed = TextForm.folded(NameResolver.name(name, source: source, number: 1))
        // Items that share their files have one name already, so each item left is a separate set.
        return NameEntry(
            name: NameHash.of(folded), set: UInt64(index), suffixed: NameHash.of(suffixed),
            index: UInt32(truncatingIfNeeded: index),
            marks: NameHash.marks(of: folded, wanted: name))
    }

    /// Returns the target's name for the item at `index`, which the run calls `name`.
    func name(
        _ name: String, source: @autoclosure () -> String, at index: Int
    ) throws(PlanError) -> String {
        let bytes = try numbers.read(
            at: Int64(index) * Int64(Self.byteCount), count: Self.byteCount)
        guard bytes.count == Self.byteCount else { throw .scratch(.cutShort) }
        let number = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return rule.text(
            NameResolver.name(rule.wanted(name), source: source(), number: number))
    }
}
