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
        return try ListFile(path, format: format)
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

    @Test("a list may change after it was read")
    func changed() throws {
        let list = try list(.txt, "one.png\ntwo.png\n")
        let rows = try rows(of: list)
        try folder.write("ten.png\nsix.png\n", to: "list")
        for row in rows { #expect(try list.row(at: row.offset, line: row.line) == row) }
    }
}
