import Notation

/// Reads the rows of a list in order and holds one at a time.
package struct ListReader {
    private static let jsonLimits = JSONLimits(bytes: 4 << 20, depth: 64, values: 100_000)

    private let list: ListFile
    private(set) var scanner: ListScanner
    private var isFirstLine: Bool

    /// - Parameter isFirst: Whether the scanner stands at the first row of the list.
    init(_ list: ListFile, _ scanner: ListScanner, isFirst: Bool) {
        self.list = list
        self.scanner = scanner
        isFirstLine = isFirst
    }

    /// Returns the next row; nil after the last. Throws if the rest of the list is malformed.
    package mutating func next() throws(ListError) -> ListRow? {
        switch list.format {
        case .txt: try nextText()
        case .csv: try nextRecord(separator: list.separator)
        case .json: try nextElement()
        case .ndjson: try nextJSONLine()
        }
    }

    private mutating func nextText() throws(ListError) -> ListRow? {
        while let frame = scanner.nextLine() {
            if frame.isTooLong { return tooLong(frame) }
            let trimmed = scanner.bytes[frame.range].withoutBlanks
            if trimmed.isEmpty || trimmed.first == UInt8(ascii: "#") { continue }
            guard let source = String(validating: trimmed, as: UTF8.self) else {
                throw ListFile.notUTF8(list.name, line: frame.line)
            }
            var row = ListRow(line: frame.line, offset: frame.range.lowerBound)
            row.source = source
            return row
        }
        return nil
    }

    private mutating func nextRecord(separator: UInt8) throws(ListError) -> ListRow? {
        while let frame = try scanner.nextRecord(separator: separator) {
            if frame.isTooLong { return tooLong(frame) }
            let record = scanner.bytes[frame.range]
            if record.isEmpty { continue }
            var builder = RowBuilder(line: frame.line, offset: frame.range.lowerBound)
            let (fields, areUTF8) = DelimitedRecord.fields(record, separator: separator)
            guard areUTF8 else { throw ListFile.notUTF8(list.name, line: frame.line) }
            for (column, field) in zip(list.columns, fields) {
                guard list.isGuarded else {
                    builder.set(column.meaning, column.name, .string(field))
                    continue
                }
                if column.name == SpreadsheetCell.column { continue }
                builder.set(column.meaning, column.name, .string(SpreadsheetCell.plain(field)))
            }
            if let line = frame.quoteFaultLine { builder.fail(.textAfterQuote(line: line)) }
            if !fits(fields) {
                builder.fail(.wrongFieldCount(expected: list.columns.count, found: fields.count))
            }
            return builder.finish()
        }
        return nil
    }

    /// Returns whether the fields fit the columns: surplus fields must be empty, and missing ones
    /// must have no name. So an extra separator at the end of a row or of the header does no harm.
    private func fits(_ fields: [String]) -> Bool {
        let surplus = fields.dropFirst(list.columns.count)
        let missing = list.columns.dropFirst(fields.count)
        return surplus.allSatisfy(\.isEmpty) && !missing.contains(where: \.isNamed)
    }

    private mutating func nextElement() throws(ListError) -> ListRow? {
        guard let frame = try scanner.nextElement() else { return nil }
        if frame.isTooLong { return tooLong(frame) }
        do throws(JSONError) {
            return row(frame, try parse(frame))
        } catch {
            return try failed(frame, error, spoilsList: !error.reason.spoilsOnlyItsRow)
        }
    }

    private mutating func nextJSONLine() throws(ListError) -> ListRow? {
        while let frame = scanner.nextLine() {
            if frame.isTooLong { return tooLong(frame) }
            if scanner.bytes[frame.range].withoutBlanks.isEmpty { continue }
            let wasFirstLine = isFirstLine
            isFirstLine = false
            do throws(JSONError) {
                return row(frame, try parse(frame))
            } catch {
                // If the first line is not JSON, the whole list has another format.
                return try failed(
                    frame, error, spoilsList: wasFirstLine && !error.reason.spoilsOnlyItsRow)
            }
        }
        return nil
    }

    private func parse(_ frame: ListFrame) throws(JSONError) -> JSON {
        try JSONParser.parse(
            scanner.bytes.span.extracting(frame.range), limits: Self.jsonLimits)
    }

    private func row(_ frame: ListFrame, _ value: JSON) -> ListRow {
        ListRow(value, line: frame.line, offset: frame.range.lowerBound, dialect: list.dialect)
    }

    /// Returns the unusable row, or throws if the whole list cannot be read.
    private func failed(
        _ frame: ListFrame, _ error: JSONError, spoilsList: Bool
    ) throws(ListError) -> ListRow {
        let line = frame.line + error.line - 1
        if error.reason == .invalidUTF8 { throw ListFile.notUTF8(list.name, line: line) }
        if spoilsList {
            throw ListError(file: list.name, line: line, .malformed("\(error.reason)"))
        }
        return ListRow(error, line: frame.line, offset: frame.range.lowerBound)
    }

    private func tooLong(_ frame: ListFrame) -> ListRow {
        var row = ListRow(line: frame.line, offset: frame.range.lowerBound)
        row.problem = .tooLong(limit: ListScanner.rowBytesLimit)
        return row
    }
}

extension JSONError.Reason {
    /// Whether only this row is unusable. After a syntax error, in contrast, the list may have
    /// another format.
    fileprivate var spoilsOnlyItsRow: Bool {
        switch self {
        case .duplicateName, .tooDeep, .tooManyValues, .loneSurrogate: true
        default: false
        }
    }
}
