/// The inside of a JSON string.
enum JSONEscape {
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        // Plain ASCII, which nearly all names and values are, goes over in one piece.
        let isDone = text.withUTF8 { utf8 in
            guard PlainRun.end(in: unsafe utf8.span, from: 0) == utf8.count else { return false }
            unsafe bytes.append(contentsOf: utf8)
            return true
        }
        if !isDone {
            for scalar in text.unicodeScalars { append(scalar, to: &bytes) }
        }
    }

    static func append(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
        var index = 0
        while index < text.count {
            let (scalar, length) = UTF8Walk.next(in: text, at: index)
            append(scalar ?? "\u{FFFD}", to: &bytes)
            index += length
        }
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"": bytes.append(contentsOf: "\\\"".utf8)
        case "\\": bytes.append(contentsOf: "\\\\".utf8)
        case "\n": bytes.append(contentsOf: "\\n".utf8)
        case "\r": bytes.append(contentsOf: "\\r".utf8)
        case "\t": bytes.append(contentsOf: "\\t".utf8)
        default:
            guard scalar.isHidden else {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                return
            }
            // Every hidden character lies below U+FFFF, so one escape is enough.
            bytes.append(contentsOf: "\\u".utf8)
            bytes.append(contentsOf: Hexadecimal.text(scalar.value, width: 4).utf8)
        }
    }
}
