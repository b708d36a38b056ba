import Engine
import Notation
import Targets
import Transport

/// All items of a run in input order, with the names of their files settled.
///
/// The inputs are read once, before anything is fetched. A plan keeps 32 bytes an item, and
/// more of it on disk than in memory when the list is long; what a row says is read again when its
/// item is asked for.
package final class BatchPlan: Sendable {
    /// Where items come from.
    enum Origin: Sendable {
        case argument(String)
        case folder(FilePath)
        /// And the index of its first row.
        case list(ListFile, first: Int)
        /// Rows of a program, the folder where their relative paths start, and the first index.
        case rows(FilePath, first: Int)
    }

    package let count: Int
    /// The number of items whose source is a path.
    let localCount: Int
    /// What was passed by in folders.
    package let skips: FolderSkips
    /// Sets of files whose name had to get a suffix because others wanted it too.
    package let renamedCount: Int
    /// Items that use the files of an earlier one with the same source.
    package let sharingCount: Int
    /// The first of up to ten items whose name got a suffix.
    package let renamedExamples: [Int]

    /// Rows whose path was most likely meant to be an address, and the first of them.
    package let forgottenSchemes: (count: Int, first: String)
    /// Sources that are called like a list, and the first of them.
    package let likelyLists: (count: Int, first: String)

    /// Lists without a row, and the first of them.
    package let emptyLists: (count: Int, first: String)
    /// Rows with a field of many lines, and the first of them.
    package let longFields: (count: Int, first: LongField?)

    /// A list has no row, or a folder no picture.
    package var hasEmptyInput: Bool { emptyLists.count > 0 || skips.emptyFolders > 0 }

    /// What outputs must not be called, as hashes.
    let sourcesAtStake: Set<UInt64>

    /// Of all that all rows say: equal for equal lists only.
    let rowsDigest: UInt64
    /// The same on every machine, wherever folders lie there.
    private let listHash: UInt64
    /// What tells shards of one list from those of others.
    package var listDigest: String { Hexadecimal.text(listHash) }

    private let origins: [Origin]
    private let slots: SpillBuffer
    private let paths: SpillBuffer
    private let namePrefix: String
    /// What items are called where their name is not taken.
    private let otherNames: [TargetNames]

    private init(_ draft: PlanDraft, _ tally: NameResolver.Tally, otherNames: [TargetNames] = []) {
        count = draft.count
        localCount = draft.localCount
        skips = draft.skips
        forgottenSchemes = draft.forgottenSchemes
        likelyLists = draft.likelyLists
        emptyLists = draft.emptyLists
        longFields = draft.longFields
        rowsDigest = draft.rowsDigest
        listHash = draft.listDigest
        sourcesAtStake = draft.atStake.names
        origins = draft.origins
        slots = draft.slots
        paths = draft.paths
        namePrefix = draft.options.namePrefix
        renamedCount = tally.renamed
        sharingCount = tally.sharing
        renamedExamples = tally.examples.sorted()
        self.otherNames = otherNames
    }

    /// Reads all inputs and settles all names.
    ///
    /// - Throws: an input that does not exist, a list that is not of its format, standard input
    ///   asked for twice, scratch files that fail, or names beyond ASCII without GLib.
    package convenience init(
        _ inputs: [PlanInput], options: PlanOptions
    ) throws(PlanError) {
        var draft = PlanDraft(options: options)
        try draft.read(inputs)
        try self.init(draft)
    }

    /// Settles the names of all items of a draft.
    package convenience init(_ draft: consuming PlanDraft) throws(PlanError) {
        let options = draft.options
        let tally = try draft.settleNames()
        if TextForm.isLacking { throw .noTextForms }
        let plan = BatchPlan(copy draft, tally)
        var otherNames: [TargetNames] = []
        for kind in options.targets {
            if let names = try TargetNames(kind, of: plan, options) { otherNames.append(names) }
        }
        self.init(draft, tally, otherNames: otherNames)
    }

    /// The item at an index from 0 up to `count`, read again from its list.
    package func item(at index: Int) throws(PlanError) -> BatchItem {
        precondition((0..<count).contains(index), "There is no item at this index of the plan.")
        let slot = try slot(at: index)
        var item = try unnamedItem(at: index, slot)
        guard Int(slot.leader) != index else {
            item.name = NameResolver.name(
                item.wantedName, source: item.plainSource, number: slot.number)
            item.otherNames = try names(of: item, source: item.plainSource, at: index)
            return item
        }
        let leader = Int(slot.leader)
        let first = try self.slot(at: leader)
        let owner = try unnamedItem(at: leader, first)
        item.name = NameResolver.name(
            owner.wantedName, source: owner.plainSource, number: first.number)
        item.otherNames = try names(of: item, source: owner.plainSource, at: leader)
        item.sharesFilesWith = leader
        return item
    }

    /// - Parameter index: of the item that has the files.
    private func names(
        of item: BatchItem, source: @autoclosure () -> String, at index: Int
    ) throws(PlanError) -> [String: String] {
        var names: [String: String] = [:]
        for other in otherNames {
            names[other.kind.rawValue] = try other.name(item.name, source: source(), at: index)
        }
        return names
    }

    /// What the item at an index names as its source; nil where that cannot be used. Costs less than
    /// the item with its name.
    func reference(at index: Int, remoteOnly: Bool) throws(PlanError) -> SourceReference? {
        try unnamedItem(at: index, try slot(at: index)).knownReference(remoteOnly: remoteOnly)
    }

    /// Of all that one row says; nil where the plan's own files fail.
    func rowDigest(at index: Int) -> UInt64? {
        do throws(PlanError) {
            return try slot(at: index).digest
        } catch {
            return nil
        }
    }

    private func slot(at index: Int) throws(PlanError) -> PlanSlot {
        try PlanDraft.slot(at: index, in: slots)
    }

    private func unnamedItem(at index: Int, _ slot: PlanSlot) throws(PlanError) -> BatchItem {
        var item = try PlanDraft.item(at: index, slot, origins, paths)
        item.namePrefix = namePrefix
        // A row that is not what it was when names were given is nobody's.
        if case .list(let list, _) = origins[Int(slot.origin)], item.rowDigest != slot.digest {
            throw .list(ListError(file: list.name, line: Int(slot.line), .changed))
        }
        return item
    }
}
