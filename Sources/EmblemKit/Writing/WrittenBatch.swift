import Batch
import Codecs
import Transport

/// The format of the files that a batch writes.
public enum FileFormat: String, CaseIterable, Hashable, Sendable {
    case png, webp, jpeg, avif, jxl

    var value: OutputFormat {
        switch self {
        case .png: .png
        case .webp: .webp
        case .jpeg: .jpeg
        case .avif: .avif
        case .jxl: .jxl
        }
    }
}

/// The result of a batch that was written to a folder.
public struct WrittenBatch: Hashable, Sendable {
    /// The number of all items.
    public let items: Int
    /// The number of items that show their own image.
    public let ok: Int
    /// The number of items that show a placeholder; the manifest gives the reason.
    public let placeholders: Int
    /// The number of items among ``ok`` that show the image of an earlier batch, because their
    /// source could not be loaded this time.
    public let stale: Int
    /// The number of items without any file.
    public let failed: Int
    /// The number of files of the set.
    public let outputs: Int
    /// The number of items that were reused, because neither they nor their sources had changed.
    public let reused: Int
    /// The number of items with warnings; see the manifest.
    public let linted: Int
    /// The number of foreign files that had the name of an output. They are kept in the folder,
    /// below `.emblem/replaced`.
    public let setAside: Int
    /// The path of the manifest.
    public let manifest: String

    init(_ counts: RunCounts, setAside: Int, folder: String) {
        self.setAside = setAside
        items = counts.done
        ok = counts.ok
        placeholders = counts.placeholders
        stale = counts.stale
        failed = counts.failed
        outputs = counts.outputs
        reused = counts.reused
        linted = counts.linted
        manifest = FilePath(folder).appending(FilePath(Manifest.name)).description
    }
}
