/// The syntax of a value, whether it comes from the command line, the environment or a file.
package enum ValueKind: Hashable, Sendable {
    /// On or off; takes no value on the command line.
    case toggle
    case text
    case file
    case folder
    case choice([String])
    /// Several of the allowed words, separated by commas; `all` selects all of them.
    case choices([String], all: Bool)
    case whole(ClosedRange<Int>)
    /// A size in bytes; K, M, G and T multiply by powers of 1024, optionally followed by `B` or
    /// `iB`.
    case bytes(ClosedRange<Int>)
    /// A count; K, M and G multiply by powers of 1000.
    case count(ClosedRange<Int>)
    case decimal(ClosedRange<Double>)
    /// A time in seconds, or with a unit: ms, s, m or h.
    case seconds(ClosedRange<Double>)
    /// Pixels per point, separated by commas.
    case scales([String])
    /// 1 to 100, or `lossless`.
    case quality
    /// Three, six or eight hexadecimal digits, with or without `#`.
    case color
    /// One of the words, or an opaque colour.
    case choiceOrColor([String])
    /// A number of items, or a percentage such as `5%`.
    case tolerance
    /// Whole numbers, separated by commas.
    case wholes(ClosedRange<Int>)
    /// Numbers separated by commas, as many as one of the counts.
    case lengths(ClosedRange<Double>, counts: [Int])
    /// A percentage; the percent sign is optional.
    case percent(ClosedRange<Double>)
    /// Points, a percentage, or `safe`.
    case inset
    /// Two shares from 0 to 1, separated by a comma.
    case point

    package var takesValue: Bool { self != .toggle }

    package var words: [String] {
        switch self {
        case .choice(let words), .choiceOrColor(let words): words
        case .choices(let words, let all): all ? words + ["all"] : words
        case .scales(let words): words
        case .quality: ["lossless"]
        case .inset: ["safe"]
        default: []
        }
    }

    package var isList: Bool {
        switch self {
        case .choices, .scales, .wholes, .lengths: true
        default: false
        }
    }
}

extension ValueKind {
    /// Returns why a text is not a value of this kind, or nil if it is one.
    package func problem(with text: String) -> String? {
        if isMeaningful(text) { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let (wrong, wanted) =
            if let element, let part = parts.first(where: { !isMeaningful($0) }) {
                (part, element.wanted)
            } else {
                (text, self.wanted)
            }
        return "\"\(PrintableText.escaped(wrong, limit: 80))\" is not \(wanted)."
    }

    /// The kind of one element of a list whose elements are independent of each other.
    private var element: ValueKind? {
        switch self {
        case .choices, .scales: .choice(words)
        case .wholes(let range): .whole(range)
        default: nil
        }
    }

    private func isMeaningful(_ text: String) -> Bool {
        switch self {
        case .toggle: ValueReader.toggle(text) != nil
        case .text: true
        case .file, .folder: !text.isEmpty && !text.utf8.contains(0)
        case .choice(let words): words.contains(text)
        case .choices(let words, let all): ValueReader.list(text, of: words, all: all) != nil
        case .scales(let words): ValueReader.list(text, of: words, all: false) != nil
        case .whole(let range): ValueReader.whole(text, in: range) != nil
        case .bytes(let range): ValueReader.bytes(text, in: range) != nil
        case .count(let range): ValueReader.count(text, in: range) != nil
        case .decimal(let range): ValueReader.decimal(text, in: range) != nil
        case .seconds(let range): ValueReader.seconds(text, in: range) != nil
        case .quality: ValueReader.quality(text) != nil
        case .color: ValueReader.color(text) != nil
        case .choiceOrColor(let words):
            words.contains(text) || ValueReader.color(text)?.alpha == 255
        case .tolerance: ValueReader.tolerance(text) != nil
        case .wholes(let range): ValueReader.wholes(text, in: range) != nil
        case .lengths(let range, let counts):
            ValueReader.lengths(text, in: range, counts: counts) != nil
        case .percent(let range): ValueReader.percent(text, in: range) != nil
        case .inset: ValueReader.inset(text) != nil
        case .point: ValueReader.point(text) != nil
        }
    }

    /// The kind in words, to follow "is not".
    package var wanted: String {
        switch self {
        case .toggle: "true or false"
        case .text: "a text"
        case .file: "the name of a file"
        case .folder: "the name of a folder"
        case .choice(let words): words.count == 1 ? words[0] : "one of \(Self.joined(words))"
        case .choices(let words, let all):
            "a comma-separated list of \(Self.joined(words))" + (all ? "; or all" : "")
        case .scales(let words): "a comma-separated list of \(Self.joined(words))"
        case .whole(let range): "a whole number\(Self.bounds(range))"
        case .bytes(let range):
            "a size in bytes, such as 512M (K, M and G are powers of 1024)\(Self.bounds(range))"
        case .count(let range):
            "a number, such as 50M (K, M and G are powers of 1000)\(Self.bounds(range))"
        case .decimal(let range): "a number\(Self.bounds(range))"
        case .seconds(let range):
            "a time in seconds, such as 30, 500ms or 5m\(Self.bounds(range))"
        case .quality: "a quality from 1 to 100, or lossless"
        case .color: "a colour such as #0A5FFF"
        case .choiceOrColor(let words):
            words.joined(separator: ", ") + " or an opaque colour such as #0A5FFF"
        case .tolerance: "a number of items, or a percentage such as 5%"
        case .wholes(let range): "a comma-separated list of whole numbers\(Self.bounds(range))"
        case .lengths(let range, let counts):
            Self.joined(counts.dropLast().map(String.init))
                + " or \(counts.last ?? 1) numbers\(Self.bounds(range)), "
                + "separated by commas"
        case .percent(let range): "a percentage such as 10%\(Self.bounds(range))"
        case .inset: "a number of points, a percentage from 0% to 25%, or safe"
        case .point: "a point such as 0.5,0.25, from the left and from the top"
        }
    }

    private static func bounds<Value: Comparable>(_ range: ClosedRange<Value>) -> String {
        let (low, high) = (text(of: range.lowerBound), text(of: range.upperBound))
        if isEndless(range.upperBound) { return low == "0" ? "" : ", at least \(low)" }
        return " from \(low) to \(high)"
    }

    private static func text<Value>(of bound: Value) -> String {
        let text = "\(bound)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func isEndless<Value>(_ bound: Value) -> Bool {
        if let whole = bound as? Int { return whole == .max }
        if let decimal = bound as? Double { return decimal == .infinity }
        return false
    }

    private static func joined(_ words: [String]) -> String {
        words.joined(separator: ", ")
    }
}
