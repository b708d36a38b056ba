import Artwork
import Digest

/// The replacement for an image that cannot be rendered.
package enum PlaceholderChoice: Hashable, Sendable {
    case icon(BuiltInIcon)
    /// The initials of the item's label, or the default icon without a label.
    case initials
    /// Fixed initials, independent of the item's label.
    case letters(Initials)
    /// An image that the user chose, read when the run was planned.
    case picture(name: String, bytes: [UInt8])
    case none

    package static func usual(for component: Component) -> PlaceholderChoice {
        component.prefersInitials ? .initials : .icon(component.icon)
    }
}

/// The text form of a placeholder, for options, rows and records.
extension PlaceholderChoice {
    private static let iconMark = "icon:"
    private static let initialsMark = "initials:"

    /// Reads `icon:NAME`, `initials`, `initials:AB`, `none`, or the path of a picture, which
    /// becomes its name until `load` reads its bytes.
    package init?(spelling text: String) {
        switch text {
        case "": return nil
        case "none": self = .none
        case "initials": self = .initials
        case _ where text.hasPrefix(Self.initialsMark):
            let letters = String(text.dropFirst(Self.initialsMark.count))
            guard let initials = Initials(letters) else { return nil }
            self = .letters(initials)
        case _ where text.hasPrefix(Self.iconMark):
            let name = String(text.dropFirst(Self.iconMark.count))
            guard let icon = BuiltInIcon(rawValue: name) else { return nil }
            self = .icon(icon)
        default: self = .picture(name: text, bytes: [])
        }
    }

    /// Reads the file of a picture that has only its path.
    package mutating func load<Failure: Error>(
        _ read: (_ path: String) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        guard case .picture(let path, []) = self else { return }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        self = .picture(name: name, bytes: try read(path))
    }

    /// The text as a user would type it. A file is identified by the digest of its bytes, since its
    /// path differs between machines.
    package var spelling: String {
        switch self {
        case .icon(let icon): Self.iconMark + icon.rawValue
        case .initials: "initials"
        case .letters(let initials): Self.initialsMark + initials.text
        case .none: "none"
        case .picture(_, let bytes): "sha256:\(SHA256.hash(bytes.span).hex)"
        }
    }
}
