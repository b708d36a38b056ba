import Codecs

/// A form of output: plain files, an asset catalog, Android resources, or a web folder.
package enum TargetKind: String, CaseIterable, Hashable, Sendable {
    case files, xcassets, android, web

    package var defaultScales: [Double] {
        switch self {
        case .files: [1]
        case .xcassets, .web: [1, 2, 3]
        case .android: [1, 1.5, 2, 3, 4]
        }
    }

    package var defaultFormats: [OutputFormat] {
        switch self {
        case .files, .xcassets: [.png]
        case .android: [.webp]
        case .web: [.avif, .webp, .png]
        }
    }

    package var allowedFormats: [OutputFormat]? {
        switch self {
        case .files, .web: nil
        case .xcassets: [.png, .jpeg]
        case .android: [.webp, .png, .jpeg]
        }
    }

    package var allowedScales: [Double]? { self == .xcassets ? [1, 2, 3] : nil }

    /// Whether each picture has exactly one path, so that only one format is possible.
    package var holdsOneFormat: Bool { self == .xcassets || self == .android }

    /// Whether the format of each picture must be known before it is drawn.
    package var needsFixedFormat: Bool { self != .files }

    /// The kind with its article, for messages.
    package var phrase: String {
        switch self {
        case .files: "a folder of files"
        case .xcassets: "an asset catalog"
        case .android: "an Android resource folder"
        case .web: "a web folder"
        }
    }

    /// The rule for item names; nil if every name is allowed.
    package var legalName: LegalName? {
        self == .android ? .android : nil
    }
}

/// The conversion of item names for a target that does not accept all names.
///
/// Two items may get the same name. Names are compared in one form, which ignores case, and written
/// in another form.
package struct LegalName: Sendable {
    private let compared: @Sendable (String) -> String
    private let written: @Sendable (String) -> String

    /// Returns the name in the form for comparison; suffixes are appended to it.
    package func wanted(_ name: String) -> String { compared(name) }

    /// Returns the file name for a compared name with its suffix.
    package func text(_ name: String) -> String { written(name) }
}

extension LegalName {
    /// Lower-case ASCII letters, digits and `_`.
    package static let android = LegalName(
        compared: { ResourceName.dashed($0) }, written: { $0.replacing("-", with: "_") })
}

/// Names with another meaning in a folder. Such a name gets a `_` at its end, and so does every
/// name that would become equal to it.
package enum ReservedName {
    package static func avoiding(_ name: some StringProtocol, where isReserved: (String) -> Bool)
        -> String
    {
        let stem = name.reversed().drop { $0 == "_" }.reversed()
        return isReserved(String(stem).lowercased()) ? "\(name)_" : String(name)
    }
}
