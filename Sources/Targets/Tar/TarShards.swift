import Transport

/// WebDataset shards: for each item its pictures and what is known of it, behind each other in archives.
///
/// The pictures themselves are kept beside the journal. An archive is made of them when all stand, and
/// only if what belongs into it changed.
package struct TarShards: OutputTarget {
    package var kind: TargetKind { .tar }
    package var documents: [TargetDocument] { [] }
    private let shards: TarPacking

    package init(_ packing: TarPacking) { shards = packing }

    package var packing: TarPacking? { shards }

    /// `KEY/medium@2x.png` for the member `KEY.medium@2x.png`; `KEY/.png` for the only picture of an
    /// item, `KEY.png`. Both have a dot, so that no key is called like a picture.
    package func path(of picture: TargetPicture) -> RelativePath? {
        let key = picture.name(for: .tar)
        let stem = picture.isOnlyPicture ? "" : "\(picture.layout)\(picture.marks)"
        return RelativePath("\(key)/\(stem).\(picture.fileExtension)")
    }

    /// What stands for any of them where their number is not known yet.
    package static let pattern = "emblems-######.tar"

    /// The member that a kept picture becomes.
    package static func member(_ path: RelativePath) -> String {
        member(path.folders.joined(separator: "/")[...], path.name[...])
    }

    static func member(_ key: Substring, _ name: Substring) -> String {
        "\(key).\(name.hasPrefix(".") ? name.dropFirst() : name)"
    }

    /// The file that tells of all shards.
    package static let index = TargetFile("index.json", "").path

    /// The file of the shard with this number.
    package static func name(_ number: Int) -> RelativePath {
        let digits = "\(number)"
        let zeros = String(repeating: "0", count: max(0, 6 - digits.count))
        return TargetFile("emblems-\(zeros)\(digits).tar", "").path
    }
}

/// How pictures are divided into archives.
package enum TarPacking: Hashable, Sendable {
    /// As many items as fit into so many bytes; at least one.
    case bytes(Int)
    /// So many archives of equally many items, as nearly as may be.
    case count(Int)

    package static let usual = TarPacking.bytes(1 << 30)
}
