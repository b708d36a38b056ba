import Notation

/// One option, declared once: parser, help, completions, manual and checks all read this value.
package struct Flag: Equatable, Sendable {
    /// The value of an option that is not set.
    package enum Fallback: Hashable, Sendable {
        case nothing
        /// A value with the same effect as if it had been given.
        case value(String)
        /// A description for the help; the command determines the value itself.
        case described(String)
    }

    /// The long name without dashes, which is also the key in the configuration file.
    package var name: String
    /// A letter, for the few options that are used most.
    package var short: Character?
    /// The syntax of the value; every value is checked against it.
    package var shape: ValueShape
    /// The word for the value in the help; empty for toggles.
    package var placeholder: String
    package var fallback: Fallback
    /// One sentence, followed by paragraphs for the manual page only.
    private let text: String
    package var group: String
    /// Whether all values count if the option is given several times; otherwise the last.
    package var isRepeatable: Bool
    /// Whether the configuration file may set the option.
    package var isInConfiguration: Bool
    /// The value of the option if it is typed without `=` and a value; nil if it needs one.
    package let bareValue: String?

    /// - Parameter help: one sentence; further paragraphs are for the manual page only.
    package init(
        _ name: String, short: Character? = nil, _ shape: ValueShape, _ placeholder: String = "",
        fallback: Fallback = .nothing, group: String, isRepeatable: Bool = false,
        isInConfiguration: Bool = true, bareValue: String? = nil, help: String
    ) {
        self.name = name
        self.short = short
        self.shape = shape
        self.placeholder = placeholder
        self.fallback = fallback
        text = help
        self.group = group
        self.isRepeatable = isRepeatable
        self.isInConfiguration = isInConfiguration
        self.bareValue = bareValue
    }

    package static func == (one: Flag, other: Flag) -> Bool {
        one.name == other.name && one.text == other.text && one.shape.wanted == other.shape.wanted
    }

    /// Returns whether the word, or the part before its `=`, is a known word of the option. An
    /// option without known words takes any.
    func accepts(_ word: Substring) -> Bool {
        let known = shape.words + shape.offers
        let name = String(word.prefix { $0 != "=" })
        return known.isEmpty || known.contains(name) || known.contains(name + "=")
    }

    package var help: String { details.isEmpty ? text : String(text.dropLast(details.count + 2)) }

    /// The paragraphs for the manual page only.
    package var details: Substring {
        text.firstRange(of: "\n\n").map { text[$0.upperBound...] } ?? ""
    }

    /// The form in help and manual: `-o, --output DIR`.
    package var spelling: String {
        let both = short.map { "-\($0), --\(name)" } ?? "--\(name)"
        if bareValue != nil { return "\(both)[=\(placeholder)]" }
        return placeholder.isEmpty ? both : "\(both) \(placeholder)"
    }

    /// Every spelling of the option, with dashes.
    package var spellings: [String] {
        ["--\(name)"] + (short.map { ["-\($0)"] } ?? [])
    }

    package var fallbackText: String? {
        switch fallback {
        case .nothing: nil
        case .value(let text), .described(let text): text
        }
    }
}
