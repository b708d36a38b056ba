import Notation

/// One option, declared once: parser, help, completions, manual and checks all read this value.
package struct Flag: Hashable, Sendable {
    /// What happens where nobody sets the option.
    package enum Fallback: Hashable, Sendable {
        case nothing
        /// A value that counts as if it had been given.
        case value(String)
        /// Words for the help only; the command finds the value itself.
        case described(String)
    }

    /// The long name without its dashes, which is also the key in the configuration file.
    package var name: String
    /// One letter, for the few options that are typed all day.
    package var short: Character?
    /// What every value is checked against.
    package var kind: ValueKind
    /// The word that stands for the value in the help; empty for toggles.
    package var placeholder: String
    /// What holds where nobody sets the option.
    package var fallback: Fallback
    /// A short sentence, then paragraphs that only the manual page shows.
    private let text: String
    /// The heading under which the help lists it.
    package var group: String
    /// Given several times, all values count.
    package var isRepeatable: Bool
    /// `--no-<name>` exists too.
    package var isNegatable: Bool
    /// A variable may set it.
    package var isInEnvironment: Bool
    /// The configuration file may set it.
    package var isInConfiguration: Bool
    /// The command checks words that the kind does not list, because the configuration file can
    /// define more.
    package var isOpen = false
    /// The advice for a value that resembles none of the option's words; nil for a pointer to the help.
    package var remedy: String?
    /// Words that a shell offers for a value that may be any text.
    package private(set) var offers: [String] = []
    /// They stand with commas between them.
    package private(set) var offersSeveral = false

    /// Creates an option from at least a name, a kind, a heading and a text.
    ///
    /// - Parameter help: a short sentence; paragraphs after it are for the manual page only.
    package init(
        _ name: String, short: Character? = nil, _ kind: ValueKind, _ placeholder: String = "",
        fallback: Fallback = .nothing, group: String, isRepeatable: Bool = false,
        isNegatable: Bool = false, isInEnvironment: Bool = true, isInConfiguration: Bool = true,
        help: String
    ) {
        self.name = name
        self.short = short
        self.kind = kind
        self.placeholder = placeholder
        self.fallback = fallback
        text = help
        self.group = group
        self.isRepeatable = isRepeatable
        self.isNegatable = isNegatable
        self.isInEnvironment = isInEnvironment
        self.isInConfiguration = isInConfiguration
    }

    /// The same with words for a shell to offer.
    package func offering(_ words: [String], several: Bool = false) -> Flag {
        var flag = self
        flag.offers = words
        flag.offersSeveral = several
        return flag
    }

    /// A short sentence for help and completions.
    package var help: String { details.isEmpty ? text : String(text.dropLast(details.count + 2)) }

    /// The rest of the text, for the manual page only.
    package var details: Substring {
        text.firstRange(of: "\n\n").map { text[$0.upperBound...] } ?? ""
    }

    /// `EMBLEM_MAX_BYTES` for `max-bytes`.
    package func environmentName(tool: String) -> String {
        Self.environmentName(of: name, tool: tool)
    }

    /// Returns the variable for an option by its name.
    package static func environmentName(of name: String, tool: String) -> String {
        // Every start asks for all names: bytes, as all of them are ASCII.
        let bytes = "\(tool)_\(name)".utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
            case UInt8(ascii: "-"): UInt8(ascii: "_")
            default: byte
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `-o, --output DIR`, as help and manual show it.
    package var spelling: String {
        let long = isNegatable ? "--[no-]\(name)" : "--\(name)"
        let both = short.map { "-\($0), \(long)" } ?? long
        return placeholder.isEmpty ? both : "\(both) \(placeholder)"
    }

    /// Every way to type the option, with its dashes.
    package var spellings: [String] {
        ["--\(name)"] + (isNegatable ? ["--no-\(name)"] : []) + (short.map { ["-\($0)"] } ?? [])
    }

    /// The default in words, if there is one.
    package var fallbackText: String? {
        switch fallback {
        case .nothing: nil
        case .value(let text), .described(let text): text
        }
    }
}
