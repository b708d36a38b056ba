import Batch
import Codecs
import Transport

/// A format in which a batch writes its files.
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

/// What a batch came to that was written into a folder.
public struct WrittenBatch: Hashable, Sendable {
    /// All items.
    public let items: Int
    /// Those that show their own picture.
    public let ok: Int
    /// Those that show what stands in for it; the manifest says why.
    public let placeholders: Int
    /// The number of items among ``ok`` that show the picture of an earlier batch, since their source
    /// could not be loaded this time.
    public let stale: Int
    /// Those without any file.
    public let failed: Int
    /// The files of the set.
    public let outputs: Int
    /// Items of which nothing was drawn anew, since neither they nor their sources had changed.
    public let reused: Int
    /// Items of which anything should be looked at; the manifest says what.
    public let linted: Int
    /// Files that no batch made and that stood where one of the set belongs. None is lost: they are
    /// kept in the folder, below `.emblem/replaced`.
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
