import Support
import Transport

/// A folder for the list of a test.
struct ListFolder {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    func list(
        _ bytes: [UInt8], _ format: ListFormat? = .csv, _ dialect: ListDialect = ListDialect()
    ) throws -> ListFile {
        let path = FilePath(try folder.write(bytes, to: "list"))
        return try ListFile(path, format: format, dialect)
    }

    /// Returns all rows.
    ///
    /// - Throws: ``Unequal`` if a row is not the same when it is read again from its offset.
    func rows(of list: ListFile) throws -> [ListRow] {
        var reader = list.reader()
        var rows: [ListRow] = []
        while let row = try reader.next() { rows.append(row) }
        for row in rows.reversed() {
            guard try list.row(at: row.offset, line: row.line) == row else {
                throw Unequal(line: row.line)
            }
        }
        return rows
    }

    struct Unequal: Error { let line: Int }

    func rows(
        _ text: String, _ format: ListFormat? = .csv, _ dialect: ListDialect = ListDialect()
    ) throws -> [ListRow] {
        try rows(of: list(Array(text.utf8), format, dialect))
    }

    func error(
        _ bytes: [UInt8], _ format: ListFormat? = .csv, _ dialect: ListDialect = ListDialect()
    ) -> ListError? {
        do {
            _ = try rows(of: list(bytes, format, dialect))
            return nil
        } catch {
            return error as? ListError
        }
    }
}
