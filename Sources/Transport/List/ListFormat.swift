package enum ListFormat: String, CaseIterable, Sendable {
    /// One source per line; a line that begins with `#` is a comment.
    case txt
    /// RFC 4180 with a header.
    case csv
    /// CSV with tabs instead of commas.
    case tsv
    case json
    /// One string or object per line.
    case ndjson

    /// The format for the extension of a file name; a `.gz` after it is ignored.
    package init?(fileName: FilePath) {
        var name = String(decoding: fileName.lastComponent, as: UTF8.self).lowercased()
        if name.hasSuffix(".gz") { name.removeLast(3) }
        guard let dot = name.lastIndex(of: ".") else { return nil }
        self.init(name: String(name[name.index(after: dot)...]))
    }

    /// Returns the extension of a file name if no format has it; nil if a format has it, or without
    /// an extension.
    package static func unknownExtension(of fileName: FilePath) -> String? {
        guard ListFormat(fileName: fileName) == nil else { return nil }
        var name = String(decoding: fileName.lastComponent, as: UTF8.self)
        if name.lowercased().hasSuffix(".gz") { name.removeLast(3) }
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let end = name[name.index(after: dot)...]
        return end.isEmpty ? nil : String(end)
    }

    /// Returns the probable format of a list from its first bytes.
    static func likely(_ bytes: [UInt8], _ dialect: ListDialect) -> ListFormat {
        if dialect.endsWithNUL { return .txt }
        let signs = bytes.lazy.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.prefix(2)
        switch Array(signs) {
        case [UInt8(ascii: "["), UInt8(ascii: "{")], [UInt8(ascii: "["), UInt8(ascii: "\"")],
            [UInt8(ascii: "["), UInt8(ascii: "]")]:
            return .json
        case [UInt8(ascii: "{"), UInt8(ascii: "\"")]: return .ndjson
        default: break
        }
        let line = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        func hasSource(_ separator: Character) -> Bool {
            line.split(separator: separator).contains { cell in
                let meaning = dialect.meaning(of: cell.filter { $0 != "\"" })
                return meaning == .source || meaning == .url
            }
        }
        if dialect.delimiter == nil, hasSource("\t") && line.contains("\t") { return .tsv }
        let isCSV =
            dialect.delimiter != nil || !dialect.hasHeader || ListHeader.separatorLine(line) != nil
            || [",", ";", "|"].contains(where: hasSource)
        return isCSV ? .csv : .txt
    }

    /// Creates the format with this name or extension.
    package init?(name: String) {
        switch name.lowercased() {
        case "txt": self = .txt
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        case "json": self = .json
        case "ndjson", "jsonl": self = .ndjson
        default: return nil
        }
    }
}

/// The first bytes of files that are not lists, so that the error names the kind of file instead of
/// many bad rows.
enum ListMagic {
    private static let known: [([UInt8], String)] = [
        ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"),
        ([0xFF, 0xD8, 0xFF], "a JPEG picture"),
        (Array("GIF8".utf8), "a GIF picture"),
        (Array("RIFF".utf8), "a WebP image or an audio file"),
        (Array("%PDF".utf8), "a PDF document"),
        ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive or a spreadsheet"),
        (Array("BZh".utf8), "compressed with bzip2"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "compressed with xz"),
        ([0x28, 0xB5, 0x2F, 0xFD], "compressed with zstd"),
        (Array("PAR1".utf8), "a Parquet file"),
    ]

    /// The first characters of pages and drawings, in lower case.
    private static let markup = [
        ("<!doctype html", page), ("<html", page), ("<!doctype svg", drawing),
        ("<svg", drawing), ("<?xml", drawing),
    ]
    private static let page = "an HTML page"
    private static let drawing = "an SVG or XML file"

    /// Returns the kind of a file that is not a list, with its article.
    static func foreign(_ bytes: [UInt8]) -> String? {
        if let kind = known.first(where: { bytes.starts(with: $0.0) })?.1 { return kind }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)
            .drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let start = String(decoding: text.prefix(16), as: UTF8.self).lowercased()
        return markup.first { start.hasPrefix($0.0) }?.1
    }
}
