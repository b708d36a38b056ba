import Glibc

/// Converts a text to the form that every scan in this folder reads: one byte per markup character,
/// and no references to entities that the document declares.
///
/// The scans of this module search the bytes for words. UTF-16, stateful encodings and entities
/// would hide words from them that librsvg sees. Such texts are rewritten before any scan, and
/// librsvg reads the rewritten text.
enum XMLPlainText {
    /// Returns the rewritten text; nil if it needs no change.
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

    /// Returns the text in UTF-8 without its XML declaration; nil if no conversion is needed.
    private static func converted(_ text: Span<UInt8>) throws(DecodeError) -> [UInt8]? {
        if let wide = wide(text) { return withoutDeclaration(wide) }
        guard let name = XMLEncoding.declared(in: text), XMLEncoding.hasModule(name) else {
            return nil
        }
        guard let result = narrow(text, from: name) else {
            throw .corrupt("the SVG is not in the encoding that it declares")
        }
        return withoutDeclaration(result)
    }

    /// Converts UTF-16. Returns nil for other encodings, and for damage, which libxml2 rejects.
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

    /// Converts to UTF-8 with iconv; nil if the text is invalid in that encoding.
    private static func narrow(_ text: Span<UInt8>, from name: String) -> [UInt8]? {
        guard let table = unsafe iconv_open("UTF-8", name), Int(bitPattern: table) != -1 else {
            return nil
        }
        defer { unsafe iconv_close(table) }
        // In the supported encodings one byte becomes at most three.
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

    /// Removes the XML declaration, whose encoding no longer applies.
    private static func withoutDeclaration(_ text: [UInt8]) -> [UInt8] {
        let span = text.span
        var start = 0
        while start < span.count, SVGCharacter.isSpace(span[start]) { start += 1 }
        guard span.hasWord("<?xml", at: start) else { return text }
        while start < span.count, !span.hasWord("?>", at: start) { start += 1 }
        return span.array(min(span.count, start + 2)..<span.count)
    }
}

/// The supported encodings: those built into libxml2, and those of browsers, which the C library
/// keeps in loadable modules.
///
/// The list is closed, so that a document means the same on every machine. A process that decodes
/// untrusted images loads the modules before it reads one, and loads no code afterwards.
package enum XMLEncoding {
    private static let builtIn: Set<String> = [
        "utf-8", "utf8", "utf-16", "utf16", "utf-16le", "utf-16be", "iso-8859-1", "iso-latin-1",
        "ascii", "us-ascii",
    ]

    /// The name of each module, followed by its aliases.
    private static let modules: [[String]] =
        [2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16].map { number in
            ["iso-8859-\(number)", "iso8859-\(number)", "iso_8859-\(number)"]
        }
        + (1250...1258).map { ["windows-\($0)", "cp\($0)"] }
        + [
            ["latin1", "l1", "iso8859-1", "iso_8859-1", "cp819"], ["latin2", "l2"],
            ["ibm866", "cp866"], ["koi8-r", "koi8r"], ["koi8-u"], ["macintosh", "mac"],
            ["mac-cyrillic"], ["windows-874", "cp874", "tis-620"], ["gbk", "cp936"],
            ["gb2312", "euc-cn"], ["gb18030"], ["big5"], ["big5-hkscs"], ["euc-jp"],
            ["iso-2022-jp"], ["shift_jis", "shift-jis", "sjis"], ["windows-31j", "cp932"],
            ["euc-kr"], ["uhc", "cp949"],
        ]

    private static let moduleNames = Set(modules.joined())

    /// Loads every module permanently. Takes a few milliseconds.
    package static func prepare() {
        _ = loaded
    }

    /// The number of modules that the system has; the first access loads them.
    private static let loaded: Int = {
        // Documents in the encoding of a missing module fail to load.
        modules.count { names in
            names.first.map { name in
                unsafe Int(bitPattern: iconv_open("UTF-8", name)) != -1
            } ?? false
        }
    }()

    /// Returns whether an image is an SVG in an encoding that needs one of the modules.
    package static func needsModule(_ picture: Span<UInt8>) -> Bool {
        guard case .picture(.svg) = ImageSniffer.sniff(picture) else { return false }
        let name =
            PackedText.isPacked(picture)
            ? declared(in: PackedText.beginning(of: picture).span) : declared(in: picture)
        return name.map(hasModule) ?? false
    }

    /// Returns whether one of the modules reads this encoding.
    static func hasModule(_ name: String) -> Bool {
        !builtIn.contains(name) && moduleNames.contains(name)
    }

    /// Throws if a document's encoding is not in the list.
    static func check(_ text: Span<UInt8>) throws(DecodeError) {
        guard let name = declared(in: text), !builtIn.contains(name), !moduleNames.contains(name)
        else { return }
        throw .unsupported("an SVG in the encoding \(name)")
    }

    /// Returns the encoding in a text's XML declaration, in lower case.
    ///
    /// Skips zero bytes, so that UTF-16 texts are read too.
    static func declared(in text: Span<UInt8>) -> String? {
        var head: [UInt8] = []
        for index in 0..<min(text.count, 1_024) {
            let byte = text[index]
            if byte == 0 || byte >= 0x80 { continue }
            head.append(byte)
            if byte == UInt8(ascii: ">") { break }
        }
        let words = String(decoding: head, as: UTF8.self)
        guard let start = words.firstRange(of: "<?xml")?.upperBound,
            words[..<start].dropLast(5).allSatisfy(\.isWhitespace),
            let name = words[start...].firstRange(of: "encoding")?.upperBound
        else { return nil }
        let rest = words[name...].drop { $0.isWhitespace || $0 == "=" }
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
        return rest.dropFirst().prefix { $0 != quote }.lowercased()
    }
}
