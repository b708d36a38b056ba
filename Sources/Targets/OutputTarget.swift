import Artwork
import Engine
import Notation
import Render
import Theming
import Transport

/// A layout of a run's pictures and of the files that describe them.
///
/// A target only determines paths and contents. The run stores pictures as they are drawn, and the
/// other files after all pictures.
package protocol OutputTarget: Sendable {
    var kind: TargetKind { get }

    /// Returns the picture's path relative to the target's folder; nil if its name would lead
    /// outside.
    func path(of picture: TargetPicture) -> RelativePath?

    /// Returns the files about one item. Several items may share such a file; its contents are then
    /// the same for each of these items.
    func files(of item: TargetItem) -> [TargetFile]

    var documents: [TargetDocument] { get }
}

extension OutputTarget {
    package func files(of item: TargetItem) -> [TargetFile] { [] }
}

/// A file of a target that is not a picture.
package struct TargetFile: Sendable, Hashable {
    /// The path relative to the target's folder.
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

    /// The path, and the beginning of the contents.
    package let head: TargetFile
    /// Returns the text for the item with this number, counted from 0; nil if the document has
    /// none.
    package let entry: Entry?
    package let tail: [UInt8]

    init(_ head: TargetFile, entry: Entry? = nil, tail: String = "") {
        self.head = head
        self.entry = entry
        self.tail = Array(tail.utf8)
    }

    package var path: RelativePath { head.path }
}

/// A folder of files whose names follow a pattern.
package struct FilesTarget: OutputTarget {
    package typealias Naming = @Sendable (TargetPicture) -> RelativePath?

    package var kind: TargetKind { .files }
    package var documents: [TargetDocument] { [] }
    private let naming: Naming

    package init(naming: @escaping Naming) { self.naming = naming }

    package func path(of picture: TargetPicture) -> RelativePath? { naming(picture) }
}

/// An item of a finished run, with its pictures in one target.
package struct TargetItem: Sendable {
    package let record: ItemRecord
    /// The pictures, with paths relative to the target's folder.
    package let pictures: [OutputRecord]

    /// - Parameter prefix: the prefix of the target's paths in the manifest, including a slash.
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

    var layouts: [(name: String, pictures: [OutputRecord])] {
        var groups: [(name: String, pictures: [OutputRecord])] = []
        for picture in pictures {
            if groups.last?.name != picture.layout { groups.append((picture.layout, [])) }
            groups[groups.count - 1].pictures.append(picture)
        }
        return groups
    }

    var alternativeText: String {
        let label = record.accessibility.label ?? record.id
        return record.accessibility.value.map { "\(label), \($0)" } ?? label
    }
}

extension OutputRecord {
    var fileExtension: String {
        String(path.split(separator: ".", omittingEmptySubsequences: false).last ?? "")
    }

    /// The scale as in `1x` or `1.5x`.
    var scaleWord: String { "\(Int(exactly: scale).map(String.init) ?? "\(scale)")x" }

    var points: (width: Int, height: Int) {
        (Int((Double(width) / scale).rounded()), Int((Double(height) / scale).rounded()))
    }
}

/// The properties of a picture that determine its path in a target.
package struct TargetPicture: Sendable {
    package let item: BatchItem
    package let variant: Variant
    /// The height in pixels.
    package let height: Int
    package let fileExtension: String
    /// The beginning of the digest of the bytes; nil before the picture is drawn.
    package let digest: String?
    /// Whether neither the run nor the item has another layout.
    package let isOnlyLayout: Bool
    /// Whether the item has no other picture in this target.
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

    /// Returns the item's name as the target must write it.
    func name(for kind: TargetKind) -> String { item.otherNames[kind.rawValue] ?? item.name }

    var layout: String { variant.layout.name }
    var component: String { variant.layout.component.rawValue }
    var scale: Double { variant.scale }
    var isDark: Bool { variant.scheme == .dark }

    /// `~dark` for the dark scheme, and `@2x` for a scale other than 1.
    var marks: String {
        (isDark ? "~dark" : "") + scaleMark
    }

    private var scaleMark: String {
        guard scale != 1 else { return "" }
        return "@\(Int(exactly: scale).map(String.init) ?? "\(scale)")x"
    }
}

/// The files at the top of OUT that describe the run. No picture gets one of these names.
///
/// Other private files of a run are in `OutputFolder.ownName`.
package enum RunFile: String, CaseIterable, Sendable {
    case manifest = "manifest.ndjson"
    /// The manifest of the previous run, kept while this run changes files that it lists.
    case previousManifest = "manifest.previous.ndjson"
    case record = "run.json"
    case report = "report.html"

    package var name: String { rawValue }

    /// Returns whether a lower-case name at the top of OUT is one of these files.
    package static func isName(_ name: String) -> Bool { RunFile(rawValue: name) != nil }
}
