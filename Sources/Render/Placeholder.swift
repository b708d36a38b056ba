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

/// The reason why a text is not a placeholder.
package enum PlaceholderFault: Error, Hashable, Sendable {
    case nothing
    /// No visible letter follows `initials:`.
    case noLetters
    case unknownIcon(String)
}

/// The text form of a placeholder, for options, rows and records.
extension PlaceholderChoice {
    private static let iconMark = "icon:"
    private static let initialsMark = "initials:"

    /// Reads `icon:NAME`, `initials`, `initials:AB`, `none`, or the path of a picture.
    package static func reading(
        _ text: String
    ) throws(PlaceholderFault) -> LookReading<PlaceholderChoice> {
        switch text {
        case "": throw .nothing
        case "none": return .value(.none)
        case "initials": return .value(.initials)
        default: break
        }
        if text.hasPrefix(initialsMark) {
            guard let initials = Initials(String(text.dropFirst(initialsMark.count))) else {
                throw .noLetters
            }
            return .value(.letters(initials))
        }
        if text.hasPrefix(iconMark) {
            let name = String(text.dropFirst(iconMark.count))
            guard let icon = BuiltInIcon(rawValue: name) else { throw .unknownIcon(name) }
            return .value(.icon(icon))
        }
        let name = text.split(separator: "/").last.map(String.init) ?? text
        return .file(text) { .picture(name: name, bytes: $0) }
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
