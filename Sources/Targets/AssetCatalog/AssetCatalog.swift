import Engine
import Transport

/// `Emblems.xcassets`: an image set for each layout, in a folder for each item that is its namespace.
package struct AssetCatalog: OutputTarget {
    static let name = "Emblems.xcassets"
    /// Items have no blank in their names, so that none can be called like it.
    static let colors = "Emblem Colors"

    package var kind: TargetKind { .xcassets }
    private let tokens: ThemeTokens

    package init(_ tokens: ThemeTokens) { self.tokens = tokens }

    package func path(of picture: TargetPicture) -> RelativePath? {
        let item = picture.name(for: .xcassets).split(separator: "/").map(Self.folderName)
            .joined(separator: "/")
        let layout = picture.layout
        let (set, stem) =
            picture.isOnlyLayout
            ? (item, String(item.split(separator: "/").last ?? "item"))
            : ("\(item)/\(layout)", layout)
        return RelativePath(
            "\(Self.name)/\(set).imageset/\(stem)\(picture.marks).\(picture.fileExtension)")
    }

    package func files(of item: TargetItem) -> [TargetFile] { Self.files(of: item) }

    /// The contents of the item's image sets, and of the folders that they stand in.
    package static func files(of item: TargetItem) -> [TargetFile] {
        var files: [TargetFile] = []
        var sets: [(folder: Substring, pictures: [OutputRecord])] = []
        for picture in item.pictures {
            guard let slash = picture.path.lastIndex(of: "/") else { continue }
            let folder = picture.path[..<slash]
            if sets.last?.folder != folder { sets.append((folder, [])) }
            sets[sets.count - 1].pictures.append(picture)
        }
        var known: Set<Substring> = []
        for set in sets {
            for folder in namespaces(of: set.folder) where known.insert(folder).inserted {
                files.append(file(in: folder, CatalogContents.namespace))
            }
            files.append(file(in: set.folder, CatalogContents.imageSet(set.pictures)))
        }
        return files
    }

    package var documents: [TargetDocument] {
        var files = [
            Self.file(in: Self.name[...], CatalogContents.plain),
            Self.file(in: "\(Self.name)/\(Self.colors)", CatalogContents.plain),
        ]
        for color in tokens.colors {
            files.append(
                Self.file(
                    in: "\(Self.name)/\(Self.colors)/emblem-\(color.name).colorset",
                    CatalogContents.colorSet(
                        tokens.main(color), dark: tokens.hasDark ? color.dark : nil)))
        }
        return files.map { TargetDocument($0) }
    }

    /// What folders of a catalog are by their extension.
    private static let kinds: Set<Substring> = [
        "appiconset", "arimageset", "arobjectset", "arreferenceimage", "arreferenceobject",
        "arresourcegroup", "brandassets", "colorset", "complicationset", "cubetextureset",
        "dataset", "gcdashboardimage", "gcleaderboard", "gcleaderboardset", "iconset",
        "imageset", "imagestack", "imagestacklayer", "launchimage", "mipmapset", "solidimagestack",
        "solidimagestacklayer", "spriteatlas", "sticker", "stickerpack", "stickersequence",
        "stickersiconset", "symbolset", "textureset", "watchface",
    ]

    /// An item's name may end like a folder that is none of items, or be that of a folder's contents.
    private static func folderName(_ name: Substring) -> String {
        ReservedName.avoiding(name) { text in
            text == "contents.json"
                || text.lastIndex(of: ".").map { kinds.contains(text[$0...].dropFirst()) } ?? false
        }
    }

    /// The folders between the catalog and an image set.
    private static func namespaces(of set: Substring) -> [Substring] {
        var folders: [Substring] = []
        var index = set.startIndex
        while let slash = set[index...].firstIndex(of: "/") {
            folders.append(set[..<slash])
            index = set.index(after: slash)
        }
        return Array(folders.dropFirst())
    }

    private static func file(in folder: Substring, _ contents: CatalogValue) -> TargetFile {
        TargetFile("\(folder)/Contents.json", contents.text)
    }
}
