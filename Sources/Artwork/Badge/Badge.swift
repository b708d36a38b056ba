import Theming

/// A short text with a meaning, shown on a pill.
package struct Badge: Hashable, Sendable {
    /// One line with at least one visible character; empty for a dot.
    package let text: String
    package let appearance: BadgeAppearance

    static let charactersLimit = 200

    /// Returns nil if the text has no visible character.
    package init?(_ text: String, appearance: BadgeAppearance) {
        var kept = ""
        for character in PlainText(text, keepsLines: false).text.prefix(Self.charactersLimit) {
            kept += Initials.bounded(character)
        }
        guard kept.contains(where: Initials.isVisible) else { return nil }
        self.text = kept
        self.appearance = appearance
    }

    /// A dot without text, which covers less of a small component.
    package static func dot(_ appearance: BadgeAppearance) -> Badge {
        Badge(checked: "", appearance: appearance)
    }

    package var isDot: Bool { text.isEmpty }

    /// The height of the smallest component on which the text of a badge is drawn.
    static let leastComponentHeight = 32.0

    /// Returns the badge as it is drawn on a component of this height: a dot on small ones, because
    /// a text would cover most of them.
    func fitting(on height: Double) -> Badge {
        height < Self.leastComponentHeight ? .dot(appearance) : self
    }

    /// Creates a badge from a text that was checked before, or a dot from an empty text.
    package init(checked text: String, appearance: BadgeAppearance) {
        self.text = text
        self.appearance = appearance
    }
}

package enum BadgeFault: Error, Hashable, Sendable {
    case noAppearance(String)
    case unknownAppearance(String)
    case unknownCorner(String)
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
        case .unknownCorner(let name):
            "unknown badge corner \(name.prefix(40)); use "
                + BadgeCorner.allCases.map(\.rawValue).joined(separator: ", ")
        case .noText: "a badge needs a visible character"
        }
    }
}

/// The corner of a component that a badge covers.
public enum BadgeCorner: String, CaseIterable, Hashable, Sendable {
    /// The upper right corner.
    case topRight = "top-right"
    /// The upper left corner.
    case topLeft = "top-left"
    /// The lower right corner.
    case bottomRight = "bottom-right"
    /// The lower left corner.
    case bottomLeft = "bottom-left"

    var isRight: Bool { self == .topRight || self == .bottomRight }
    var isBottom: Bool { self == .bottomRight || self == .bottomLeft }
}

/// A badge and the corner of the component on which it is drawn.
package struct BadgeMark: Hashable, Sendable {
    package var badge: Badge
    package var corner: BadgeCorner

    package init(_ badge: Badge, corner: BadgeCorner = .topRight) {
        self.badge = badge
        self.corner = corner
    }

    private static let dotWord = "dot"

    /// Reads `TEXT:APPEARANCE[@CORNER]`. The text may contain `:` and `@`: the corner follows the
    /// last `@`, and the appearance the last `:` before it. `dot` or an empty text gives a dot.
    package init(argument: String) throws(BadgeFault) {
        var (rest, corner) = (argument[...], BadgeCorner.topRight)
        if let at = argument.lastIndex(of: "@"),
            let named = BadgeCorner(rawValue: String(argument[argument.index(after: at)...]))
        {
            (rest, corner) = (argument[..<at], named)
        }
        guard let colon = rest.lastIndex(of: ":") else { throw .noAppearance(argument) }
        let name = rest[rest.index(after: colon)...]
        guard let appearance = BadgeAppearance(rawValue: String(name)) else {
            let parts = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, BadgeAppearance(rawValue: String(parts[0])) != nil {
                throw .unknownCorner(String(parts[1]))
            }
            throw .unknownAppearance(String(name))
        }
        let text = rest[..<colon]
        if text.isEmpty || text == Self.dotWord {
            self.init(.dot(appearance), corner: corner)
            return
        }
        guard let badge = Badge(String(text), appearance: appearance) else { throw .noText }
        self.init(badge, corner: corner)
    }

    /// The badge in the form that `init(argument:)` reads.
    package var argument: String {
        "\(badge.isDot ? Self.dotWord : badge.text):\(badge.appearance.rawValue)"
            + (corner == .topRight ? "" : "@\(corner.rawValue)")
    }
}

extension Badge {
    /// Draws the pill and its text; the sketch has the size of the pill.
    package func sketch(_ style: BadgeStyle) throws(ArtworkError) -> Sketch {
        guard !isDot else { return dot(style) }
        let line = try BadgeLine(text, style)
        let (scale, height) = (style.scale, style.height)
        // Rounded up to whole pixels, so that no column is partly covered.
        let wanted = max(height, line.ink.width + 2 * line.padding)
        let width = (min(wanted, max(height, style.maxWidth)) * scale).rounded(.up) / scale
        var sketch = Sketch(width: width, height: height, title: text)
        sketch.add(
            .fill(
                Box(x: 0, y: 0, width: width, height: height, radius: height / 2),
                style.colors.background))
        let block = try TextBlock(
            line.text, style: TextStyle(size: line.size, weight: .semibold))
        sketch.add(
            .text(
                block, x: (width - line.ink.width) / 2 - line.ink.x,
                y: line.baseline(style) - block.style.baseline, style.colors.foreground))
        return sketch
    }
}

