import Engine
import Notation
import Transport

/// The files of earlier runs by whose number `--prune-max` judges, by hashes of their names.
///
/// These are the files that stood when a run was last kept from removing them, if one was: what the run
/// then made itself is no file of an earlier run to the next one, which would otherwise pass.
struct PruneBase: Sendable {
    private static let name = RelativePath.own("prune-base")
    private static let bytesLimit = 64 << 20

    private let names: Set<UInt32>
    /// A run was kept from removing files.
    private let isKept: Bool

    /// - Parameter all: hands over the names of all files that earlier runs made.
    init(in folder: OutputFolder, all: ((String) -> Void) -> Void) throws(OutletError) {
        var names: Set<UInt32> = []
        if let size = try folder.facts(of: Self.name)?.size, size <= Self.bytesLimit,
            let bytes = try folder.read(Self.name, limit: Self.bytesLimit)
        {
            for start in stride(from: 0, to: bytes.count - 3, by: 4) {
                names.insert(
                    bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
            }
            isKept = true
        } else {
            all { names.insert(Self.hash(of: $0)) }
            isKept = false
        }
        self.names = names
    }

    func holds(_ name: String) -> Bool { names.contains(Self.hash(of: name)) }

    /// Keeps the names for the next run, after one that was kept from removing the files.
    func keep(in folder: OutputFolder) throws(OutletError) {
        guard !isKept else { return }
        let bytes = names.sorted().flatMap { [UInt8](word: $0) }
        try folder.write(bytes.span, to: Self.name)
    }

    static func forget(in folder: OutputFolder) throws(OutletError) {
        try folder.remove(name)
    }

    private static func hash(of name: String) -> UInt32 { UInt32(NameHash.of(name) >> 32) }
}

extension Orphans {
    /// Why none of the files were removed although the run was asked to.
    package enum Withheld: Sendable, Hashable {
        /// The run has no item, so that all files of earlier runs would go.
        case noItem
        /// A folder below an input cannot be read; its pictures may still be there.
        case unreadableFolder
        /// The number of local files that the plan names and that are gone.
        case missingSources(Int, of: Int)
        /// The number of files that would go, which is more than `--prune-max` allows.
        case tooMany(Int, of: Int)
    }

    /// Returns the reason for removing nothing, where there is one: a run that has not seen all of its
    /// sources cannot tell which files are left over.
    package func obstacle(
        to limit: Tolerance, _ plan: BatchPlan, items: Int, missing: Int
    ) -> Withheld? {
        guard !isEmpty else { return nil }
        if items == 0 { return .noItem }
        if plan.skips.unreadableCount > 0 { return .unreadableFolder }
        let local = min(items, plan.localCount)
        if missing * 2 > local { return .missingSources(missing, of: local) }
        let (removed, total) = judged
        return limit.isPassed(by: removed, of: total) ? .tooMany(removed, of: total) : nil
    }
}

extension BatchRun {
    /// Removes what this run does not make any more, unless something stands against it.
    func prune(
        _ history: RunHistory, _ former: FormerSet, atMost limit: Tolerance,
        made: ((ItemRecord) -> Void) throws(OutletError) -> Void
    ) throws(OutletError) -> Orphans {
        let base = { () throws(OutletError) in
            try PruneBase(in: outlet.folder) { Orphans.forEachName(of: history, in: outlet, $0) }
        }
        var found = try Orphans(of: history, in: outlet, former: former, base: base, made: made)
        let counts = counter.now
        found.withheld = found.obstacle(
            to: limit, plan, items: counts.done, missing: counts.errors[.notFound] ?? 0)
        guard found.withheld == nil else {
            try found.base?.keep(in: outlet.folder)
            outlet.notes.end(keeping: found.unrecorded)
            return found
        }
        try PruneBase.forget(in: outlet.folder)
        try found.remove(from: outlet.folder)
        try former.forget(in: outlet.folder)
        outlet.notes.end(keeping: [])
        return found
    }
}
