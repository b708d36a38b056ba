/// Reads the rules of a CSS text, as far as SVG needs them.
///
/// `@media` blocks that test the colour scheme are resolved: the content of a matching block is
/// read like rules outside of it, and blocks for the other scheme are skipped. Other at-rules are
/// returned unchanged.
struct StyleSheetReader: ~Escapable {
    enum Piece {
        /// Text that is not a rule: an at-rule, white space or comments.
        case raw(Range<Int>)
        case rule(selectors: Range<Int>, body: Range<Int>)
    }

    /// The deepest nesting of blocks; deeper blocks are skipped.
    private static let depthLimit = 8

    private let text: Span<UInt8>
    private let scheme: DrawingScheme
    private var offset: Int
    /// The ends of the blocks that contain `offset`, the outermost first.
    private var ends: [Int]

    @_lifetime(copy text)
    init(_ text: Span<UInt8>, _ range: Range<Int>, _ scheme: DrawingScheme) {
        self.text = text
        self.scheme = scheme
        offset = range.lowerBound
        ends = [range.upperBound]
    }

    mutating func next() -> Piece? {
        while true {
            guard let end = ends.last else { return nil }
            guard offset < end else {
                ends.removeLast()
                // Skips the closing brace of the block.
                if !ends.isEmpty { offset = end + 1 }
                continue
            }
            if let gap = skipBlanks(to: end) { return .raw(gap) }
            let start = offset
            let sign = find([UInt8(ascii: "{"), UInt8(ascii: ";")], from: start, to: end)
            guard let sign, text[sign] == UInt8(ascii: "{") else {
                offset = sign.map { $0 + 1 } ?? end
                return .raw(start..<offset)
            }
            let close = find([UInt8(ascii: "}")], from: sign + 1, to: end)
            let body = (sign + 1)..<(close ?? end)
            offset = close.map { $0 + 1 } ?? end
            guard text[start] == UInt8(ascii: "@") else {
                guard close != nil else { return .raw(start..<offset) }
                return .rule(selectors: start..<sign, body: body)
            }
            guard text.hasWord("@media", at: start, anyCase: true) else {
                return .raw(start..<offset)
            }
            let condition = SchemeCondition(text, (start + 6)..<sign)
            guard condition.testsScheme else { return .raw(start..<offset) }
            if condition.holds(in: scheme), ends.count < Self.depthLimit {
                ends.append(body.upperBound)
                offset = body.lowerBound
            }
        }
    }

    /// Skips white space, comments and unmatched closing braces, and returns their range if any.
    private mutating func skipBlanks(to end: Int) -> Range<Int>? {
        let start = offset
        while offset < end {
            if SVGCharacter.isSpace(text[offset]) || text[offset] == UInt8(ascii: "}") {
                offset += 1
            } else if text.hasWord("/*", at: offset) {
                offset = min(end, afterComment(offset))
            } else if text.hasWord("<!--", at: offset) {
                offset = min(end, offset + 4)
            } else if text.hasWord("-->", at: offset) {
                offset = min(end, offset + 3)
            } else {
                break
            }
        }
        return start < offset ? start..<offset : nil
    }

    private func afterComment(_ start: Int) -> Int {
        var index = start + 2
        while index < text.count, !text.hasWord("*/", at: index) { index += 1 }
        return index + 2
    }

    /// Returns the first of `signs` outside quotes, comments and inner braces.
    private func find(_ signs: [UInt8], from start: Int, to end: Int) -> Int? {
        var index = start
        var depth = 0
        while index < end {
            let byte = text[index]
            if depth == 0, signs.contains(byte) { return index }
            switch byte {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                // An unmatched closing brace ends the current rule.
                guard depth > 0 else { return nil }
                depth -= 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                var close = index + 1
                while close < end, text[close] != byte { close += 1 }
                index = close
            case UInt8(ascii: "/") where text.hasWord("/*", at: index):
                index = afterComment(index) - 1
            default: break
            }
            index += 1
        }
        return nil
    }
}

/// The condition of an `@media` rule, as far as it tests the colour scheme.
///
/// `screen` and `all` match, `print` does not; all other conditions count as true.
struct SchemeCondition: ~Escapable {
    private let text: Span<UInt8>
    private let range: Range<Int>

    @_lifetime(copy text)
    init(_ text: Span<UInt8>, _ range: Range<Int>) {
        self.text = text
        self.range = range
    }

