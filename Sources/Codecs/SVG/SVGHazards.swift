/// What librsvg 2.54 does not survive: it would take the process along.
///
/// The words are looked for as they stand, after `XMLPlainText`. A document that hides them in other
/// ways is left to the process with a deadline in which strangers' drawings belong.
enum SVGHazards {
    /// The most selectors that negate; each one nested in another takes four kilobytes of stack.
    private static let negationsLimit = 250
    /// The most numbers in a kernel; one more ends in an assertion.
    private static let kernelLimit = 400

    static func check(_ text: Span<UInt8>) throws(DecodeError) {
        var negations = 0
        let walker = XMLWalker(text)
        for index in 0..<text.count {
            switch text[index] {
            case UInt8(ascii: ":") where isNegation(text, at: index):
                negations += 1
                guard negations <= negationsLimit else {
                    throw .limitDecode("an SVG of more than \(negationsLimit) negated selectors")
                }
            case UInt8(ascii: "k") where walker.matches("kernelMatrix", at: index):
                guard numbers(in: text, from: index + 12) <= kernelLimit else {
                    throw .limitDecode("an SVG with a kernel of more than \(kernelLimit) numbers")
                }
            default: continue
            }
        }
    }

    /// `:not(` in letters of either case.
    private static func isNegation(_ text: Span<UInt8>, at index: Int) -> Bool {
        guard index + 4 < text.count else { return false }
        return text[index + 1] | 0x20 == UInt8(ascii: "n")
            && text[index + 2] | 0x20 == UInt8(ascii: "o")
            && text[index + 3] | 0x20 == UInt8(ascii: "t")
            && text[index + 4] == UInt8(ascii: "(")
    }

    /// How many numbers an attribute's value holds at most; it ends at its second quote, or at
    /// what belongs to no number.
    private static func numbers(in text: Span<UInt8>, from start: Int) -> Int {
        var count = 0
        var quotes = 0
        var isBetween = true
        for index in start..<text.count {
            switch text[index] {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "="): isBetween = true
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                quotes += 1
                if quotes == 2 { return count }
            // A sign or a point may begin the next number without any space.
            case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
                count += 1
                isBetween = false
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if isBetween { count += 1 }
                isBetween = false
            case UInt8(ascii: "e"), UInt8(ascii: "E"): continue
            default: return count
            }
        }
        return count
    }
}
