import Theming

/// A short text with a meaning, to be shown on a pill.
package struct Badge: Hashable, Sendable {
    /// One line, bounded, at least one visible character; empty for a dot.
    package let text: String
    package let appearance: BadgeAppearance

    /// More than any pill shows.
    static let charactersLimit = 200

    /// Nil if the text holds nothing that could be seen.
    package init?(_ text: String, appearance: BadgeAppearance) {
        var kept = ""
        for character in PlainText(text, keepsLines: false).text.prefix(Self.charactersLimit) {
            kept += Initials.bounded(character)
        }
        guard kept.contains(where: Initials.isVisible) else { return nil }
        self.text = kept
        self.appearance = appearance
    }

    /// A dot without a text, which leaves most of a small component to be seen.
    package static func dot(_ appearance: BadgeAppearance) -> Badge {
        Badge(settled: "", appearance: appearance)
    }

    package var isDot: Bool { text.isEmpty }

    /// What stands for a dot where a text would stand.
    private static let dotWord = "dot"

    /// What was made of a text before, taken as it is.
    package init(settled text: String, appearance: BadgeAppearance) {
        self.text = text
        self.appearance = appearance
    }

    /// Reads `TEXT:APPEARANCE`, where `dot` or no text at all is a dot; the text may hold colons
    /// itself.
    package init(argument: String) throws(BadgeFault) {
        guard let colon = argument.lastIndex(of: ":") else { throw .noAppearance(argument) }
        let name = String(argument[argument.index(after: colon)...])
        guard let appearance = BadgeAppearance(rawValue: name) else {
            throw .unknownAppearance(name)
        }
        let text = String(argument[..<colon])
        if text.isEmpty || text == Self.dotWord {
            self = .dot(appearance)
            return
        }
        guard let badge = Badge(text, appearance: appearance) else { throw .noText }
        self = badge
    }

    /// As an option says it.
    package var argument: String {
        "\(isDot ? Self.dotWord : text):\(appearance.rawValue)"
    }
}

/// Why a text is no badge.
package enum BadgeFault: Error, Hashable, Sendable {
    case noAppearance(String)
    case unknownAppearance(String)
    case noText
}

extension BadgeFault: CustomStringConvertible {
    package var description: String {
        let names = BadgeAppearance.allCases.map(\.rawValue).joined(separator: ", ")
        return switch self {
        case .noAppearance(let text):
            "a badge is TEXT:APPEARANCE, as in '\(text.isEmpty ? "3" : String(text.prefix(40))):danger'"
        case .unknownAppearance(let name):
            "unknown badge appearance \(name.prefix(40)); use \(names)"
        case .noText: "a badge needs a visible character"
        }
    }
}

/// The corner of a component over which a badge lies.
package enum BadgeCorner: String, CaseIterable, Hashable, Sendable {
    case topRight = "top-right"
    case topLeft = "top-left"
    case bottomRight = "bottom-right"
    case bottomLeft = "bottom-left"

    var isRight: Bool { self == .topRight || self == .bottomRight }
    var isBottom: Bool { self == .bottomRight || self == .bottomLeft }
}

/// A badge and where it lies.
package struct BadgeMark: Hashable, Sendable {
    package var badge: Badge
    package var corner: BadgeCorner

    package init(_ badge: Badge, corner: BadgeCorner = .topRight) {
        self.badge = badge
        self.corner = corner
    }
}
