import Glibc
import Notation
import Support
import Testing
import Transport

@Suite("A list")
struct ListReaderTests {
    private let lists: ListFolder
    private var folder: ScratchFolder { lists.folder }

    init() throws { lists = try ListFolder() }

    private func rows(_ format: ListFormat, _ text: String) throws -> [ListRow] {
        try lists.rows(text, format)
    }

    private func sources(_ format: ListFormat, _ text: String) throws -> [String?] {
        try rows(format, text).map(\.source)
    }

    private func error(_ format: ListFormat, _ bytes: [UInt8]) -> ListError? {
        lists.error(bytes, format)
    }

    @Test("a text list has one source a line, and skips comments and blank lines")
    func text() throws {
        let text = "a.png\r\n# no\n\n  b c.png\t\n #x\nhttp://x/?a,b\n\t\n\"q\".png"
        let rows = try rows(.txt, text)
        #expect(
            rows.map(\.source) == ["a.png", "b c.png", "http://x/?a,b", "\"q\".png"])
        #expect(rows.map(\.line) == [1, 4, 6, 8])
        #expect(rows.map(\.offset) == [0, 13, 28, 44])
        #expect(try sources(.txt, "").isEmpty && sources(.txt, "\n\n").isEmpty)
        #expect(try sources(.csv, "").isEmpty)
        #expect(try sources(.txt, "\u{FEFF}a.png") == ["a.png"])
    }

    @Test("a CSV list follows RFC 4180")
    func csv() throws {
        let text = """
            id,source,label,extra one,,url\r
            1,a.png,"Acme, ""Inc""\nLtd",x,,\r
            2,"b.png",plain,"",,u.png

            3
            ,"",l,é,z,c.png
            5,d"e.png,5" screen,"q""tail",,
            6,f.png,,,,,,
            7,g.png,a,b,,,more
            8,h.png,"a\"
            """
        let rows = try rows(.csv, text)
        #expect(rows.map(\.line) == [2, 4, 6, 7, 8, 9, 10, 11])
        #expect(
            rows.map(\.source) == [
                "a.png", "b.png", nil, "c.png", "d\"e.png", "f.png", "g.png", "h.png",
            ])
        #expect(rows[0].label == "Acme, \"Inc\"\nLtd" && rows[0].id == "1")
        #expect(rows[0].extra == [.init("extra one", "x"), .init("column 5", "")])
        #expect(rows[1].extra.last == .init("url", "u.png"))
        #expect(rows[3].extra == [.init("extra one", "é"), .init("column 5", "z")])
        #expect(rows[4].extra.first == .init("extra one", "q\"tail"))
        #expect(rows[4].label == "5\" screen")
        #expect(rows[5].problem == nil)
        #expect(rows[6].problem == .wrongFieldCount(expected: 6, found: 7))
        #expect(rows[7].problem == .wrongFieldCount(expected: 6, found: 3))
        #expect(rows[2].problem == .wrongFieldCount(expected: 6, found: 1))
    }

    @Test("a CSV list accepts an extra separator at the end of its header")
    func trailingSeparator() throws {
        let rows = try rows(.csv, "source,id,\na.png,a\nb.png,b,\nc.png\n")
        #expect(rows.map { $0.problem == nil } == [true, true, false])
    }

    @Test("a TSV list is read like CSV with tabs")
    func tsv() throws {
        let rows = try rows(.csv, "URL\t Label \nA, b.png\t\"x\ty\"\n\"c\"\"d\"\t\n")
        #expect(rows.map(\.source) == ["A, b.png", "c\"d"])
        #expect(rows.map(\.label) == ["x\ty", nil])
    }

    @Test("a list recognises its columns and keeps the others in order")
    func columns() throws {
        let header =
            "name,Source,label,layout,appearance,mode,placeholder,badge,alternatives,z,a,z"
        let rows = try rows(
            .csv, header + "\nn,s,l,small,info,fill,none,3:danger,x y|z.png | ,1,2,3\n")
        let row = try #require(rows.first)
        #expect(row.id == "n" && row.source == "s" && row.label == "l")
        #expect(row.look[.layout] == "small")
        #expect(row.look.all == ["small", "info", "fill", "none", "3:danger", nil])
        #expect(row.alternatives == ["x y", "z.png"])
        #expect(row.extra == [.init("z", "1"), .init("a", "2"), .init("z 2", "3")])
    }

    @Test(
        "a list takes alternatives and dark twins as an array or as text",
        arguments: [
            ("a.png b.png", ["a.png", "b.png"]), ("a b.png|", ["a b.png"]), ("", []),
            ("[\"a b\",\"\",\"c\"]", ["a b", "c"]), (" a.png\nb c ", ["a.png", "b c"]),
        ])
    func alternatives(_ text: String, _ alternatives: [String]) throws {
        let cell = text.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"")
        #expect(
            try rows(.csv, "url,alternatives\nx,\"\(cell)\"").first?.alternatives == alternatives)
        #expect(try rows(.csv, "url,dark\nx,\"\(cell)\"").first?.dark == alternatives)
        #expect(try rows(.csv, "url,label\nx,\"\(cell)\"").first?.dark == nil)
    }

    @Test("a JSON list is an array of strings and objects")
    func json() throws {
        let text = """
            \u{FEFF} [ "a.png",
              {"url":"b.png", "id":17, "label":null, "ok":true, "deep":{"x":[1,"]"]}, "name":"n"},
              {"source":"", "url":"c\\"},{[.png"}, 5, null, {"id":{}}, {"alternatives":["x", 1]},
              {"alternatives":7}, {"a":1,"a":2}, {"alternatives":["p q"]}
            ]\r\n
            """
        let rows = try rows(.json, text)
        #expect(
            rows.map(\.source) == [
                "a.png", "b.png", "c\"},{[.png", nil, nil, nil, nil, nil, nil, nil,
            ])
        #expect(rows.map(\.line) == [1, 2, 3, 3, 3, 3, 3, 4, 4, 4])
        #expect(rows[1].id == "17" && rows[1].label == nil)
        #expect(rows[1].extra.map(\.name) == ["ok", "deep", "name"])
        #expect(
            rows.map { $0.problem == nil } == [
                true, true, true, false, false, false, false, false, false, true,
            ])
        #expect(rows[9].alternatives == ["p q"])
        #expect(try sources(.json, "[]").isEmpty && sources(.json, " [ ] ").isEmpty)
    }

    @Test("an NDJSON list has one value a line")
    func ndjson() throws {
        let rows = try rows(
            .ndjson, "\"a.png\"\r\n\n  \n{\"url\":\"b.png\"}\n{bad\n{\"url\":\"c.png\"}")
        #expect(rows.map(\.source) == ["a.png", "b.png", nil, "c.png"])
        #expect(rows.map(\.line) == [1, 4, 5, 6])
        #expect(rows[2].problem != nil && "\(rows[2].problem ?? .notUTF8)".contains("JSON"))
    }

    @Test("a list that breaks its format is refused with the line number")
    func malformed() {
        let cases: [(ListFormat, String, Int?)] = [
            (.csv, "a,b\n1,2", 1), (.csv, "url,url\n", 1),
            (.csv, "url\na\n\"b\nc\n", 3), (.json, "", 1), (.json, "[1", 1),
            (.json, "[1,]", 1), (.json, "[1,,2]", 1), (.json, "[,1]", 1), (.json, "[]x", 1),
            (.json, "[1\n2]", 2), (.json, "[\"a\"\n,\n{\"x\":tru}\n]", 3), (.json, "[1}", 1),
            (.json, "[{]}]", 1), (.json, "[\"a", 1), (.ndjson, "url,id\n", 1),
            (.ndjson, "<html>", nil), (.txt, "\u{89}PNG", nil), (.csv, "PK\u{3}\u{4}", nil),
            (.txt, "%PDF-1.7", nil), (.txt, "\r\n <!DOCTYPE HTML>\n<p>", nil),
            (.csv, "\u{FEFF}\n<HTML lang=\"en\">", nil), (.csv, "<?xml version='1.0'?>", nil),
            (.json, "<svg/>", nil),
        ]
        for (format, text, line) in cases {
            let bytes = text.hasSuffix("PNG") ? [0x89, 0x50, 0x4E, 0x47] : Array(text.utf8)
            let error = error(format, bytes)
            #expect(error?.exitCode == 65, "\(format) \(text)")
            #expect(error?.line == line, "\(format) \(text)")
            #expect(error?.description.contains(folder.path("list")) == true)
        }
        for format in [ListFormat.txt, .csv] {
            let error = error(format, [0x75, 0x72, 0x6C, 0x0A, 0xFF, 0x0A])
            #expect(error?.exitCode == 65 && error?.description.contains("iconv") == true)
        }
    }

    @Test("a list with an overlong line reports that row and continues")
    func longLines() throws {
        let long = String(repeating: "x", count: 3 << 20)
        let limit = RowProblem.tooLong(limit: 1 << 20)
        let text = try rows(.txt, "a\n\(long)\nb\n\(long)")
        #expect(text.map(\.source) == ["a", nil, "b", nil])
        #expect(text.map(\.problem) == [nil, limit, nil, limit])
        #expect(text.map(\.line) == [1, 2, 3, 4])
        let csv = try rows(.csv, "url,x\na,\n\"\(long)\n\n\",\nb,\nc,\(long)")
        #expect(csv.map(\.source) == ["a", nil, "b", nil])
        #expect(csv.map(\.line) == [2, 3, 6, 7])
        let json = try rows(.json, "[\"a\",\n\"\(long)\n\",\n\"b\"]")
        #expect(json.map(\.source) == ["a", nil, "b"])
        #expect(json.map(\.line) == [1, 2, 4])
        let ndjson = try rows(.ndjson, "\"a\"\n\"\(long)\"\n\"b\"\n")
        #expect(ndjson.map(\.problem) == [nil, limit, nil])
        #expect(error(.csv, Array("url\n\"\(long)".utf8))?.line == 2)
        #expect(error(.csv, Array(long.utf8))?.exitCode == 65)
        #expect(limit.description.contains("1048576"))
    }

    @Test("a list in UTF-16 is read like one in UTF-8", arguments: [false, true])
    func utf16(isBigEndian: Bool) throws {
        let text = "\u{FEFF}url,id\r\nhttps://x.example/é.png,日本\u{1F600}\r\n"
        var bytes: [UInt8] = []
        for unit in Array(text.utf16) + [0xD800, 0x61, 0xDC00, 0x2C, 0x62] {
            let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
            bytes += isBigEndian ? [high, low] : [low, high]
        }
        bytes.append(0)
        let rows = try lists.rows(of: lists.list(bytes))
        #expect(rows.map(\.source) == ["https://x.example/é.png", "\u{FFFD}a\u{FFFD}"])
        #expect(rows.map(\.id) == ["日本\u{1F600}", "b\u{FFFD}"])
        #expect(folder.names(in: "") == ["list"])
    }

    @Test("a list takes its format from its name")
    func formats() {
        let cases: [(String, ListFormat?)] = [
            ("a.txt", .txt), ("x/a.CSV", .csv), ("a.tsv", .csv), ("a.json.gz", .json),
            ("a.jsonl", .ndjson), ("a.ndjson.GZ", .ndjson), ("a", nil), ("a.xlsx", nil),
            ("gz", nil),
        ]
        for (name, format) in cases { #expect(ListFormat(fileName: FilePath(name)) == format) }
    }

    @Test("a list that is missing or not a file is reported")
    func missing() throws {
        let scratch = FilePath(folder.path)
        for (path, reason) in [
            (FilePath(folder.path("nothing")), 66), (FilePath(folder.path("nothing/x")), 66),
            (scratch, 66),
        ] {
            let error = #expect(throws: ListError.self) {
                try ListFile(path, format: .txt)
            }
            #expect(error?.exitCode == Int32(reason) && error?.description.isEmpty == false)
        }
        let path = FilePath(try folder.write("a\n", to: "list.txt"))
        let faults = SystemFaults([.init(.open, .fail(EACCES))])
        SystemCalls.$faults.withValue(faults) {
            let error = #expect(throws: ListError.self) {
                try ListFile(path, format: .txt)
            }
            #expect(error?.exitCode == 66)
        }
    }

    @Test("a list on a failing disk ends with an error")
    func brokenDisk() throws {
        let path = FilePath(try folder.write("a\n", to: "list.txt"))
        SystemCalls.$faults.withValue(SystemFaults([.init(.read, first: 2, .fail(EIO))])) {
            let error = #expect(throws: ListError.self) { try ListFile(path, format: .txt) }
            #expect(error?.exitCode == 66)
        }
        let list = try ListFile(path, format: .txt)
        #expect(list.folder == FilePath(folder.path) && list.format == .txt)
    }
}
