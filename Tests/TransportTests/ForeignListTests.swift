import Glibc
import Notation
import Support
import Testing
import Transport

@Suite("A list that another program exported")
struct ForeignListTests {
    private let lists: ListFolder

    init() throws { lists = try ListFolder() }

    @Test("an exported list loses one row in fifty to a missing quote")
    func missingQuote() throws {
        var lines = ["id,url,label"] + (1...100).map { "a\($0),\($0).png,L\($0)" }
        lines[10] = "a10,10.png,\"L10"
        lines[60] = "a60,60.png,\"L60\""
        let rows = try lists.rows(lines.joined(separator: "\n"))
        #expect(rows.map(\.source) == (1...100).map { "\($0).png" })
        #expect(rows.map(\.line) == Array(2...101))
        #expect(rows.filter { $0.problem != nil }.map(\.line) == [11])
        #expect(rows[9].problem == .textAfterQuote(line: 61))
        #expect(rows[9].problem?.description.contains("line 61") == true)
    }

    @Test(
        "an exported list has a bad row where text follows a closing quote",
        arguments: [
            ("\"a\"x,1", true), ("\"a\" ,1", true), ("\"a\"\rb,1", true), ("\"a\"\"b\",1", false),
            ("\"a\",1\r", false), ("a\"b\"c,1", false), ("\"a\"\r", false), ("\"\",1", false),
        ])
    func textAfterQuote(_ line: String, _ isBad: Bool) throws {
        let rows = try lists.rows("url,id\n\(line)\nlast.png,2\n")
        #expect(rows.count == 2 && rows[1].source == "last.png" && rows[1].problem == nil)
        #expect((rows[0].problem == .textAfterQuote(line: 2)) == isBad)
    }

    @Test("an exported list is scanned once, even if every row opens a quote followed by text")
    func scansOnce() throws {
        // Each line ends inside quotes, wherever the scan began.
        let lines = 40_000
        let text = "url,x,y\n" + String(repeating: "x\",a,\"\n", count: lines) + "b\"c,d\n"
        let list = try lists.list(Array(text.utf8))
        let start = processorSeconds
        var reader = list.reader()
        var bad: [ListRow] = []
        while let row = try reader.next() {
            if row.problem == .textAfterQuote(line: lines + 2) { bad.append(row) }
        }
        #expect(bad.count == lines)
        for row in bad.suffix(20_000) {
            #expect(try list.row(at: row.offset, line: row.line) == row)
        }
        // Scanning up to the text for every row would take minutes.
        #expect(processorSeconds - start < 20)
    }

    private var processorSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("an exported list finds the rows between two quotes, even more than one row may hold")
    func longMissingQuote() throws {
        let filler = (0..<30_000).map { "pictures/of/a/long/name/\($0).png,\($0)\n" }.joined()
        let rows = try lists.rows("url,id\na.png,\"1\n" + filler + "b.png,\"2\"\nc.png,3\n")
        #expect(rows.count == 30_003)
        #expect(rows.filter { $0.problem != nil }.map(\.line) == [2])
        #expect(lists.error(Array(("url,id\na.png,\"1\n" + filler).utf8))?.exitCode == 65)
    }

    @Test("an exported list in another encoding is refused with the command that converts it")
    func encodings() throws {
        let text = "id,url\né€,ü.png\n"
        func units(_ isBigEndian: Bool) -> [UInt8] {
            text.utf16.flatMap { unit -> [UInt8] in
                let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
                return isBigEndian ? [high, low] : [low, high]
            }
        }
        for bytes in [[0xFF, 0xFE] + units(false), [0xFE, 0xFF] + units(true), Array(text.utf8)] {
            let row = try lists.rows(of: lists.list(bytes)).first
            #expect(row?.id == "é€" && row?.source == "ü.png")
        }
        for (isBigEndian, name) in [(false, "UTF-16LE"), (true, "UTF-16BE")] {
            for format in [ListFormat.csv, .txt, nil] {
                let error = lists.error(units(isBigEndian), format)
                #expect(error?.exitCode == 65)
                #expect(error?.description.contains("'iconv -f \(name) -t UTF-8 ") == true)
            }
        }
        let windows: [UInt8] = [0xE9, 0x80]
        for (format, start, end, line) in [
            (ListFormat.csv, "url\na.png\n", ".png\nb.png\n", 3), (.csv, "url,", "\na.png,1\n", 1),
            (.txt, "a.png\n", "\n", 2), (.ndjson, "{\"url\":\"a\"}\n{\"url\":\"", "\"}\n", 2),
            (.json, "[{\"url\":\"a\"},\n{\"url\":\"", "\"}]\n", 2),
        ] {
            let error = lists.error(Array(start.utf8) + windows + Array(end.utf8), format)
            #expect(error?.exitCode == 65 && error?.line == line, "\(format)")
            #expect(error?.description.contains("'iconv -f CP1252 -t UTF-8 ") == true)
        }
    }

    @Test("a text list with NUL bytes is refused with the command that replaces them")
    func nul() throws {
        for (text, line) in [("a\nb\nc\0d", 3), ("a\0b\0c\0", 1)] {
            let error = lists.error(Array(text.utf8), .txt)
            #expect(error?.exitCode == 65 && error?.line == line)
            #expect(error?.description.contains("tr '\\0' '\\n'") == true)
        }
    }

