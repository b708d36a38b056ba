import Artwork
import Engine
import Notation
import Render
import Theming
import Transport

/// One way of laying out the pictures of a run, and of telling of them beside the manifest.
///
/// A target says what belongs where, and writes nothing: the run stores pictures as they are drawn,
/// and the other files once all of them stand.
package protocol OutputTarget: Sendable {
    var kind: TargetKind { get }

    /// Where a picture stands below the target's folder; nil if its name would lead elsewhere.
    func path(of picture: TargetPicture) -> RelativePath?

    /// The files about one item and no other, as far as its pictures ask for them. Several items may
    /// have one of them in common; its bytes are the same for all.
    func files(of item: TargetItem) -> [TargetFile]

    /// The files about all items.
    var documents: [TargetDocument] { get }

    /// Set where the pictures are packed into archives.
    var packing: TarPacking? { get }
}

extension OutputTarget {
    package func files(of item: TargetItem) -> [TargetFile] { [] }
    package var packing: TarPacking? { nil }
}

/// A small file beside the pictures.
package struct TargetFile: Sendable, Hashable {
    /// Below the target's folder.
    package let path: RelativePath
    package let bytes: [UInt8]

    package init(path: RelativePath, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    init(_ path: String, _ text: String) {
        guard let path = RelativePath(path) else {
            preconditionFailure("A target's own file has a name that leads nowhere else.")
        }
        self.init(path: path, bytes: Array(text.utf8))
    }
}

/// A file about all items, written piece by piece in their order.
package struct TargetDocument: Sendable {
    package typealias Entry = @Sendable (_ item: TargetItem, _ number: Int) -> [UInt8]

    /// Its path, and how it begins.
    package let head: TargetFile
    /// What it says of the item with this number, counted from 0; nil where it tells of none.
    package let entry: Entry?
    package let tail: [UInt8]

    init(_ head: TargetFile, entry: Entry? = nil, tail: String = "") {
        self.head = head
        self.entry = entry
        self.tail = Array(tail.utf8)
    }

    package var path: RelativePath { head.path }
}

/// A folder of files, named by a pattern.
package struct FilesTarget: OutputTarget {
    package typealias Naming = @Sendable (TargetPicture) -> RelativePath?

    package var kind: TargetKind { .files }
    package var documents: [TargetDocument] { [] }
    private let naming: Naming

    package init(naming: @escaping Naming) { self.naming = naming }

    package func path(of picture: TargetPicture) -> RelativePath? { naming(picture) }
}

/// An item that ended, with its pictures in one target.
package struct TargetItem: Sendable {
    package let record: ItemRecord
    /// Their paths start in the target's folder.
    package let pictures: [OutputRecord]

    /// - Parameter prefix: what stands before those paths in the manifest, with a slash.
    package init(_ record: ItemRecord, in kind: TargetKind, prefix: String = "") {
        self.record = record
        pictures = record.outputs.compactMap { output in
            guard (output.target ?? TargetKind.files.rawValue) == kind.rawValue,
                output.path.hasPrefix(prefix)
            else { return nil }
            var output = output
            output.path.removeFirst(prefix.count)
            return output
        }
    }

    /// The layouts in their order, each with its pictures.
    var layouts: [(name: String, pictures: [OutputRecord])] {
        var groups: [(name: String, pictures: [OutputRecord])] = []
        for picture in pictures {
            if groups.last?.name != picture.layout { groups.append((picture.layout, [])) }
            groups[groups.count - 1].pictures.append(picture)
        }
        return groups
    }

    /// What stands for the picture where it cannot be seen.
    var alternativeText: String {
        let label = record.accessibility.label ?? record.id
        return record.accessibility.value.map { "\(label), \($0)" } ?? label
    }
}

extension OutputRecord {
    /// What stands behind the last dot of its path.
    var fileExtension: String {
        String(path.split(separator: ".", omittingEmptySubsequences: false).last ?? "")
    }

    /// `1x`, `1.5x`.
    var scaleWord: String { "\(Int(exactly: scale).map(String.init) ?? "\(scale)")x" }

    /// Its size in points, whole ones.
    var points: (width: Int, height: Int) {
        (Int((Double(width) / scale).rounded()), Int((Double(height) / scale).rounded()))
    }
}

/// What is known of a picture when its path is looked for.
package struct TargetPicture: Sendable {
    package let item: BatchItem
    package let variant: Variant
    /// Pixels.
    package let height: Int
    package let fileExtension: String
    /// The beginning of the digest of its bytes; nil before it is drawn.
    package let digest: String?
    /// The run and the item have no other layout.
    package let isOnlyLayout: Bool
    /// The item has no other picture in its target.
    package let isOnlyPicture: Bool

    package init(
        item: BatchItem, variant: Variant, height: Int, fileExtension: String, digest: String?,
        isOnlyLayout: Bool, isOnlyPicture: Bool
    ) {
        self.item = item
        self.variant = variant
        self.height = height
        self.fileExtension = fileExtension
        self.digest = digest
        self.isOnlyLayout = isOnlyLayout
        self.isOnlyPicture = isOnlyPicture
    }

    /// The name of the item, as the target has to write it.
    func name(for kind: TargetKind) -> String { item.otherNames[kind.rawValue] ?? item.name }

    /// The name of its layout.
    var layout: String { variant.layout.name }
    var component: String { variant.layout.component.rawValue }
    var scale: Double { variant.scale }
    var isDark: Bool { variant.scheme == .dark }

    /// `~dark`, and `@2x` where it is not 1.
    var marks: String {
        (isDark ? "~dark" : "") + scaleMark
    }

    private var scaleMark: String {
        guard scale != 1 else { return "" }
        return "@\(Int(exactly: scale).map(String.init) ?? "\(scale)")x"
    }
}

/// The files at the top of OUT that a run writes about itself. No picture gets one of their names.
///
/// What else a run keeps for itself lies in `OutputFolder.ownName`.
package enum RunFile: String, CaseIterable, Sendable {
    case manifest = "manifest.ndjson"
    /// The manifest of the last run while this one changes files that it names.
    case previousManifest = "manifest.previous.ndjson"
    case record = "run.json"
    case report = "report.html"

    package var name: String { rawValue }

    /// Whether a name at the top of OUT, in small letters, is one of theirs.
    package static func isName(_ name: String) -> Bool { RunFile(rawValue: name) != nil }
}
