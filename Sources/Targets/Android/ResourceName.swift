/// Names of Android resources: small letters of ASCII, digits and `_`.
enum ResourceName {
    /// The name with a dash for everything else, so that a suffix behind it can be told from it.
    static func dashed(_ name: String) -> String {
        var text = ""
        for scalar in name.lowercased().unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9": text.unicodeScalars.append(scalar)
            default: if text.last != "-" { text.append("-") }
            }
        }
        while text.first == "-" { text.removeFirst() }
        while text.last == "-" { text.removeLast() }
        return text.isEmpty ? "item" : text
    }

    /// Any word as a part of a name.
    static func part(_ word: String) -> String {
        dashed(word).replacing("-", with: "_")
    }
}