    @Test("an exported list may have blanks around its paths")
    func blanks() throws {
        let kind = try SourceReference.listed(" \ta b.png ", in: FilePath(""), remoteOnly: false)
            .kind
        #expect(kind == .file(FilePath("a b.png")))
        #expect(throws: ItemFailure(.missingURL, "no source is given")) {
            try SourceReference.listed("  ", in: FilePath(""), remoteOnly: false)
        }
    }

    @Test("a list whose columns have positions has no header")
    func positions() throws {
        let dialect = try ListDialect(columns: "source=2,id=1")
        let rows = try lists.rows("\n1,a.png,x\n2,b.png\n", .csv, dialect)
        #expect(rows.map(\.source) == ["a.png", "b.png"] && rows.map(\.id) == ["1", "2"])
        #expect(rows[0].extra == [.init("column 3", "x")])
        #expect(rows.map { $0.problem == nil } == [true, false])
        #expect(lists.error(Array("1\n".utf8), .csv, dialect)?.exitCode == 65)
        #expect(try lists.rows("", .csv, dialect).isEmpty)
        for columns in ["source=0", "source=1,id=1", "id=1", "source=100001"] {
            #expect(throws: ListDialect.Fault.self) { try ListDialect(columns: columns) }
        }
        let named = try ListDialect(columns: "source=2,id=x")
        #expect(try lists.rows("2,x\na.png,1\n", .csv, named).map(\.source) == ["a.png"])
    }

    @Test(
        "the separator of a list follows from its header, or from lines with equal numbers of fields",
        arguments: [
            ("id;label, long;url\n1;x, y;a.png\n", nil), ("id\turl\n1\ta.png\n", nil),
            ("id|url\n1|a.png\n", nil), ("id,\"x;y;z\",url\n1,,a.png\n", nil),
            ("1;a.png;Acme\n1;b.png;Acme, Inc., Ltd\n", "source=2,id=1"),
            ("1\ta.png\n", "source=2,id=1"), ("1|a.png|b;c\n1|b.png|d\n", "source=2,id=1"),
            ("1,a.png,\"b;c\"\n1,b.png,d\n", "source=2,id=1"),
        ] as [(String, String?)])
    func separators(_ text: String, _ columns: String?) throws {
        for format in [ListFormat.csv, nil] {
            let dialect = try columns.map { try ListDialect(columns: $0) } ?? ListDialect()
            let row = try lists.rows(text, format, dialect).first
            #expect(row?.id == "1" && row?.source == "a.png" && row?.problem == nil)
        }
    }

    @Test("a spreadsheet's separator line at the start of a list is accepted")
    func separatorLine() throws {
        for first in ["sep=;", "SEP=;\r", "\"sep=;\""] {
            let rows = try lists.rows("\(first)\nid;url\n1;a.png\n")
            #expect(rows.map(\.source) == ["a.png"] && rows.map(\.line) == [3])
        }
        #expect(try lists.rows("sep=,\nid,url\n1,a.png\n").map(\.id) == ["1"])
    }

    @Test("an exported list without known columns is refused with an option quoted for a shell")
    func hint() {
        let error = lists.error(Array("Merchant ID;Logo URL\n1;a.png\n".utf8))
        #expect(error?.description.hasSuffix("as in --columns 'source=Logo URL'") == true)
    }

    @Test(
        "an exported list without a file name has the format of its first bytes",
        arguments: [
            ("id,url\n1,a.png\n", .csv), ("id\tsource\n1\ta.png\n", .csv),
            ("[{\"url\":\"a\"}]", .json),
            ("{\"url\":\"a\"}\n", .ndjson), ("a.png\nb,c.png\n", .txt), ("", .txt),
            ("{}\n", .ndjson), ("sep=,\nid,url\n1,2\n", .csv), ("[a].png\n", .txt),
            ("\"id\",\"url\"\n1,2\n", .csv),
        ] as [(String, ListFormat)])
    func formats(_ text: String, _ format: ListFormat) throws {
        #expect(try lists.list(Array(text.utf8), nil).format == format)
    }

    @Test("a list of JSON lines named as an array is read, and the other way round")
    func otherJSON() throws {
        #expect(
            try lists.rows("{\"url\":\"a\"}\n{\"url\":\"b\"}\n", .json).map(\.source) == ["a", "b"])
        #expect(
            try lists.rows("[{\"url\":\"a\"},\n{\"url\":\"b\"}]", .ndjson).map(\.source) == [
                "a", "b",
            ])
    }

    @Test("an exported list from a pipe resolves paths from the working folder")
    func pipe() throws {
        var ends: [Int32] = [0, 0]
        try #require(unsafe Glibc.pipe(&ends) == 0)
        let text = Array("a.png\n".utf8)
        #expect(unsafe write(ends[1], text, text.count) == text.count)
        close(ends[1])
        defer { close(ends[0]) }
        let path = FilePath("/proc/self/fd/\(ends[0])")
        let list = try ListFile(path, format: nil)
        #expect(list.folder == FilePath("") && list.format == .txt)
        #expect(try lists.rows(of: list).map(\.source) == ["a.png"])
    }
}