extension Badge {
    private func dot(_ style: BadgeStyle) -> Sketch {
        let side = max(1, (style.dotSide * style.scale).rounded()) / style.scale
        var sketch = Sketch(width: side, height: side)
        sketch.add(
            .fill(
                Box(x: 0, y: 0, width: side, height: side, radius: side / 2),
                style.colors.background))
        return sketch
    }
}

/// The text of a badge, cut so that it fits. Its size is that of other badges, except for lines that
/// are too tall.
private struct BadgeLine {
    private(set) var text: String
    private(set) var size: Double
    private(set) var padding: Double
    private(set) var ink: ShapedText.Ink

    init(_ text: String, _ style: BadgeStyle) throws(ArtworkError) {
        self.text = text
        size = min(max(style.textSize, TextStyle.sizes.lowerBound), TextStyle.sizes.upperBound)
        // A single character is placed in a circle if the circle has room for it.
        padding = text.count == 1 ? min(style.padding, BadgeStyle.clearance) : style.padding
        ink = try Self.ink(of: text, size)
        let tallest = style.height - 2 * BadgeStyle.clearance
        if ink.height > tallest {
            // Tall diacritical marks reduce the size of the whole line.
            size = max(TextStyle.sizes.lowerBound, size * tallest / ink.height)
            ink = try Self.ink(of: text, size)
        }
        let narrow = min(padding, BadgeStyle.clearance)
        guard ink.width + 2 * padding > style.maxWidth else { return }
        guard ink.width + 2 * narrow > style.maxWidth else {
            // Less padding shows the whole text.
            padding = narrow
            return
        }
        try cut(to: style.maxWidth - 2 * padding)
    }

    private mutating func cut(to room: Double) throws(ArtworkError) {
        let characters = Array(text)
        var (fitting, tooMany) = (0, characters.count)
        while tooMany - fitting > 1 {
            let middle = (fitting + tooMany) / 2
            let width = try Self.ink(of: Self.cut(characters, middle), size).width
            if width > room { tooMany = middle } else { fitting = middle }
        }
        text = Self.cut(characters, fitting)
        ink = try Self.ink(of: text, size)
    }

    private static func cut(_ characters: [Character], _ count: Int) -> String {
        var text = String(characters[..<count])
        while text.last == " " { text.removeLast() }
        return text + "…"
    }

    private static func ink(of text: String, _ size: Double) throws(ArtworkError) -> ShapedText.Ink
    {
        try ShapedText.use(text, font: (size, .semibold)) { $0.ink }
    }

    /// Returns the baseline. Capitals are centred and end at a whole pixel; other scripts are
    /// centred by their ink. The clearance is kept in both cases.
    func baseline(_ style: BadgeStyle) -> Double {
        let isLatin = text.contains { $0.isUppercase || $0.isLowercase || $0.isNumber }
        let capHeight = size * TextStyle.capitalShare
        let middle =
            isLatin
            ? (style.height + capHeight) / 2 : (style.height - ink.height) / 2 - ink.y
        let baseline = (middle * style.scale).rounded() / style.scale
        let highest = BadgeStyle.clearance - ink.y
        let lowest = style.height - BadgeStyle.clearance - ink.y - ink.height
        guard highest <= lowest else { return (highest + lowest) / 2 }
        return min(max(baseline, highest), lowest)
    }
}

/// The measures of a badge in points, and its colours.
package struct BadgeStyle: Hashable, Sendable {
    package var height: Double
    package var textSize: Double
    /// The least distance of the text from the ends of the pill.
    package var padding: Double
    package var maxWidth: Double
    package var dotSide = 10.0
    /// The width of the gap cut out of the component around the badge.
    package var ring: Double
    /// Pixels per point; edges and letters are aligned to whole pixels.
    package var scale: Double
    package var colors: BadgeColors

    /// The least space above and below the text.
    package static let clearance = 4.0
    /// The least height at which text fits between the clearances.
    static let leastHeight = 12.0
    static let greatestHeight = 512.0

    package init(
        _ appearance: BadgeAppearance, theme: Theme, scheme: ColorScheme = .light,
        scale: Double = 1
    ) {
        height = min(
            max(theme.dimension("theme.dimension.height.badge") ?? 22, Self.leastHeight),
            Self.greatestHeight)
        textSize = max(theme.badgeDimension("text"), 1)
        padding = min(theme.badgeDimension("padding"), Self.greatestHeight)
        maxWidth = min(
            max(theme.badgeDimension("max-width"), height), 8 * Self.greatestHeight)
        ring = min(theme.badgeDimension("ring"), Self.greatestHeight)
        self.scale = scale
        colors = theme.badgeColors(appearance, scheme)
    }

    /// The style of a badge on a component of this size. It shrinks with the component but stays
    /// legible.
    package init(
        _ appearance: BadgeAppearance, on size: (width: Double, height: Double), theme: Theme,
        scheme: ColorScheme = .light, scale: Double = 1
    ) {
        self.init(appearance, theme: theme, scheme: scheme, scale: scale)
        let alone = height
        let share = 2 * (size.height * 0.15 + 0.5).rounded(.down)
        height = min(alone, max(16, share))
        // Five points above and below capitals leave room for round and descending letters.
        textSize = min(textSize, max((height - 10) / TextStyle.capitalShare, 1))
        padding = (padding * height / alone).rounded()
        maxWidth = max(height, size.width)
        // A quarter of the component's side, so that the dot covers about a sixteenth of it.
        dotSide = max(1, (size.height / 4).rounded())
        ring = min(ring, max(1, (size.height / 24).rounded()))
    }
}
