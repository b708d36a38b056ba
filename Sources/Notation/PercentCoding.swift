/// `%41` for `A`, as URLs write bytes.
package enum PercentCoding {
    /// Each `%` with two digits becomes its byte; a `%` without them stays what it is.
    package static func decoded(_ text: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
                let high = Hexadecimal.value(of: text[index + 1]),
                let low = Hexadecimal.value(of: text[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }

    /// The text decoded once; bytes that are not UTF-8 afterwards become U+FFFD.
    package static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        return String(decoding: decoded(Array(text.utf8).span), as: UTF8.self)
    }
}
