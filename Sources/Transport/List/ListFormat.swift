package enum ListFormat: String, CaseIterable, Sendable {
    /// One source per line; a line that begins with `#` is a comment.
    case txt
    /// RFC 4180 with any separator (`ListSeparator`).
    case csv
    case json
    /// One string or object per line.
    case ndjson

    /// The format for the extension of a file name; a `.gz` after it is ignored.
    package init?(fileName: FilePath) {
        var name = String(decoding: fileName.lastComponent, as: UTF8.self).lowercased()
        if name.hasSuffix(".gz") { name.removeLast(3) }
        guard let dot = name.lastIndex(of: ".") else { return nil }
        self.init(extension: String(name[name.index(after: dot)...]))
    }

    /// Returns the format of a list from its name and its first bytes.
    init(_ bytes: [UInt8], named: ListFormat?, _ dialect: ListDialect) {
        let signs = Array(
            bytes.lazy.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.prefix(2))
        let isArray = ["[{", "[\"", "[]"].contains { signs.elementsEqual($0.utf8) }
        let isObject = ["{\"", "{}"].contains { signs.elementsEqual($0.utf8) }
        switch named {
        case .ndjson where isArray: self = .json
        // Many programs write one object per line under this name.
        case .json where isObject && ListScanner.envelope(bytes[...]) == nil: self = .ndjson
        case let named?: self = named
        case nil where isArray: self = .json
        case nil where isObject: self = .ndjson
        case nil:
            let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
            let isTable =
                !dialect.hasHeader || Self.separator(ofHeader: line, dialect) != nil
                || ListHeader.separatorLine(String(decoding: line, as: UTF8.self)) != nil
            self = isTable ? .csv : .txt
        }
    }

    private init?(extension name: String) {
        switch name {
        case "txt": self = .txt
        case "csv", "tsv", "tab": self = .csv
        case "json": self = .json
        case "ndjson", "jsonl": self = .ndjson
        default: return nil
        }
    }
}

/// Separators of the fields of a CSV list.
extension ListFormat {
    private static let separators = ",;\t|".utf8
    /// The number of first lines that decide the separator of a list without a header.
    private static let sampleLines = 10

    /// Returns the separator that splits a header into columns of which one names the source; nil if
    /// none does.
    static func separator(ofHeader line: ArraySlice<UInt8>, _ dialect: ListDialect) -> UInt8? {
        separators.first { separator in
            ListHeader.nameSource(
                DelimitedRecord.fields(line, separator: separator).texts
                    .compactMap { dialect.meaning(of: $0) })
        }
    }

    /// Returns the probable separator of a list from its first bytes.
    static func likelySeparator(_ bytes: ArraySlice<UInt8>, _ dialect: ListDialect) -> UInt8 {
        let lines = bytes.split(separator: 0x0A, maxSplits: sampleLines)
        guard let first = lines.first else { return UInt8(ascii: ",") }
        func count(_ line: ArraySlice<UInt8>, _ separator: UInt8) -> Int {
            DelimitedRecord.fields(line, separator: separator).texts.count
        }
        var candidates = Array(separators)
        if dialect.hasHeader {
            if let separator = separator(ofHeader: first, dialect) { return separator }
        } else {
            // Each line of a list without a header has the same number of fields. The last part may
            // be cut off.
            let sample = lines.count > 1 ? lines.dropLast() : lines[...]
            let equal = candidates.filter { separator in
                let fields = count(first, separator)
                return fields > 1 && sample.allSatisfy { count($0, separator) == fields }
            }
            if !equal.isEmpty { candidates = equal }
        }
        let most = candidates.map { count(first, $0) }.max()
        return candidates.first { count(first, $0) == most } ?? UInt8(ascii: ",")
    }
}

/// The first bytes of files that are not lists, so that the error names the kind of file instead of
/// many bad rows.
extension ListFormat {
    private static let others: [([UInt8], String)] = [
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
    static func otherKind(_ bytes: [UInt8]) -> String? {
        if let kind = others.first(where: { bytes.starts(with: $0.0) })?.1 { return kind }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)
            .drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let start = String(decoding: text.prefix(16), as: UTF8.self).lowercased()
        return markup.first { start.hasPrefix($0.0) }?.1
    }
}
