/// The size as it stands in the root's attributes, before anybody makes sense of it.
///
/// A picture of no size is damaged, whatever a view box would make of it: a width, a height or a
/// view box of zero, less than zero, or no number where the word says so. What is a word, a
/// percentage or nothing is left to `SVGSize`.
enum RootSize {
    /// Refuses a size of nothing, and returns the attributes of the root.
    static func check(_ text: Span<UInt8>) throws(DecodeError) -> [XMLWalker.Attribute] {
        var walker = XMLWalker(text)
        while true {
            switch walker.next() {
            case .open(_, let attributes, _):
                for attribute in attributes { try check(attribute, text) }
                return attributes
            case .close, .end, .cut: return []
            case .text, .doctype: continue
            }
        }
    }

    private static func check(
        _ attribute: XMLWalker.Attribute, _ text: Span<UInt8>
    ) throws(DecodeError) {
        if text.hasName("width", attribute.name) || text.hasName("height", attribute.name) {
            guard isPositive(text, text.trimmed(attribute.value)) else {
                throw .corrupt("an SVG whose \(text.string(attribute.name)) is not positive")
            }
        } else if text.hasName("viewBox", attribute.name) {
            var fields: [Range<Int>] = []
            var start: Int?
            for index in attribute.value.lowerBound...attribute.value.upperBound {
                let isBetween =
                    index == attribute.value.upperBound || SVGSign.isSpace(text[index])
                    || text[index] == UInt8(ascii: ",")
                if isBetween, let begin = start {
                    fields.append(begin..<index)
                    start = nil
                    if fields.count > 4 { return }
                } else if !isBetween, start == nil {
                    start = index
                }
            }
            guard fields.count == 4 else { return }
            for field in fields.dropFirst(2) where !isPositive(text, field) {
                throw .corrupt("an SVG whose view box is empty")
            }
        }
    }

    /// False for zero, for less, and for what calls itself no number.
    private static func isPositive(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        if text.hasWord("nan", at: range.lowerBound, anyCase: true) { return false }
        guard let number = SVGNumber(text, from: range.lowerBound, to: range.upperBound) else {
            return true
        }
        return number.value > 0
    }
}

/// A number as it stands in a text.
struct SVGNumber {
    let value: Double
    let range: Range<Int>
    /// It goes on beyond the signs that are looked at.
    let isCut: Bool

    private static let signsLimit = 400

    /// The number that begins at `start`; nil where none does.
    init?(_ text: Span<UInt8>, from start: Int, to end: Int) {
        var index = start
        if index < end, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
            index += 1
        }
        func digits() -> Int {
            let first = index
            while index < end, index - start < Self.signsLimit,
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index])
            {
                index += 1
            }
            return index - first
        }
        var count = digits()
        if index < end, text[index] == UInt8(ascii: ".") {
            index += 1
            count += digits()
        }
        guard count > 0 else { return nil }
        if index < end, text[index] | 0x20 == UInt8(ascii: "e") {
            let mark = index
            index += 1
            if index < end, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
                index += 1
            }
            // `em` and `ex` are units.
            if digits() == 0 { index = mark }
        }
        var word = text.string(start..<index)
        if word.last == "." { word.removeLast() }
        guard let value = Double(word) else { return nil }
        self.value = value
        range = start..<index
        isCut = index - start >= Self.signsLimit
    }
}
