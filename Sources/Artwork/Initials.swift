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
