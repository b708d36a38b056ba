import Engine
import Notation
import Raster

/// What stands in the `Contents.json` of each kind of folder.
enum CatalogContents {
    private static let info = CatalogValue.members([
        "author": .text("xcode"), "version": .number(1),
    ])
    private static let idiom = CatalogValue.text("universal")
    private static let dark = CatalogValue.list([
        .members(["appearance": .text("luminosity"), "value": .text("dark")])
    ])

    /// A folder that only groups.
    static let plain = CatalogValue.members(["info": info])

    /// A folder whose name stands before those of what is in it.
    static let namespace = CatalogValue.members([
        "info": info, "properties": .members(["provides-namespace": .yes]),
    ])

    /// A place for each scale, empty where nothing was made at it, and for dark screens behind it.
    static func imageSet(_ pictures: [OutputRecord]) -> CatalogValue {
        // A set for dark screens alone is for any of them.
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

    /// Three digits behind the point.
    private static func alpha(_ value: UInt8) -> String {
        let thousandths = (Int(value) * 1000 + 127) / 255
        return "\(thousandths / 1000)." + "\(1000 + thousandths % 1000)".dropFirst()
    }
}
