import Batch
import Console

extension ForeignFiles.Found {
    /// What was found and where it is now; nil where nothing was.
    var notice: String? {
        guard count > 0 else { return nil }
        return count == 1
            ? "\(first) was made by no run of this set; it is kept as \(keptAs)"
            : "\(Counted(count, "file")) in the way were made by no run of this set, such as "
                + "\(first); they are kept, that one as \(keptAs)"
    }
}
