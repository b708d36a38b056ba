import Engine
import Notation
import Raster
import Transport

/// `Emblems.xcassets`: a folder per item, which is its namespace, with an image set per layout.
package struct AssetCatalog: OutputTarget {
    static let name = "Emblems.xcassets"
    /// The folder of colours. Its name contains a space, so it cannot conflict with an item's name.
    static let colors = "Emblem Colors"

    package var kind: TargetKind { .xcassets }
    private let tokens: ThemeTokens

    package init(_ tokens: ThemeTokens) { self.tokens = tokens }

    package func path(of picture: TargetPicture) -> RelativePath? {
        let item = Self.itemName(picture.name(for: .xcassets))
        let layout = picture.layout
        let (set, stem) =
            picture.isOnlyLayout
            ? (item, String(item.split(separator: "/").last ?? "item"))
            : ("\(item)/\(layout)", layout)
        return RelativePath(
            "\(Self.name)/\(set).imageset/\(stem)\(picture.marks).\(picture.fileExtension)")
    }

    package func files(of item: TargetItem) -> [TargetFile] { Self.files(of: item) }

    /// Returns the `Contents.json` files of the item's image sets and of the folders around them.
    package static func files(of item: TargetItem) -> [TargetFile] {
        var files: [TargetFile] = []
        var known: Set<Substring> = []
        for set in imageSets(of: item) {
            for folder in namespaces(of: set.folder) where known.insert(folder).inserted {
                files.append(file(in: folder, CatalogContents.namespace))
            }
            files.append(file(in: set.folder, CatalogContents.imageSet(set.pictures)))
        }
        return files
    }

    private static func imageSets(
        of item: TargetItem
    ) -> [(folder: Substring, pictures: [OutputRecord])] {
        var sets: [(folder: Substring, pictures: [OutputRecord])] = []
        for picture in item.pictures {
            guard let slash = picture.path.lastIndex(of: "/") else { continue }
            let folder = picture.path[..<slash]
            if sets.last?.folder != folder { sets.append((folder, [])) }
            sets[sets.count - 1].pictures.append(picture)
        }
        return sets
    }

    /// Returns the path of an item in the catalog.
    static func itemName(_ name: String) -> String {
        name.split(separator: "/").map(folderName).joined(separator: "/")
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

    /// The extensions that have a meaning for folders in a catalog.
    private static let kinds: Set<Substring> = [
        "appiconset", "arimageset", "arobjectset", "arreferenceimage", "arreferenceobject",
        "arresourcegroup", "brandassets", "colorset", "complicationset", "cubetextureset",
        "dataset", "gcdashboardimage", "gcleaderboard", "gcleaderboardset", "iconset",
        "imageset", "imagestack", "imagestacklayer", "launchimage", "mipmapset", "solidimagestack",
        "solidimagestacklayer", "spriteatlas", "sticker", "stickerpack", "stickersequence",
        "stickersiconset", "symbolset", "textureset", "watchface",
    ]

    /// Returns an item's folder name, changed if it has a reserved extension or is `contents.json`.
    private static func folderName(_ name: Substring) -> String {
        ReservedName.avoiding(name) { text in
            text == "contents.json"
                || text.lastIndex(of: ".").map { kinds.contains(text[$0...].dropFirst()) } ?? false
        }
    }

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

/// The contents of the catalog's `Contents.json` files.
enum CatalogContents {
    private static let info = CatalogValue.members([
        "author": .text("xcode"), "version": .number(1),
    ])
    private static let idiom = CatalogValue.text("universal")
    private static let dark = CatalogValue.list([
        .members(["appearance": .text("luminosity"), "value": .text("dark")])
    ])

    /// The contents for a folder that only groups other folders.
    static let plain = CatalogValue.members(["info": info])

    static let namespace = CatalogValue.members([
        "info": info, "properties": .members(["provides-namespace": .yes]),
    ])

    /// Returns the contents of an image set: an entry per scale and scheme, without a file where no
    /// picture was made.
    static func imageSet(_ pictures: [OutputRecord]) -> CatalogValue {
        // A set for the dark scheme alone is used for both schemes.
        let hasBoth = pictures.contains { $0.isDark } && pictures.contains { !$0.isDark }
        let schemes = hasBoth ? [false, true] : [pictures.first?.isDark ?? false]
        let images = [1.0, 2, 3].flatMap { scale in
            schemes.map { isDark in
                var members = ["idiom": idiom, "scale": .text("\(Int(scale))x")]
                if hasBoth, isDark { members["appearances"] = dark }
                if let picture = pictures.first(where: { $0.scale == scale && $0.isDark == isDark }
                ) {
                    let name = picture.path.split(separator: "/").last.map(String.init)
                    members["filename"] = .text(name ?? picture.path)
                }
                return CatalogValue.members(members)
            }
        }
        return .members([
            "images": .list(images), "info": info,
            "properties": .members(["template-rendering-intent": .text("original")]),
        ])
    }

    static func colorSet(_ color: Color, dark other: Color?) -> CatalogValue {
        var colors = [CatalogValue.members(["color": value(of: color), "idiom": idiom])]
        if let other {
            colors.append(
                .members(["appearances": dark, "color": value(of: other), "idiom": idiom]))
        }
        return .members(["colors": .list(colors), "info": info])
    }

    private static func value(of color: Color) -> CatalogValue {
        .members([
            "color-space": .text("srgb"),
            "components": .members([
                "alpha": .text(alpha(color.alpha)), "blue": .text(channel(color.blue)),
                "green": .text(channel(color.green)), "red": .text(channel(color.red)),
            ]),
        ])
    }

    private static func channel(_ value: UInt8) -> String {
        "0x" + Hexadecimal.text(UInt32(value), width: 2).uppercased()
    }

    private static func alpha(_ value: UInt8) -> String {
        let thousandths = (Int(value) * 1000 + 127) / 255
        return "\(thousandths / 1000)." + "\(1000 + thousandths % 1000)".dropFirst()
    }
}

/// A value of a `Contents.json`, formatted like Xcode does: sorted keys, one per line, spaces
/// around the colon, a final line break. Opening the catalog in Xcode then changes no byte.
enum CatalogValue {
    case text(String)
    case number(Int)
    case yes
    case list([CatalogValue])
    case members([String: CatalogValue])

    var text: String { lines(at: 0) + "\n" }

    private func lines(at depth: Int) -> String {
        let inner = String(repeating: "  ", count: depth + 1)
        let outer = String(repeating: "  ", count: depth)
        switch self {
        case .text(let text): return JSON.string(text).text
        case .number(let number): return "\(number)"
        case .yes: return "true"
        case .list(let values):
            let lines = values.map { inner + $0.lines(at: depth + 1) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(outer)]"
        case .members(let members):
            let lines = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
                "\(inner)\"\($0.key)\" : \($0.value.lines(at: depth + 1))"
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
        }
    }
}
