import Batch
import Console
import Flags
import Notation
import Transport

extension CommandContext {
    /// Reports the folders below the inputs that could not be read, even with --quiet: the set
    /// lacks their images.
    func warnAboutUnreadableFolders(of plan: BatchPlan) {
        let skips = plan.skips
        guard skips.unreadableCount > 0 else { return }
        for text in skips.unreadable {
            warn("cannot read the folder \(PrintableText.escaped(text)); skipping its pictures")
        }
        let more = skips.unreadableCount - skips.unreadable.count
        if more > 0 { warn("cannot read \(Counted(more, "more folder"))") }
    }
}

extension Orphans {
    /// Returns why `--prune` removed nothing, and what to do; nil if nothing prevented it.
    var notice: String? {
        switch withheld {
        case nil: nil
        case .noItem:
            "--prune deleted nothing: the run has no items, so all files of earlier runs would be "
                + "deleted. Check the inputs"
        case .unreadableFolder:
            "--prune deleted nothing: a folder cannot be read, so the emblems of its pictures "
                + "would be deleted. Make the folder readable, and run again"
        case .missingSources(let count, let total):
            "--prune deleted nothing: \(Figure.grouped(count)) of "
                + "\(Counted(total, "local source")) are missing, for example because a disk is "
                + "not mounted. Restore them, or remove them from the list"
        case .tooMany(let count, let total):
            "--prune deleted nothing: it would delete \(Figure.grouped(count)) of "
                + "\(Counted(total, "file")) of earlier runs. To delete them, use "
                + "--prune=\((count * 100 + total - 1) / total)%"
        }
    }
}
