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
        let kept = text.lazy.filter(Self.isVisible).prefix(2).map(Self.bounded)
        guard var joined = kept.first else { return nil }
        for character in kept.dropFirst() {
            if Self.isCursive(joined) { joined += Self.nonJoiner }
            joined += character
        }
        self.text = joined
    }

    /// The code point between two letters that would otherwise be written as a word.
    private static let nonJoiner = "\u{200C}"

    /// Whether letters of the text's script join: Arabic, Syriac, N'Ko, Mongolian or Adlam.
    private static func isCursive(_ text: String) -> Bool {
        switch text.unicodeScalars.first?.value ?? 0 {
        case 0x0600...0x077F, 0x07C0...0x07FF, 0x0860...0x08FF, 0x1800...0x18AF, 0x1E900...0x1E95F:
            text.unicodeScalars.last != "\u{200C}"
        default: false
        }
    }

    package init(checked text: String) {
        self.text = text
    }

    /// Returns the first characters of the first and last word of a name, capitalised if the
    /// script has capitals. `PersonName` chooses the words.
    package static func from(label: String) -> Initials? {
        let name = PersonName(label)
        if let surname = name.eastAsianSurname {
            return Initials(surname.count <= 2 ? surname : String(surname.prefix(1)))
        }
        let words = name.words.compactMap(Self.initial)
        guard let first = words.first, let last = words.last else { return Initials(label) }
        return Initials(words.count == 1 ? first : first + last)
    }

    /// Returns the first letter of a word, without punctuation. In Thai and Lao, this is the
    /// consonant: a vowel before it is skipped, and vowels and tones above or below it are left out.
    static func initial(_ word: Substring) -> String? {
        let found = word.first {
            isVisible($0) && !$0.isPunctuation && !$0.isMathSymbol && !isLeadingVowel($0)
        }
        guard let found, let scalar = found.unicodeScalars.first else { return nil }
        return (0x0E00...0x0EFF).contains(scalar.value) ? String(scalar) : capital(found)
    }

    private static func isLeadingVowel(_ character: Character) -> Bool {
        switch character.unicodeScalars.first?.value ?? 0 {
        case 0x0E40...0x0E44, 0x0EC0...0x0EC4: true
        default: false
        }
    }

    /// Returns the title case of a character if it is a single character too. Georgian capitals are
    /// for headlines only.
    private static func capital(_ character: Character) -> String {
        guard let first = character.unicodeScalars.first else { return String(character) }
        if character == "ß" { return "ẞ" }
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

    /// Draws in white, or in `color` if a tint would replace an emoji's colours. `room` is the part
    /// of the canvas that a badge leaves free.
    func draw(
        on canvas: PixelSize, _ color: Color, in room: InitialsRoom? = nil
    ) throws(ArtworkError) -> PixelBuffer {
        try FontCache.draw(with: .usual) { () throws(ArtworkError) in
            try drawWithCurrentFonts(on: canvas, color, room)
        }
    }

    /// Draws with the fonts of the surrounding `FontCache.draw`.
    private func drawWithCurrentFonts(
        on canvas: PixelSize, _ color: Color, _ room: InitialsRoom?
    ) throws(ArtworkError) -> PixelBuffer {
        let height = Double(canvas.height)
        let isPicture = hasEmoji && initials.text.count == 1
        var size = height * (isPicture ? Self.emojiShare : Self.sizeShare)
        var shaped = try self.shaped(size)
        let widest = height * Self.widthShare
        let tallest = max(shaped.ink.width, shaped.ink.height)
        if tallest > widest {
            size *= widest / tallest
            shaped = try self.shaped(size)
        }
        var ink = shaped.ink
        // Capitals have their baseline on a whole pixel, and a descender, as in Q, does not lift
        // the letter. Other scripts are centred by their ink.
        var baseline =
            isCapitals
            ? ((height + size * TextStyle.capitalShare) / 2).rounded()
            : (height - ink.height) / 2 - ink.y
        if let room {
            let top = baseline + ink.y
            let place = room.place(ink, top: top)
            if place.factor < 1 {
                shaped = try self.shaped(size * place.factor)
                ink = shaped.ink
            }
            if place.top != top {
                // Whole pixels, away from the badge.
                baseline = (place.top - ink.y).rounded(room.isBelow ? .up : .down)
            }
        }
        let x = (Double(canvas.width) - ink.width) / 2 - ink.x
        var pixels = PixelBuffer(size: canvas)
        try unsafe pixels.drawWithCairo { context throws(ArtworkError) in
            let pen = unsafe CairoPen(context: context)
            unsafe pen.setColor(hasEmoji ? color : .white)
            unsafe shaped.draw(on: context, x: x, y: baseline)
            try unsafe pen.check()
        }
        try shaped.check()
        return pixels
    }

    func lacksGlyphs() throws(ArtworkError) -> Bool {
        try FontCache.draw(with: .usual) { () throws(ArtworkError) in
            try shaped(24).missingGlyphs > 0
        }
    }

    /// Shapes the letters in a size in pixels, with the fonts of the surrounding `FontCache.draw`.
    private func shaped(_ size: Double) throws(ArtworkError) -> ShapedText {
        let text = initials.text
        let shaped = try ShapedText(
            text, FontSet(of: text.unicodeScalars), font: (size, .semibold))
        try shaped.check()
        return shaped
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
