/// Text from the outside made safe to show: nothing in it moves the cursor, sends an escape
/// sequence or turns the direction of reading.
package enum PrintableText {
    /// Tab, line feed and return become `\t`, `\n`, `\r`; other hidden characters `\u{…}`.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars { append(scalar, to: &result) }
        return result
    }

    /// As for text; bytes that are not UTF-8 become `\xNN` each.
    package static func escaped(_ bytes: Span<UInt8>) -> String {
        var result = ""
        var index = 0
        while index < bytes.count {
            let (scalar, length) = UTF8Walk.next(in: bytes, at: index)
            if let scalar {
                append(scalar, to: &result)
            } else {
                for bad in index..<index + length {
                    result += "\\x" + Hexadecimal.text(UInt32(bytes[bad]), width: 2)
                }
            }
            index += length
        }
        return result
    }

    /// The escaped text, cut to `limit` characters with an ellipsis where it is longer.
    package static func escaped(_ text: String, limit: Int) -> String {
        let whole = escaped(text)
        guard whole.count > limit else { return whole }
        return String(whole.prefix(max(0, limit - 1))) + "…"
    }

    private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
        guard scalar.isHidden else {
            result.unicodeScalars.append(scalar)
            return
        }
        switch scalar {
        case "\t": result += "\\t"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        default: result += "\\u{" + Hexadecimal.text(scalar.value, width: 1) + "}"
        }
    }
}

extension Unicode.Scalar {
    /// Controls of both sets, line separators, and the marks that turn the direction of text:
    /// what can rewrite a terminal's screen or make a line read as something that it is not.
    package var isHidden: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
