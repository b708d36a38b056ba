/// Breaks sentences into lines at spaces.
enum TextWrap {
    /// Lines of at most `width` characters; a word that is longer stands on a line of its own.
    static func lines(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    /// The text with every line moved to the right.
    static func indented(_ text: String, by indent: Int, width: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        return lines(text, width: max(20, width - indent)).map { margin + $0 + "\n" }.joined()
    }
}
