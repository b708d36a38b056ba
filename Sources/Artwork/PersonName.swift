/// The words of a name from which initials are taken, with the given name first.
///
/// Titles (`Dr.`) and suffixes (`Jr.`) are left out. Names of companies follow the same rules, so a
/// word is left out only if enough of the name remains.
struct PersonName {
    private(set) var words: [Substring]

    /// The longest part of a label that is read.
    private static let charactersLimit = 1_000

    init(_ label: String) {
        let label = label.prefix(Self.charactersLimit)
        // A remark such as (Sales) is left out if it follows the name.
        let name = label.prefix { $0 != "(" }
        let parts = (Self.words(name).isEmpty ? label : name)
            .split(separator: ",", omittingEmptySubsequences: false).map(Self.words)
        words = parts.flatMap { $0 }
        if parts.count == 2, let given = parts.last, Self.isGivenName(given), !parts[0].isEmpty {
            words = given + parts[0]
        }
        dropTitles()
        dropSuffixes()
        // A symbol or an emoji next to a word with letters is left out.
        let spelled = words.filter { $0.contains { $0.isLetter || $0.isNumber } }
        if !spelled.isEmpty { words = spelled }
    }

    /// Returns the words with a letter, digit or symbol. A middle dot separates the parts of foreign
    /// names in Chinese and Japanese.
    private static func words(_ text: Substring) -> [Substring] {
        text.split { $0.isWhitespace || $0 == "・" || $0 == "＝" }
            .filter { Initials.initial($0) != nil }
    }

    /// Whether the words after a comma are a given name: at most three words that begin with a
    /// letter, none of them a suffix, a legal form or an `and`.
    private static func isGivenName(_ words: [Substring]) -> Bool {
        (1...3).contains(words.count)
            && words.allSatisfy { word in
                word.first?.isLetter == true && !suffixes.contains(key(word))
                    && !legalForms.contains(key(word))
            }
    }

    private mutating func dropTitles() {
        while let first = words.first, words.count >= Self.leastCount(with: first) {
            let key = Self.key(first)
            let isShort = first.hasSuffix(".") && Self.abbreviations.contains(key)
            guard isShort || Self.titles.contains(key) else { return }
            words.removeFirst()
        }
    }

    private mutating func dropSuffixes() {
        while let last = words.last, words.count >= Self.leastCount(with: last),
            Self.suffixes.contains(Self.key(last))
        {
            words.removeLast()
        }
    }

    /// The least number of words of a name from which this title is left out. With its full stop it
    /// is an abbreviation, so one other word is enough; `Dr Pepper` keeps both.
    private static func leastCount(with title: Substring) -> Int { title.hasSuffix(".") ? 2 : 3 }

    /// Returns a word in the form of the lists: small letters, without punctuation.
    private static func key(_ word: Substring) -> String {
        word.lowercased().filter { !$0.isPunctuation }
    }

    /// The surname of a Chinese, Japanese or Korean name with a space, which stands first; nil for
    /// any other name.
    var eastAsianSurname: String? {
        guard words.count == 2, words.allSatisfy({ $0.allSatisfy(Self.isEastAsian) }) else {
            return nil
        }
        return words.first.map(String.init)
    }

    /// Whether the character is Han, Hiragana or Hangul, or a repetition mark. A name in Katakana is
    /// a foreign one, with the given name first.
    private static func isEastAsian(_ character: Character) -> Bool {
        switch character.unicodeScalars.first?.value ?? 0 {
        case 0x3005...0x3007, 0x3041...0x309F, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0x20000...0x323AF:
            true
        default: false
        }
    }
}

extension PersonName {
    /// Titles that are left out before at least two other words, or with a full stop before one.
    private static let titles: Set<String> = [
        "dr", "prof", "professor", "mr", "mrs", "ms", "mx", "miss", "sir", "dame",
        "herr", "frau", "dhr", "mevr", "mme", "mlle", "sra", "srta", "dra", "doña", "dott",
        "dottssa",
        "гн", "гжа", "د", "السيد", "السيدة", "श्री", "श्रीमती", "डॉ", "นาย", "นาง", "นางสาว", "ดร",
    ]

    /// Titles that are a part of other names without their full stop, such as ING.
    private static let abbreviations: Set<String> = [
        "rev", "hon", "capt", "sgt", "lt", "col", "gen", "hr", "fr", "ing", "dipling", "mag", "drs",
        "ir", "sr", "sig", "sigra", "avv", "sn", "др", "κ", "κα",
        "med", "phil", "jur", "rer", "nat",
    ]

    private static let suffixes: Set<String> = [
        "jr", "sr", "ii", "iii", "iv", "phd", "md", "esq", "mba", "cpa", "dds",
    ]

    /// The words after a comma that belong to a company.
    private static let legalForms: Set<String> = [
        "inc", "incorporated", "ltd", "limited", "llc", "llp", "lp", "plc", "co", "corp",
        "corporation", "company", "gmbh", "ag", "kg", "sa", "sarl", "sas", "spa", "srl", "bv", "nv",
        "ab", "as", "oy", "na", "and", "und", "et", "y", "e",
    ]
}
