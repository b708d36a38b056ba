import Glibc
import Support
import System
import Testing
import Transport

@Suite("Rows of a list that are read a second time")
struct ListAgainTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func rows(of list: ListFile) throws -> [ListRow] {
        var reader = list.reader()
        var rows: [ListRow] = []
        while let row = try reader.next() { rows.append(row) }
        return rows
    }

    private func list(_ format: ListFormat, _ text: String) throws -> ListFile {
        let path = FilePath(try folder.write(text, to: "list"))
        return try ListFile(path, format: format, scratch: FilePath(folder.path))
    }

    @Test(
        "rows of a list are the same when they are read again in any order",
        arguments: ListFormat.allCases)
    func order(_ format: ListFormat) throws {
        let sources = (0..<400).map { "picture-\($0)-\(String(repeating: "x", count: $0)).png" }
        let text =
            switch format {
            case .txt: sources.map { "# one\n\n\($0)\n" }.joined()
            case .csv: "source\n" + sources.joined(separator: "\n\n")
            case .ndjson: sources.map { "\"\($0)\"\n" }.joined()
            case .json: "[" + sources.map { "\"\($0)\"" }.joined(separator: " ,\n  ") + "]"
            }
        let list = try list(format, text)
        let rows = try rows(of: list)
        #expect(rows.map(\.source) == sources)
        var dice = SeededRandom(seed: TestSeed.value)
        let leaps = (0..<400).flatMap { _ in
            let start = dice.below(rows.count)
            return rows[start..<min(rows.count, start + dice.below(9))]
        }
        for row in rows + rows.reversed() + leaps {
            #expect(try list.row(at: row.offset, line: row.line) == row, "\(TestSeed.words)")
        }
    }

    @Test("rows of a list that changed meanwhile are not read again, even from a block in memory")
    func changed() throws {
        let list = try list(.txt, "one.png\ntwo.png\nsix.png\n")
        let rows = try rows(of: list)
        #expect(try list.row(at: rows[0].offset, line: rows[0].line) == rows[0])
        usleep(20_000)
        try folder.write("one.png\nten.png\nsix.png\n", to: "list")
        for row in rows[1...] {
            #expect(throws: ListError(file: list.name, line: row.line, .changed)) {
                try list.row(at: row.offset, line: row.line)
            }
        }
    }
}
