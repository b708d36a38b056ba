/// How the rows of a list are written.
package enum ListFormat: String, CaseIterable, Sendable {
    /// One source a line; a line that begins with `#` is a comment.
    case txt
    /// RFC 4180 with a header.
    case csv
    /// The same with tabs between the fields.
    case tsv
    /// One array of strings or objects.
    case json
    /// One string or object a line.
    case ndjson

    /// The format that a file's name promises; `.gz` after it does not matter.
    package init?(fileName: FilePath) {
        var name = String(decoding: fileName.lastComponent, as: UTF8.self).lowercased()
        if name.hasSuffix(".gz") { name.removeLast(3) }
        guard let dot = name.lastIndex(of: ".") else { return nil }
        self.init(name: String(name[name.index(after: dot)...]))
    }

    /// What stands behind the last dot of a name that promises no format; nil where there is none.
    package static func unknownExtension(of fileName: FilePath) -> String? {
        guard ListFormat(fileName: fileName) == nil else { return nil }
        var name = String(decoding: fileName.lastComponent, as: UTF8.self)
        if name.lowercased().hasSuffix(".gz") { name.removeLast(3) }
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let end = name[name.index(after: dot)...]
        return end.isEmpty ? nil : String(end)
    }

    /// The format by its name or extension, such as `jsonl`.
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
