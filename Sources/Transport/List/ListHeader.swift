/// The first record of a CSV or TSV list.
enum ListHeader {
    struct Column: Sendable {
        let meaning: ListColumn?
        let name: String
    }

    /// Reads the header and leaves the window at the first row.
    static func read(
        _ window: inout ListWindow, separator: UInt8, _ fileName: String
    ) throws(ListError) -> [Column] {
        let framer = RecordFramer(separator: separator, fileName: fileName)
        guard let frame = try framer.next(&window), !frame.isTooLong else {
            throw ListError(file: fileName, line: 1, .malformed("it has no header"))
        }
        guard
            let names = DelimitedRecord.fields(
                window.bytes[frame.bytes], separator: separator)
        else { throw ListError(file: fileName, line: 1, .malformed("it is not UTF-8")) }
        let columns = distinct(names)
        let meanings = columns.compactMap(\.meaning)
        guard meanings.contains(.source) || meanings.contains(.url) else {
            let found = names.prefix(8).map { "\"\($0.prefix(40))\"" }.joined(separator: ", ")
            throw ListError(
                file: fileName, line: frame.line,
                .malformed("its header has no column \"source\" or \"url\", only \(found)"))
        }
        if Set(meanings).count < meanings.count {
            throw ListError(
                file: fileName, line: frame.line,
                .malformed("its header names a column of ours twice"))
        }
        return columns
    }

    /// Columns of no known meaning get names of their own, as members of an object need them.
    private static func distinct(_ names: [String]) -> [Column] {
        var seen: Set<String> = []
        var columns: [Column] = []
        for (index, name) in names.enumerated() {
            let meaning = ListColumn(header: name)
            var free = name.isEmpty ? "column \(index + 1)" : name
            if meaning == nil {
                let base = free
                var number = 2
                while !seen.insert(free).inserted {
                    free = "\(base) \(number)"
                    number += 1
                }
            }
            columns.append(Column(meaning: meaning, name: free))
        }
        return columns
    }
}
