/// What stands for a sign in XML: its number, or one of the five names that every text knows.
enum XMLSign {
    /// The text of a range, with numbers followed, and the five names too unless they are kept.
    static func resolved(
        _ text: Span<UInt8>, _ range: Range<Int>, keepingNames: Bool = false
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            if text[index] == UInt8(ascii: "&"), let name = name(text, index, range.upperBound),
                let sign = sign(text, name, keepingNames: keepingNames)
            {
                bytes += sign
                index = name.upperBound + 1
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }

    /// The name between a `&` at `index` and its semicolon; nil where there is none.
    static func name(_ text: Span<UInt8>, _ index: Int, _ end: Int) -> Range<Int>? {
        var close = index + 1
        while close < end, text[close] != UInt8(ascii: ";") {
            if SVGSign.isSpace(text[close]) || text[close] == UInt8(ascii: "&") { return nil }
            close += 1
        }
        return close < end && close > index + 1 ? (index + 1)..<close : nil
    }

    private static func sign(
        _ text: Span<UInt8>, _ name: Range<Int>, keepingNames: Bool
    ) -> [UInt8]? {
        guard text[name.lowerBound] == UInt8(ascii: "#") else {
            guard !keepingNames, name.count <= 4 else { return nil }
            return known[text.string(name)].map { [$0] }
        }
        let isHex = text.hasWord("#x", at: name.lowerBound)
        // Leading zeros have no end.
        var start = name.lowerBound + (isHex ? 2 : 1)
        while start < name.upperBound - 1, text[start] == UInt8(ascii: "0") { start += 1 }
        guard name.upperBound - start <= 8,
            let value = UInt32(text.string(start..<name.upperBound), radix: isHex ? 16 : 10),
            value != 0, let scalar = Unicode.Scalar(value)
        else { return nil }
        return Array(String(Character(scalar)).utf8)
    }

    private static let known: [String: UInt8] = [
        "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"),
        "quot": UInt8(ascii: "\""), "apos": UInt8(ascii: "'"),
    ]
}
