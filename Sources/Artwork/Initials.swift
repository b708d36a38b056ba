import CDrawing
import Codecs
import Raster

/// At most two characters that stand for a name.
///
/// Characters are what a reader calls so: a letter with its marks, an emoji with its modifiers.
package struct Initials: Hashable, Sendable {
    package let text: String

    /// More code points than any letter or emoji has; what a text heaps on beyond is left out.
    static let scalarsLimit = 16

    /// The first two characters of `text`, blanks and invisible ones not counted; nil if there are
    /// none.
    package init?(_ text: String) {
        var kept = ""
        var count = 0
        for character in text where Self.isVisible(character) {
            kept += Self.bounded(character)
            count += 1
            if count == 2 { break }
        }
        guard count > 0 else { return nil }
        self.text = kept
    }

    /// What was made of a text before, taken as it is.
    package init(settled text: String) {
        self.text = text
    }

    /// From a label: the first character of its first and of its last word, in capitals where the
    /// script has them. A word's leading punctuation is stepped over.
    package static func from(label: String) -> Initials? {
        let words = label.split { $0.isWhitespace }.compactMap(Self.initial)
        guard let first = words.first, let last = words.last else { return Initials(label) }
        return Initials(words.count == 1 ? first : first + last)
    }

    private static func initial(_ word: Substring) -> String? {
        word.first { isVisible($0) && !$0.isPunctuation && !$0.isMathSymbol }.map(capital)
    }

    /// The title case of a character, where that is one character too: `ß` has none, and the
    /// capitals of Georgian are for headlines only.
    private static func capital(_ character: Character) -> String {
        guard let first = character.unicodeScalars.first else { return String(character) }
        var text = first.properties.titlecaseMapping
        text.unicodeScalars.append(contentsOf: character.unicodeScalars.dropFirst())
        return text.count == 1 ? text : String(character)
    }

    static func isVisible(_ character: Character) -> Bool {
        guard !character.isWhitespace, let first = character.unicodeScalars.first else {
            return false
        }
        switch first.properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator:
            return false
        default:
            return true
        }
    }

    static func bounded(_ character: Character) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: character.unicodeScalars.prefix(scalarsLimit))
        return String(text)
    }
}

/// Initials as text in the middle of a canvas: white, to be tinted, or with emoji in their colours.
///
/// Glyphs are drawn as outlines at exact positions: no hinting, no rounding to pixels, so every
/// layout and scale shows the same letters. Any thread may draw.
struct InitialsText {
    private let initials: Initials

    /// The text size in heights of the canvas.
    static let sizeShare = 0.4
    /// The width that two wide letters may take, in heights of the canvas: what a circle leaves.
    static let widthShare = 0.7

    /// The size of a single emoji, which is a picture rather than a letter.
    static let emojiShare = 0.5

    init(_ initials: Initials) {
        self.initials = initials
    }

    /// Draws in white, or in `color` where a tint would take the emoji's colours away.
    func draw(on canvas: PixelSize, _ color: Color) throws(ArtworkError) -> PixelBuffer {
        try FontCache.draw(with: .usual) { () throws(ArtworkError) in
            try drawInTurn(on: canvas, color)
        }
    }

    private func drawInTurn(
        on canvas: PixelSize, _ color: Color
    ) throws(ArtworkError) -> PixelBuffer {
        let height = Double(canvas.height)
        let isPicture = hasEmoji && initials.text.count == 1
        let share = isPicture ? Self.emojiShare : Self.sizeShare
        var layout = try TextLayout(initials.text, size: height * share)
        let widest = height * Self.widthShare
        let tallest = max(layout.ink.width, layout.ink.height)
        if tallest > widest {
            layout = try TextLayout(initials.text, size: height * share * widest / tallest)
        }
        let ink = layout.ink
        let x = (Double(canvas.width) - ink.width) / 2 - ink.x
        // Capitals stand with their feet on a whole pixel; what hangs below the line, as on Q,
        // must not lift the letter. Other scripts are centred as they look.
        let baseline =
            isCapitals
            ? ((height + layout.capHeight) / 2).rounded()
            : (height - ink.height) / 2 - ink.y
        var pixels = PixelBuffer(size: canvas)
        try layout.draw(
            on: &pixels, x: x, baseline: baseline, color: hasEmoji ? color : .white)
        return pixels
    }

    func lacksGlyphs() throws(ArtworkError) -> Bool {
        try FontCache.draw(with: .usual) { () throws(ArtworkError) in
            try TextLayout(initials.text, size: 24).missingGlyphs > 0
        }
    }

    /// Some of the text has colours of its own.
    var hasEmoji: Bool {
        initials.text.unicodeScalars.contains {
            $0.properties.isEmojiPresentation || $0.value == 0xFE0F
        }
    }

    /// Only capitals and digits of scripts that have capitals.
    private var isCapitals: Bool {
        initials.text.allSatisfy { $0.isUppercase || ("0"..."9").contains($0) }
    }
}
