/// Goes through the rules of a CSS text, as far as SVG needs it.
///
/// Blocks of `@media` that ask for a colour scheme are resolved: what holds is gone through as if it
/// stood outside, what does not is left out. Other rules that begin with `@` come as they stand.
struct StyleSheetReader: ~Escapable {
    enum Piece {
        /// What goes on as it is.
        case raw(Range<Int>)
        case rule(selectors: Range<Int>, body: Range<Int>)
    }

    /// Blocks in blocks beyond this are left out.
    private static let depthLimit = 8

    private let text: Span<UInt8>
    private let scheme: DrawingScheme
    private var offset: Int
    /// Where the blocks end in which `offset` lies, the outermost first.
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
                // The brace that closed the block.
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
            guard condition.asksForScheme else { return .raw(start..<offset) }
            if condition.holds(in: scheme), ends.count < Self.depthLimit {
                ends.append(body.upperBound)
                offset = body.lowerBound
            }
        }
    }

    /// Steps over white space and comments.
    private mutating func skipBlanks(to end: Int) -> Range<Int>? {
        let start = offset
        while offset < end {
            if SVGSign.isSpace(text[offset]) || text[offset] == UInt8(ascii: "}") {
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

    /// The first of `signs` outside of quotes, comments and inner braces.
    private func find(_ signs: [UInt8], from start: Int, to end: Int) -> Int? {
        var index = start
        var depth = 0
        while index < end {
            let byte = text[index]
            if depth == 0, signs.contains(byte) { return index }
            switch byte {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                // A brace too many ends whatever was begun.
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

/// The condition of an `@media` rule, as far as it asks for a colour scheme.
///
/// `screen` and `all` hold, `print` does not; of other questions it is taken that they hold.
struct SchemeCondition: ~Escapable {
    private let text: Span<UInt8>
    private let range: Range<Int>

    @_lifetime(copy text)
    init(_ text: Span<UInt8>, _ range: Range<Int>) {
        self.text = text
        self.range = range
    }

    var asksForScheme: Bool { text.contains("prefers-color-scheme", in: range, anyCase: true) }

    /// Any of the alternatives holds.
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
