/// What a value may look like. Every value is checked against this, wherever it comes from.
package enum ValueKind: Hashable, Sendable {
    /// On or off, without a value on the command line.
    case toggle
    case text
    case file
    case folder
    case choice([String])
    /// Several of the allowed words with commas between them; `all` stands for all of them.
    case choices([String], all: Bool)
    case whole(ClosedRange<Int>)
    /// A size in bytes; K, M, G and T multiply by powers of 1024, with `B` or `iB` too.
    case bytes(ClosedRange<Int>)
    /// A number of things; K, M and G multiply by powers of 1000.
    case count(ClosedRange<Int>)
    case decimal(ClosedRange<Double>)
    /// A time in seconds, or with one of the units ms, s, m and h.
    case seconds(ClosedRange<Double>)
    /// Factors between points and pixels with commas between them.
    case scales([String])
    /// 1 to 100, or `lossless`.
    case quality
    /// Three, six or eight hexadecimal digits, with or without `#`.
    case color
    /// `I/N`, the first one being `1/N`.
    case shard
    /// A number of items, or a share of them such as `5%`.
    case tolerance
    /// Whole numbers with commas between them.
    case wholes(ClosedRange<Int>)
    /// Shares by name, such as `time=10%,cpu=5%`, or one share alone; the sign may be missing.
    case percents(ClosedRange<Double>, of: [String])
    /// Points, a share with its sign, `safe` or `round`.
    case inset

    /// A word follows the flag.
    package var takesValue: Bool { self != .toggle }

    /// The words that can be offered when a value is completed.
    package var words: [String] {
        switch self {
        case .choice(let words): words
        case .choices(let words, let all): all ? words + ["all"] : words
        case .scales(let words): words
        case .quality: ["lossless"]
        case .inset: ["safe", "round"]
        default: []
        }
    }

    /// A value of this kind is a list.
    package var isList: Bool {
        switch self {
        case .choices, .scales, .wholes: true
        default: false
        }
    }
}
