import Glibc

/// External text made safe to show: it cannot move the cursor, send an escape sequence or change
/// the reading direction.
package enum PrintableText {
    /// Replaces tab, line feed, return and all other hidden characters by escape sequences.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars { append(scalar, to: &result) }
        return result
    }

    /// Escapes bytes like a text; each byte that is not UTF-8 becomes `\xNN`.
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

    /// Escapes a text and cuts it to `limit` characters, ending with an ellipsis.
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
    /// Whether this is a control character (C0, C1), a line separator or a mark of text direction.
    /// These can change a terminal's screen or disguise a line.
    package var isHidden: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

enum UTF8Walk {
    /// Returns the scalar at `index` and its length. For invalid UTF-8 the scalar is nil and the
    /// length is that of the longest valid prefix, at least one.
    static func next(in bytes: Span<UInt8>, at index: Int) -> (Unicode.Scalar?, length: Int) {
        let first = bytes[index]
        let length: Int
        switch first {
        case 0..<0x80: return (Unicode.Scalar(first), 1)
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        default: return (nil, 1)
        }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for step in 1..<length {
            let at = index + step
            guard at < bytes.count, allowed(bytes[at], after: first, step: step) else {
                return (nil, step)
            }
            value = value << 6 | UInt32(bytes[at] & 0x3F)
        }
        return (Unicode.Scalar(value), length)
    }

    /// Rejects overlong forms, surrogates and values above U+10FFFF, all of which are recognised by
    /// their second byte.
    private static func allowed(_ byte: UInt8, after first: UInt8, step: Int) -> Bool {
        guard byte & 0xC0 == 0x80 else { return false }
        guard step == 1 else { return true }
        switch first {
        case 0xE0: return byte >= 0xA0
        case 0xED: return byte <= 0x9F
        case 0xF0: return byte >= 0x90
        case 0xF4: return byte <= 0x8F
        default: return true
        }
    }
}

/// Quoting for POSIX shells, for commands that users copy.
package enum ShellWord {
    /// Returns a plain word unchanged, any other text in single quotes.
    package static func quoted(_ text: some CustomStringConvertible) -> String {
        let text = "\(text)"
        let isPlain =
            !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "/._-+:@%,=".unicodeScalars.contains(scalar)
            }
        return isPlain ? text : inQuotes(text)
    }

    package static func inQuotes(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }
}

extension ArraySlice<UInt8> {
    /// The index of the first line feed; nil if there is none.
    package var lineEnd: Int? {
        unsafe withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress,
                let end = unsafe memchr(start, 0x0A, bytes.count)
            else { return nil }
            return unsafe startIndex + (UnsafeRawPointer(end) - start)
        }
    }
}
