import Engine
import Notation
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
