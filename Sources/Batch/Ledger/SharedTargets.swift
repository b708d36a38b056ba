import Engine
import Notation
import Render
import System
import Targets
import Transport

/// Checks that a run may write to its target folders. A target folder belongs to one output folder
/// (OUT), unless all sets that write to it have `--share-target`.
///
/// The check writes nothing, so that a refused run leaves every folder as it was.
struct SharedTargets {
    private static let shownNames = 3

    let outlet: Outlet
    let plan: BatchPlan
    let indices: Range<Int>
    let settings: RunSettings
    /// Whether the run may replace documents, the files about all items, that another set wrote
    /// too.
    let startsOver: Bool

    func check() throws(BatchError) {
        var holders: [(OpenTarget, TargetFolders.Entry)] = []
        let words = try rethrowing(refusal { holders.append(($0, $1)) }, as: BatchError.outlet)
        if let words { throw .heldTarget(words) }
        for (opened, holder) in holders { try checkNames(of: opened, holder) }
    }

    /// Returns the reason for refusing the run, or nil. `checkNames` compares the names of pictures
    /// later.
    ///
    /// - Parameter body: is called with each other set that shares a folder with this one.
    private func refusal(
        _ body: (OpenTarget, TargetFolders.Entry) -> Void
    ) throws(OutletError) -> String? {
        if let holder = try TargetFolders.holders(of: outlet.folder, besides: outlet.folder).first {
            return "\(cannotWrite(to: outlet.folder)) it is a target folder of \(setText(holder)). "
                + "Choose another folder with -o."
        }
        for opened in outlet.targets where opened.root.isElsewhere {
            let folder = opened.root.folder
            let another =
                "Choose another folder with --target "
                + "\(opened.target.kind.rawValue)=DIR"
            // An empty journal does not count, because a refused run leaves an empty one.
            if folder.identity != outlet.folder.identity,
                try folder.facts(of: RunHistory.name)?.size ?? 0 > 0
            {
                return "\(cannotWrite(to: folder)) it is the output folder of another set. "
                    + "\(another)."
            }
            for holder in try TargetFolders.holders(of: folder, besides: outlet.folder) {
                let belongs = "\(cannotWrite(to: folder)) it belongs to \(setText(holder))."
                guard opened.target.kind.canBeShared, holder.kind == opened.target.kind else {
                    return "\(belongs) \(another)."
                }
                guard outlet.sharesTargets, holder.isShared else {
                    let remedy =
                        outlet.sharesTargets
                        ? "run that set with --share-target first"
                        : "run \(holder.isShared ? "this set" : "both sets") with --share-target"
                    return "\(belongs) \(another), or \(remedy)."
                }
                if !startsOver, let path = try differingDocument(of: opened) {
                    return "\(cannotShare(folder, with: holder)) \(shown(path)) would change. Give "
                        + "both sets the same --component, --theme and --scheme, or write it for "
                        + "this set with --force."
                }
                body(opened, holder)
            }
        }
        return nil
    }

    /// Returns the first existing document that this run would write with other bytes.
    private func differingDocument(of opened: OpenTarget) throws(OutletError) -> RelativePath? {
        for document in opened.target.documents {
            let bytes = document.head.bytes + document.tail
            guard let size = try opened.root.folder.facts(of: document.path)?.size else {
                continue
            }
            guard size == bytes.count,
                try opened.root.folder.read(document.path, limit: size) == bytes
            else { return document.path }
        }
        return nil
    }

    private func checkNames(
        of opened: OpenTarget, _ holder: TargetFolders.Entry
    ) throws(BatchError) {
        let kind = opened.target.kind
        // Names that differ only in case can be the same file on some file systems.
        func hash(_ path: String) -> UInt64 {
            NameHash.of(TextForm.folded(kind.sharingKey(of: path)))
        }
        var hashes: [UInt64] = []
        try rethrowing(holder.forEachFile { hashes.append(hash($0)) }, as: BatchError.outlet)
        let taken = NameIndex(hashes)
        guard !taken.isEmpty else { return }
        // Paths are relative to the target folder here, like the paths in the records of the other
        // set.
        let spot = TargetSpot(opened.target, opened.set, at: .inside(""))
        var met: [String] = []
        var count = 0
        for index in indices {
            let item = try rethrowing(plan.item(at: index), as: BatchError.plan)
            guard item.sharesFilesWith == nil else { continue }
            let paths = item.possibleNames(in: settings, [spot])
            guard let path = paths.first(where: { taken.contains(hash($0)) }) else { continue }
            count += 1
            if met.count < Self.shownNames { met.append(shown(path)) }
        }
        guard count > 0 else { return }
        let more = count > met.count ? " and \(count - met.count) more" : ""
        throw .heldTarget(
            "\(cannotShare(opened.root.folder, with: holder)) both have "
                + "\(met.joined(separator: ", "))\(more). Give this set other names with --prefix TEXT, "
                + "or run that set with --prune if it no longer makes \(count == 1 ? "it" : "them")."
        )
    }

    // MARK: Words

    private func cannotWrite(to folder: OutputFolder) -> String {
        "cannot write to \(shown(folder.path)):"
    }

    private func cannotShare(
        _ folder: OutputFolder, with holder: TargetFolders.Entry
    ) -> String {
        "cannot share \(shown(folder.path)) with \(setText(holder)):"
    }

    private func setText(_ holder: TargetFolders.Entry) -> String {
        "the set in \(shown(holder.out))"
    }

    private func shown(_ text: some CustomStringConvertible) -> String {
        PrintableText.escaped("\(text)", limit: 200)
    }
}
