import Artwork
import Digest

/// What stands in for a picture that cannot be shown.
package enum PlaceholderChoice: Hashable, Sendable {
    case icon(BuiltInIcon)
    /// The initials of the item's label; the default icon where it has none.
    case initials
    /// These initials, whatever the item is called.
    case letters(Initials)
    /// A picture of the user's own, read when the run was planned.
    case picture(name: String, bytes: [UInt8])
    case none

    /// What a component has where nothing is said.
    package static func usual(for component: Component) -> PlaceholderChoice {
        component.prefersInitials ? .initials : .icon(component.icon)
    }
}

/// Why a text names no placeholder.
package enum PlaceholderFault: Error, Hashable, Sendable {
    case nothing
    /// Nothing that can be seen stands behind `initials:`.
    case noLetters
    case unknownIcon(String)
}

/// How a placeholder is written, in options, in rows and in records.
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

    /// As a person would type it; a file is named by its bytes, since its path belongs to the
    /// machine.
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
