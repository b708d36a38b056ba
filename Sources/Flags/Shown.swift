import Notation

/// Words from the command line, made safe to show in a message.
enum Shown {
    static func word(_ word: String) -> String { PrintableText.escaped(word, limit: 80) }
}
