import Batch
import Console

extension ForeignFiles.Found {
    /// What was found and where it is now; nil where nothing was.
    var notice: String? {
        guard count > 0 else { return nil }
        return count == 1
            ? "\(first) was not created by emblem; moved it to \(keptAs)"
            : "\(Counted(count, "file")), such as \(first), were not created by emblem; moved "
                + "them, this one to \(keptAs)"
    }
}
