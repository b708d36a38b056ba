import Glibc

/// A text as every scan of this folder reads it: one byte a sign of markup, and no names that stand
/// for other text.
///
/// Scans look for words as they stand. Two bytes a character, encodings that switch tables, and
/// entities would hide from them what librsvg sees; so such texts are written anew before anybody
/// looks at them, and librsvg is given what was looked at.
enum XMLPlainText {
    /// The text written anew; nil where it is plain as it came.
    static func write(
        _ text: Span<UInt8>, bytesLimit: Int
    ) throws(DecodeError) -> (text: [UInt8], hasEntities: Bool)? {
        let converted = try converted(text)
        if let converted {
            if let resolved = try XMLEntities.resolve(converted.span, bytesLimit: bytesLimit) {
                return resolved
            }
            return (converted, false)
        }
        return try XMLEntities.resolve(text, bytesLimit: bytesLimit)
    }

    /// The text in UTF-8 without its declaration; nil where it is in UTF-8 or near enough.
    private static func converted(_ text: Span<UInt8>) throws(DecodeError) -> [UInt8]? {
        if let wide = wide(text) { return withoutDeclaration(wide) }
        guard let name = XMLEncoding.declared(in: text), XMLEncoding.hasTable(name) else {
            return nil
        }
        guard let result = narrow(text, from: name) else {
            throw .corrupt("the SVG is not in the encoding that it declares")
        }
        return withoutDeclaration(result)
    }

    /// The text of two bytes a character in UTF-8; nil for any other, and for one that is damaged,
    /// which libxml2 refuses.
    private static func wide(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count >= 4 else { return nil }
        let isBig: Bool
        var start = 2
        switch (text[0], text[1], text[2], text[3]) {
        case (0xFF, 0xFE, _, _): isBig = false
        case (0xFE, 0xFF, _, _): isBig = true
        case (0x3C, 0, 0x3F, 0): (isBig, start) = (false, 0)
        case (0, 0x3C, 0, 0x3F): (isBig, start) = (true, 0)
        default: return nil
        }
        guard text.count % 2 == 0 else { return nil }
        var units: [UInt16] = []
        units.reserveCapacity(text.count / 2)
        for index in stride(from: start, to: text.count, by: 2) {
            let (first, second) = (UInt16(text[index]), UInt16(text[index + 1]))
            units.append(isBig ? first << 8 | second : second << 8 | first)
        }
        return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
    }

    /// The text in UTF-8 by a table of the C library; nil where it breaks the table's rules.
    private static func narrow(_ text: Span<UInt8>, from name: String) -> [UInt8]? {
        guard let table = unsafe iconv_open("UTF-8", name), Int(bitPattern: table) != -1 else {
            return nil
        }
        defer { unsafe iconv_close(table) }
        // No table of the list makes more than three bytes of one.
        let room = 3 * text.count + 16
        var isSound = false
        var input = text.array(0..<text.count)
        let output = unsafe [UInt8](unsafeUninitializedCapacity: room) { output, count in
            unsafe input.withUnsafeMutableBytes { input in
                unsafe output.withMemoryRebound(to: CChar.self) { output in
                    var (from, left) = unsafe (
                        input.baseAddress?.assumingMemoryBound(to: CChar.self), input.count
                    )
                    var (to, free) = (output.baseAddress, room)
                    isSound = unsafe iconv(table, &from, &left, &to, &free) != -1
                    count = room - free
                }
            }
        }
        return isSound ? output : nil
    }

    /// What a declaration says of the encoding holds no longer.
    private static func withoutDeclaration(_ text: [UInt8]) -> [UInt8] {
        let span = text.span
        var start = 0
        while start < span.count, SVGSign.isSpace(span[start]) { start += 1 }
        guard span.hasWord("<?xml", at: start) else { return text }
        while start < span.count, !span.hasWord("?>", at: start) { start += 1 }
        return span.array(min(span.count, start + 2)..<span.count)
    }
}
