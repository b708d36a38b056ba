import Batch
import Console
import Flags
import Notation
import Transport

extension CommandContext {
    /// Names the folders below the inputs that could not be read, also in a quiet run: without their
    /// pictures the set is incomplete.
    func tellUnreadableFolders(of plan: BatchPlan) {
        let skips = plan.skips
        guard skips.unreadableCount > 0 else { return }
        for text in skips.unreadable {
            warn("cannot read the folder \(PrintableText.escaped(text)); its pictures are left out")
        }
        let more = skips.unreadableCount - skips.unreadable.count
        if more > 0 { warn("cannot read \(Counted(more, "more folder"))") }
    }
}

extension Orphans {
    /// Why `--prune` removes nothing, and what to do; nil where it is not kept from it.
    func notice(limit: Tolerance) -> String? {
        switch withheld {
        case nil: nil
        case .noItem:
            "--prune removes nothing: the run has no item, and all files of earlier runs would go; "
                + "check the inputs"
        case .unreadableFolder:
            "--prune removes nothing: a folder cannot be read, and the emblems of its pictures would "
                + "go; allow reading it and run again"
        case .missingSources(let count, let total):
            "--prune removes nothing: \(ProgressReport.grouped(count)) of \(Counted(total, "local source")) "
                + "are gone, as where a disk is not mounted; bring them back, or take them off the list"
        case .tooMany(let count, let total):
            "--prune removes nothing: it would remove \(ProgressReport.grouped(count)) of "
                + "\(Counted(total, "file")) of earlier runs, and --prune-max allows "
                + "\(ValueForm.tolerance.text(limit)); if they are to go, repeat with --prune-max "
                + "\(count)"
        }
    }
}
