import Codecs

/// What the pictures of a run are laid out for.
package enum TargetKind: String, CaseIterable, Hashable, Sendable {
    case files, xcassets, android, web, tar

    /// The scales that it is made at where nobody asks for others.
    package var usualScales: [Double] {
        switch self {
        case .files, .tar: [1]
        case .xcassets, .web: [1, 2, 3]
        case .android: [1, 1.5, 2, 3, 4]
        }
    }

    /// The formats that it is made in where nobody asks for others.
    package var usualFormats: [OutputFormat] {
        switch self {
        case .files, .xcassets, .tar: [.png]
        case .android: [.webp]
        case .web: [.avif, .webp, .png]
        }
    }

    /// The formats that it can hold; nil for all of them.
    package var allowedFormats: [OutputFormat]? {
        switch self {
        case .files, .tar, .web: nil
        case .xcassets: [.png, .jpeg]
        case .android: [.webp, .png, .jpeg]
        }
    }

    /// The scales that it has places for; nil for all of them.
    package var allowedScales: [Double]? { self == .xcassets ? [1, 2, 3] : nil }

    /// Each picture has one place, so that there can only be one format.
    package var holdsOneFormat: Bool { self == .xcassets || self == .android }

    /// The format of each picture is known before the picture is.
    package var needsFixedFormat: Bool { self != .files && self != .tar }

    /// Whether several sets may share a folder: no file of the target lists the pictures of all items.
    package var canBeShared: Bool { self == .files || self == .xcassets || self == .android }

    /// The part of a path that no two sets in one folder may have in common: an image set and an Android
    /// resource are several files that have one name.
    package func sharingKey(of path: String) -> String {
        let parts = path.split(separator: "/")
        switch self {
        case .xcassets where parts.dropLast().last?.hasSuffix(".imageset") == true:
            return parts.dropLast().joined(separator: "/")
        case .android where path.hasPrefix("drawable"):
            return String(parts[parts.count - 1].prefix { $0 != "." })
        default: return path
        }
    }

    /// As people call it.
    package var phrase: String {
        switch self {
        case .files: "a folder of files"
        case .xcassets: "an asset catalog"
        case .android: "an Android resource folder"
        case .web: "a web folder"
        case .tar: "a set of tar shards"
        }
    }

    /// How it names items; nil where every item keeps its name.
    package var legalName: LegalName? {
        switch self {
        case .files, .xcassets, .web: nil
        case .android: .android
        case .tar: .tar
        }
    }
}

/// How a target that does not take every name changes those of the items.
///
/// Two items may come to want one name: they are compared in one form, in which small and capital
/// letters are equal, and written in another.
package struct LegalName: Sendable {
    private let compared: @Sendable (String) -> String
    private let written: @Sendable (String) -> String

    /// The name as it is compared with others; suffixes are added to it.
    package func wanted(_ name: String) -> String { compared(name) }

    /// The name of a file, of what `wanted` said and a suffix.
    package func text(_ name: String) -> String { written(name) }
}

extension LegalName {
    /// Small letters of ASCII, digits and `_`.
    package static let android = LegalName(
        compared: { ResourceName.dashed($0) }, written: { $0.replacing("-", with: "_") })

    /// Without dots: what stands behind the first one is the extension.
    package static let tar = LegalName(
        compared: { $0.replacing(".", with: "_") }, written: { $0 })
}

/// Names that mean something else in a folder than an item of that name: each such name gets a `_`
/// behind it, and so does each that would come to be the same.
package enum ReservedName {
    package static func avoiding(_ name: some StringProtocol, where isReserved: (String) -> Bool)
        -> String
    {
        let stem = name.reversed().drop { $0 == "_" }.reversed()
        return isReserved(String(stem).lowercased()) ? "\(name)_" : String(name)
    }
}
