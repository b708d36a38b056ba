import Glibc

/// The encodings that a document may name: those that libxml2 reads by itself, and those that
/// browsers know, which the C library keeps in modules of their own.
///
/// The list is closed, so that a document means the same wherever it is read: a process that decodes
/// strangers' pictures has the modules in place before it meets one, and loads no code afterwards.
package enum XMLEncoding {
    private static let builtIn: Set<String> = [
        "utf-8", "utf8", "utf-16", "utf16", "utf-16le", "utf-16be", "iso-8859-1", "iso-latin-1",
        "ascii", "us-ascii",
    ]

    /// The name of each module, then other names of it.
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

    private static let others = Set(modules.joined())

    /// Loads every module that a document may ask for, for good. Costs a few milliseconds.
    package static func prepare() {
        _ = loaded
    }

    private static let loaded: Int = {
        // What a system lacks is missing for documents too.
        modules.count { names in
            names.first.map { name in
                unsafe Int(bitPattern: iconv_open("UTF-8", name)) != -1
            } ?? false
        }
    }()

    /// Whether a picture is a document that cannot be read without one of the modules.
    package static func needsTable(_ picture: Span<UInt8>) -> Bool {
        guard case .picture(.svg) = ImageSniffer.sniff(picture) else { return false }
        let name =
            PackedText.isPacked(picture)
            ? declared(in: PackedText.beginning(of: picture).span) : declared(in: picture)
        return name.map(hasTable) ?? false
    }

    /// Whether an encoding is read by one of the modules.
    static func hasTable(_ name: String) -> Bool {
        !builtIn.contains(name) && others.contains(name)
    }

    /// Refuses a document in an encoding that is not of the list.
    static func check(_ text: Span<UInt8>) throws(DecodeError) {
        guard let name = declared(in: text), !builtIn.contains(name), !others.contains(name)
        else { return }
        throw .unsupported("an SVG in the encoding \(name)")
    }

    /// The encoding that the declaration at the beginning of a text names, in lower case.
    ///
    /// Bytes of zero are stepped over, so that texts of two bytes a character are read too.
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
