/// The declarations between two braces, or in a `style` attribute: a name, a colon, a value.
struct StyleDeclarations: ~Escapable {
    struct Declaration {
        /// With the semicolon behind it.
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

    /// What is left of a name when comments before it are taken away.
    private static func withoutComments(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var start = range.upperBound
        while start > range.lowerBound, SVGSign.isName(text[start - 1]) { start -= 1 }
        return start..<range.upperBound
    }
}

/// The walk over a value: quotes, brackets, comments and the entities of XML are kept whole.
enum StyleValue {
    /// The first sign outside of all of these at which `stops` says so, or `end`.
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
                // The semicolon of `&quot;` ends no declaration.
                var close = index + 1
                while close < min(end, index + 9),
                    SVGSign.isName(text[close]) || text[close] == UInt8(ascii: "#")
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

    /// Where `var(` begins in `range`, not as the end of a longer name.
    static func variable(in text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while index + 4 <= range.upperBound {
            if text.hasWord("var(", at: index, anyCase: true),
                index == range.lowerBound || !SVGSign.isName(text[index - 1])
            {
                return index
            }
            index += 1
        }
        return nil
    }

    /// A value as CSS means it, out of XML: quotes may be written as entities. Nil where it holds
    /// what could not be written into any place: other entities, and tags.
    static func plain(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
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
