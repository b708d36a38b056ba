import CDrawing
import Codecs
import Raster

/// At most two characters that represent a name.
///
/// A character is a grapheme cluster: a letter with its marks, an emoji with its modifiers.
package struct Initials: Hashable, Sendable {
    package let text: String

    /// The maximum number of code points of a character; further code points are dropped.
    static let scalarsLimit = 16

    /// Takes the first two visible characters of `text`; nil if there are none.
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

    package init(checked text: String) {
        self.text = text
    }

    /// Returns the first characters of the first and last word of a label, capitalised if the
    /// script has capitals. Leading punctuation of a word is skipped.
    package static func from(label: String) -> Initials? {
        let words = label.split { $0.isWhitespace }.compactMap(Self.initial)
        guard let first = words.first, let last = words.last else { return Initials(label) }
        return Initials(words.count == 1 ? first : first + last)
    }

    private static func initial(_ word: Substring) -> String? {
        word.first { isVisible($0) && !$0.isPunctuation && !$0.isMathSymbol }.map(capital)
    }

    /// Returns the title case of a character if it is a single character too. `ß` has none, and
    /// Georgian capitals are for headlines only.
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

    /// Returns the character cut to `scalarsLimit` code points.
    static func bounded(_ character: Character) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: character.unicodeScalars.prefix(scalarsLimit))
        return String(text)
    }
}

/// Initials drawn as text in the middle of a canvas: white, to be tinted later, or with coloured
/// emoji.
///
/// Glyphs are outlines at exact positions, without hinting or rounding to pixels, so every layout
/// and scale shows the same letters. Thread-safe.
struct InitialsText {
    private let initials: Initials

    /// The size of letters as a share of the canvas height.
    static let sizeShare = 0.4
    /// The greatest width of two letters as a share of the canvas height, so that they fit into a
    /// circle.
    static let widthShare = 0.7

    /// The size of a single emoji as a share of the canvas height.
    static let emojiShare = 0.5

    init(_ initials: Initials) {
        self.initials = initials
    }

    /// Draws in white, or in `color` if a tint would replace an emoji's colours.
    func draw(on canvas: PixelSize, _ color: Color) throws(ArtworkError) -> PixelBuffer {
        try FontCache.draw(with: .usual) { () throws(ArtworkError) in
            try drawWithCurrentFonts(on: canvas, color)
        }
    }

    /// Draws with the fonts of the surrounding `FontCache.draw`.
    private func drawWithCurrentFonts(
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
        // Capitals have their baseline on a whole pixel, and a descender, as in Q, does not lift
        // the letter. Other scripts are centred by their ink.
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

    var hasEmoji: Bool {
        initials.text.unicodeScalars.contains {
            $0.properties.isEmojiPresentation || $0.value == 0xFE0F
        }
    }

    private var isCapitals: Bool {
        initials.text.allSatisfy { $0.isUppercase || ("0"..."9").contains($0) }
    }
}
