import Engine
import Notation
import Transport

/// The files of earlier runs by whose number `--prune-max` judges, as hashes of their names.
///
/// These are the files that existed when `--prune` was last refused, if it was: a refused run makes files
/// itself, and these must not count as files of an earlier run, or the next run would be allowed.
struct PruneBase: Sendable {
    private static let name = RelativePath.own("prune-base")
    /// The first word of the file. Earlier releases wrote hashes of four bytes and no such word.
    private static let form: UInt64 = 0x3436_6873_6168_0A0A
    private static let bytesLimit = 128 << 20

    private let names: NameIndex
    /// The names are those of a refused run.
    private let isKept: Bool

    /// - Parameter all: calls its argument with the name of each file that earlier runs made.
    init(in folder: OutputFolder, all: ((String) -> Void) -> Void) throws(OutletError) {
        var hashes = try Self.kept(in: folder)
        isKept = hashes != nil
        if hashes == nil {
            var names: [UInt64] = []
            all { names.append(NameHash.of($0)) }
            hashes = names
        }
        names = NameIndex(hashes ?? [])
    }

    private static func kept(in folder: OutputFolder) throws(OutletError) -> [UInt64]? {
        guard let size = try folder.facts(of: name)?.size, size <= bytesLimit,
            let bytes = try folder.read(name, limit: bytesLimit)
        else { return nil }
        let words = stride(from: 0, to: bytes.count - 7, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        return words.first == form ? Array(words.dropFirst()) : nil
    }

    func contains(_ name: String) -> Bool { names.contains(NameHash.of(name)) }

    /// Keeps the names for the next run, after `--prune` was refused.
    func keep(in folder: OutputFolder) throws(OutletError) {
        guard !isKept else { return }
        var bytes: [UInt8] = []
        for word in [Self.form] + names.hashes { bytes.append(word: word) }
        try folder.write(bytes.span, to: Self.name)
    }

    static func forget(in folder: OutputFolder) throws(OutletError) {
        try folder.remove(name)
    }
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
            outlet.ledger.end(keeping: found.unrecorded)
            return found
        }
        try PruneBase.forget(in: outlet.folder)
        try found.remove(from: outlet.folder)
        try former.forget(in: outlet.folder)
        outlet.ledger.end(keeping: [])
        return found
    }
}
