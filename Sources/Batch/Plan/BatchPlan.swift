import Engine
import Notation
import Targets
import Transport

/// All items of a run in input order, with the final names of their files.
///
/// The inputs are read once, before anything is fetched. A plan keeps 32 bytes per item, mostly on
/// disk if the list is long. A row is read again when its item is requested.
package final class BatchPlan: Sendable {
    enum Origin: Sendable {
        case argument(String)
        /// A folder. If `hasTwins`, an image can have a twin next to it: its variant for dark mode.
        case folder(FilePath, hasTwins: Bool)
        /// A list, with the index of its first row.
        case list(ListFile, first: Int)
        /// Rows that a program gave, with the folder for relative paths and the index of the first
        /// row.
        case rows(FilePath, first: Int)
    }

    package let count: Int
    /// The number of items whose source is a path.
    let localCount: Int
    /// The files and folders that were skipped.
    package let skips: FolderSkips
    /// The number of names that got a suffix because items with different files wanted the same
    /// name.
    package let renamedCount: Int
    /// The number of items that use the files of an earlier item with the same source.
    package let sharingCount: Int
    package let renamedExamples: [Int]

    /// The number of paths that were probably meant to be URLs, and the first of them.
    package let forgottenSchemes: (count: Int, first: String)
    /// The number of sources that are named like a list, and the first of them.
    package let likelyLists: (count: Int, first: String)

    /// The number of lists without rows, and the first of them.
    package let emptyLists: (count: Int, first: String)
    /// The number of rows with a field of many lines, and the first of them.
    package let longFields: (count: Int, first: LongField?)
    /// The number of items with a separate source for dark outputs.
    package let darkCount: Int
    /// The number of rows with a focus but without a mode.
    package let idleFocusCount: Int

    package var hasEmptyInput: Bool { emptyLists.count > 0 || skips.emptyFolders > 0 }

    /// The hashes of the names that outputs must not have, because they are paths of sources.
    let sourcesAtStake: Set<UInt64>

    /// A hash of all rows; equal only for equal lists.
    let rowsDigest: UInt64

    private let origins: [Origin]
    private let slots: SpillBuffer
    private let paths: SpillBuffer
    private let otherNames: [TargetNames]

    private init(_ draft: PlanDraft, _ tally: NameResolver.Tally, otherNames: [TargetNames] = []) {
        count = draft.count
        localCount = draft.localCount
        skips = draft.skips
        forgottenSchemes = draft.forgottenSchemes
        likelyLists = draft.likelyLists
        emptyLists = draft.emptyLists
        longFields = draft.longFields
        darkCount = draft.darkCount
        idleFocusCount = draft.idleFocusCount
        rowsDigest = draft.rowsDigest
        sourcesAtStake = draft.atStake.names
        origins = draft.origins
        slots = draft.slots
        paths = draft.paths
        renamedCount = tally.renamed
        sharingCount = tally.sharing
        renamedExamples = tally.examples.sorted()
        self.otherNames = otherNames
    }

    /// Reads all inputs and decides all names.
    ///
    /// - Throws: If an input is missing, a list is malformed, standard input is requested twice,
    ///   scratch files fail, or names have non-ASCII letters and GLib is missing.
    package convenience init(
        _ inputs: [PlanInput], options: PlanOptions
    ) throws(PlanError) {
        var draft = PlanDraft(options: options)
        try draft.read(inputs)
        try self.init(draft)
    }

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

    /// Returns the item at an index from 0 up to `count`, read again from its list.
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

    /// Returns the name of the item in each target that restricts names, by the kind of the target.
    private func names(
        of item: BatchItem, source: @autoclosure () -> String, at index: Int
    ) throws(PlanError) -> [String: String] {
        var names: [String: String] = [:]
        for other in otherNames {
            names[other.kind.rawValue] = try other.name(item.name, source: source(), at: index)
        }
        return names
    }

    /// Returns the source of the item at an index; nil if it cannot be used. Cheaper than reading
    /// the item with its name.
    func reference(at index: Int, remoteOnly: Bool) throws(PlanError) -> SourceReference? {
        try unnamedItem(at: index, try slot(at: index)).knownReference(remoteOnly: remoteOnly)
    }

    private func slot(at index: Int) throws(PlanError) -> PlanSlot {
        try PlanDraft.slot(at: index, in: slots)
    }

    private func unnamedItem(at index: Int, _ slot: PlanSlot) throws(PlanError) -> BatchItem {
        let item = try PlanDraft.item(at: index, slot, origins, paths)
        // The list changed since planning, so the planned name is not valid.
        if case .list(let list, _) = origins[Int(slot.origin)], item.rowDigest != slot.digest {
            throw .list(ListError(file: list.name, line: Int(slot.line), .changed))
        }
        return item
    }
}
