/// The first record of a CSV or TSV list.
enum ListHeader {
    struct Column: Sendable {
        let meaning: ListColumn?
        let name: String
        /// The name stands in the header.
        let isNamed: Bool
    }

    /// Reads the header and leaves the window at the first row.
    static func read(
        _ window: inout ListWindow, separator: UInt8, _ dialect: ListDialect, _ fileName: String
    ) throws(ListError) -> [Column] {
        let framer = RecordFramer(separator: separator, fileName: fileName)
        guard let frame = try framer.next(&window), !frame.isTooLong else {
            throw ListError(file: fileName, line: 1, .malformed("it has no header"))
        }
        var (names, areUTF8) = DelimitedRecord.fields(
            window.bytes[frame.bytes], separator: separator)
        if names.contains(SpreadsheetCell.column) { names = names.map(SpreadsheetCell.plain) }
        guard areUTF8 else {
            throw ListError(file: fileName, line: 1, .malformed("it is not UTF-8"))
        }
        let columns = distinct(names, dialect)
        let meanings = columns.compactMap(\.meaning)
        guard meanings.contains(.source) || meanings.contains(.url) else {
            if let other = otherSeparator(in: names, separator) {
                throw ListError(
                    file: fileName, line: frame.line,
                    .malformed("its fields are separated by \(other.name); say \(other.option)"))
            }
            let found = names.prefix(8).map { "\"\($0.prefix(40))\"" }.joined(separator: ", ")
            throw ListError(
                file: fileName, line: frame.line,
                .malformed(
                    "its header has no column \"source\" or \"url\", only \(found); "
                        + "say which one it is, as in --columns source=\(hint(names))"))
        }
        if let missing = dialect.missing(among: names).first {
            throw ListError(
                file: fileName, line: frame.line,
                .malformed("its header has no column \"\(missing.prefix(40))\" as --columns says"))
        }
        if Set(meanings).count < meanings.count {
            throw ListError(
                file: fileName, line: frame.line,
                .malformed("its header names a column of ours twice"))
        }
        return columns
    }

    /// The column that looks like addresses, for a message.
    private static func hint(_ names: [String]) -> String {
        let words = ["url", "logo", "image", "src", "icon", "picture", "path", "file"]
        let found = words.lazy.compactMap { word in
            names.first { $0.lowercased().contains(word) }
        }.first
        return String((found ?? names.first ?? "NAME").prefix(40))
    }

    /// Another character that cuts the header's only field into columns of ours.
    private static func otherSeparator(
        in names: [String], _ separator: UInt8
    ) -> (name: String, option: String)? {
        let known: [(Character, String, String)] = [
            (";", "semicolons", "--delimiter ';'"), ("\t", "tabs", "--delimiter tab"),
            (",", "commas", "--delimiter ,"), ("|", "bars", "--delimiter '|'"),
            (":", "colons", "--delimiter ':'"),
        ]
        guard names.count == 1, let name = names.first else { return nil }
        let found = known.filter { $0.0.asciiValue != separator && name.contains($0.0) }
        func parts(_ separator: Character) -> [String] {
            name.split(separator: separator).map { $0.filter { $0 != "\"" } }
        }
        func hasSource(_ separator: Character) -> Bool {
            parts(separator).contains { [.source, .url].contains(ListColumn(header: $0)) }
        }
        let cutting = found.first { parts($0.0).contains { ListColumn(header: $0) != nil } }
        return (cutting ?? found.first).map { character, name, option in
            // Both at once, where none of its columns is one that we know.
            let columns = hasSource(character) ? "" : " --columns source=\(hint(parts(character)))"
            return (name, option + columns)
        }
    }

    /// Columns of no known meaning get names of their own, as members of an object need them.
    private static func distinct(_ names: [String], _ dialect: ListDialect) -> [Column] {
        var seen: Set<String> = []
        var columns: [Column] = []
        for (index, name) in names.enumerated() {
            let meaning = dialect.meaning(of: name)
            var free = name.isEmpty ? "column \(index + 1)" : name
            if meaning == nil {
                let base = free
                var number = 2
                while !seen.insert(free).inserted {
                    free = "\(base) \(number)"
                    number += 1
                }
            }
            columns.append(Column(meaning: meaning, name: free, isNamed: !name.isEmpty))
        }
        return columns
    }
}