    var testsScheme: Bool { text.contains("prefers-color-scheme", in: range, anyCase: true) }

    func holds(in scheme: DrawingScheme) -> Bool {
        text.string(range).lowercased().split(separator: ",").contains { query in
            let words = query.split { !($0.isLetter || $0 == "-") }
            var result = true
            var negates = false
            var index = words.startIndex
            while index < words.endIndex {
                switch words[index] {
                case "not": negates = true
                case "print", "speech": result = false
                case "prefers-color-scheme":
                    let next = words.index(after: index)
                    let wanted = next < words.endIndex ? words[next] : ""
                    if ["dark", "light", "no-preference"].contains(wanted) {
                        if wanted != scheme.rawValue { result = false }
                        index = next
                    }
                default: break
                }
                index += 1
            }
            return result != negates
        }
    }
}

/// Reads the declarations of a block or `style` attribute: a name, a colon, a value.
struct StyleDeclarations: ~Escapable {
    struct Declaration {
        /// The range including the semicolon.
        let whole: Range<Int>
        let name: Range<Int>
        let value: Range<Int>
    }

    private let text: Span<UInt8>
    private let end: Int
    private var offset: Int

    @_lifetime(copy text)
    init(_ text: Span<UInt8>, _ range: Range<Int>) {
        self.text = text
        offset = range.lowerBound
        end = range.upperBound
    }

    mutating func next() -> Declaration? {
        while offset < end {
            let start = offset
            var colon: Int?
            let stop = StyleValue.end(in: text, from: start, to: end) { byte, index in
                if byte == UInt8(ascii: ":"), colon == nil { colon = index }
                return byte == UInt8(ascii: ";")
            }
            offset = min(end, stop + 1)
            if let colon {
                let name = Self.withoutComments(text, text.trimmed(start..<colon))
                return Declaration(
                    whole: start..<offset, name: name, value: text.trimmed((colon + 1)..<stop))
            }
        }
        return nil
    }

    private static func withoutComments(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var start = range.upperBound
        while start > range.lowerBound, SVGCharacter.isNamePart(text[start - 1]) { start -= 1 }
        return start..<range.upperBound
    }
}

/// Scans values; quotes, brackets, comments and XML entities are treated as units.
enum StyleValue {
    /// Returns the first index outside of quotes, brackets, comments and entities for which `stops`
    /// returns true, or `end`.
    static func end(
        in text: Span<UInt8>, from start: Int, to end: Int, _ stops: (UInt8, Int) -> Bool
    ) -> Int {
        var index = start
        var depth = 0
        while index < end {
            let byte = text[index]
            if depth == 0, stops(byte, index) { return index }
            switch byte {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth = max(0, depth - 1)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                var close = index + 1
                while close < end, text[close] != byte { close += 1 }
                index = close
            case UInt8(ascii: "/") where text.hasWord("/*", at: index):
                index += 2
                while index < end, !text.hasWord("*/", at: index) { index += 1 }
                index += 1
            case UInt8(ascii: "&"):
                // The semicolon of `&quot;` does not end a declaration.
                var close = index + 1
                while close < min(end, index + 9),
                    SVGCharacter.isNamePart(text[close]) || text[close] == UInt8(ascii: "#")
                {
                    close += 1
                }
                if close < end, text[close] == UInt8(ascii: ";") { index = close }
            default: break
            }
            index += 1
        }
        return min(index, end)
    }

    /// Returns the position of `var(` in `range`, if it is not the end of a longer name.
    static func variable(in text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while index + 4 <= range.upperBound {
            if text.hasWord("var(", at: index, anyCase: true),
                index == range.lowerBound || !SVGCharacter.isNamePart(text[index - 1])
            {
                return index
            }
            index += 1
        }
        return nil
    }

    /// Returns a value with the entities for quotes replaced by quotes. Nil if it contains other
    /// entities, `<` or `]`, which are not valid both in an attribute and in CDATA.
    static func unescaped(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = text[index]
            if byte == UInt8(ascii: "&") {
                if text.hasWord("&quot;", at: index) {
                    bytes.append(UInt8(ascii: "\""))
                } else if text.hasWord("&apos;", at: index) {
                    bytes.append(UInt8(ascii: "'"))
                } else {
                    return nil
                }
                index += 6
                continue
            }
            guard byte != UInt8(ascii: "<"), byte != UInt8(ascii: "]") else { return nil }
            bytes.append(byte)
            index += 1
        }
        return bytes
    }
}
