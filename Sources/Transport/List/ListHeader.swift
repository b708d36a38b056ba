import Notation

enum ListHeader {
    struct Column: Sendable {
        /// The meaning of the column; nil if it is only copied to the record.
        let meaning: ListColumn?
        let name: String
        /// Whether the header has a name for the column.
        let isNamed: Bool
    }

    /// Returns the separator of a first line such as `sep=;`, which spreadsheets write.
    static func separatorLine(_ line: String) -> UInt8? {
        let text = line.filter { $0 != "\"" }
        guard text.utf8.count == 5, text.lowercased().hasPrefix("sep="), let byte = text.utf8.last,
            [0x09, 0x20, 0x2C, 0x3A, 0x3B, 0x7C].contains(byte)
        else { return nil }
        return byte
    }

    /// Skips a first line such as `sep=;` and returns its separator; nil if there is no such line.
    static func skipSeparatorLine(_ scanner: inout ListScanner) -> UInt8? {
        var next = scanner
        guard let frame = next.nextLine(), frame.range.count < 10,
            let separator = separatorLine(
                String(decoding: scanner.bytes[frame.range], as: UTF8.self))
        else { return nil }
        scanner = next
        return separator
    }

    /// Reads the header and leaves the scanner at the first row.
    static func read(
        _ scanner: inout ListScanner, separator: UInt8, _ dialect: ListDialect, _ fileName: String
    ) throws(ListError) -> [Column] {
        guard dialect.hasHeader else {
            return try positions(scanner, separator, dialect, fileName)
        }
        // An empty file is an empty list.
        guard let frame = try scanner.nextRecord(separator: separator) else { return [] }
        guard !frame.isTooLong else {
            throw ListError(file: fileName, line: 1, .malformed("it has no header"))
        }
        guard frame.quoteFaultLine == nil else {
            throw ListError(
                file: fileName, line: frame.line,
                .malformed("its header has text after a closing quote"))
        }
        var (names, areUTF8) = DelimitedRecord.fields(
            scanner.bytes[frame.range], separator: separator)
        if names.contains(SpreadsheetCell.column) { names = names.map(SpreadsheetCell.plain) }
        guard areUTF8 else { throw ListFile.notUTF8(fileName, line: frame.line) }
        let columns = distinct(names, dialect)
        let meanings = columns.compactMap(\.meaning)
        guard nameSource(meanings) else {
            throw ListError(
                file: fileName, line: frame.line, .malformed(missingSource(among: names)))
        }
        if let missing = dialect.missing(among: names).first {
            throw ListError(
                file: fileName, line: frame.line,
                .malformed("its header has no column \"\(missing.prefix(40))\" of --columns"))
        }
        if let twice = columns.first(where: { column in
            column.meaning != nil && columns.count { $0.meaning == column.meaning } > 1
        }) {
            throw ListError(
                file: fileName, line: frame.line,
                .malformed("its header has the column \"\(twice.name.prefix(40))\" twice"))
        }
        return columns
    }

    /// Returns whether one of the columns names the source of a row.
    static func nameSource(_ columns: [ListColumn]) -> Bool {
        columns.contains(.source) || columns.contains(.url)
    }

    /// Returns the message for a list without a column for sources.
    private static func missingSource(among names: [String]) -> String {
        let found = names.prefix(8).map { "\"\($0.prefix(40))\"" }.joined(separator: ", ")
        return "its header has no column \"source\" or \"url\", only \(found); choose one, as in "
            + "--columns \(hint(names))"
    }

    /// Returns a value for `--columns`, with the column that probably contains the sources.
    private static func hint(_ names: [String]) -> String {
        let words = ["url", "logo", "image", "src", "icon", "picture", "path", "file"]
        let found = words.lazy.compactMap { word in
            names.first { $0.lowercased().contains(word) }
        }.first
        return ShellWord.quoted("source=\((found ?? names.first ?? "NAME").prefix(40))")
    }

    /// Gives distinct names to columns without a known meaning, since they become members of a JSON
    /// object in the record.
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

    /// Returns the columns of a list without a header, as many as the first row has.
    private static func positions(
        _ scanner: ListScanner, _ separator: UInt8, _ dialect: ListDialect, _ fileName: String
    ) throws(ListError) -> [Column] {
        var scanner = scanner
        var count = 0
        let line = scanner.line
        while count == 0, let frame = try scanner.nextRecord(separator: separator), !frame.isTooLong
        {
            let record = scanner.bytes[frame.range]
            if record.isEmpty { continue }
            count = DelimitedRecord.fields(record, separator: separator).texts.count
        }
        let last = dialect.positions.values.max() ?? 0
        guard count == 0 || last <= count else {
            throw ListError(
                file: fileName, line: line,
                .malformed("its first row has no field \(last) of --columns, only \(count)"))
        }
        return (1...max(count, last, 1)).map { position in
            let meaning = dialect.positions.first { $0.value == position }?.key
            return Column(meaning: meaning, name: "column \(position)", isNamed: true)
        }
    }
}
