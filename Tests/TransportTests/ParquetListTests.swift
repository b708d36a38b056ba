import Foundation
import Notation
import Support
import System
import Testing
import Transport

@Suite("A list in Parquet")
struct ParquetListTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// The files with the same 40 rows: by pyarrow with pages of version 1 or 2, and by Polars.
    private static let equal = ["plain-1", "snappy-1", "gzip-2", "zstd-2", "polars"]

    private static func fixture(_ name: String) throws -> [UInt8] {
        try Array(
            Data(
                contentsOf: Repository.root.appending(
                    path: "Tests/Fixtures/Parquet/\(name).parquet")))
    }

    private func rows(
        _ bytes: [UInt8], _ format: ListFormat? = .parquet, _ dialect: ListDialect = ListDialect()
    ) throws -> [ListRow] {
        let path = FilePath(try folder.write(bytes, to: "list.parquet"))
        let list = try ListFile(path, format: format, dialect, scratch: FilePath(folder.path))
        var reader = list.reader()
        var rows: [ListRow] = []
        while let row = try reader.next() { rows.append(row) }
        for row in rows.reversed() { #expect(try list.row(at: row.offset, line: row.line) == row) }
        return rows
    }

    private func reason(_ bytes: [UInt8], _ dialect: ListDialect = ListDialect()) -> String? {
        do {
            _ = try rows(bytes, .parquet, dialect)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "a Parquet list has the same rows with every compression and page version", arguments: equal
    )
    func values(name: String) throws {
        let rows = try rows(Self.fixture(name))
        #expect(rows.count == 40)
        for (index, row) in rows.enumerated() {
            #expect(row.problem == nil && row.line == index + 1)
            #expect(row.source == (index % 7 == 0 ? nil : "logos/\(index).png"))
            #expect(row.id == "id-\(index % 10)-\(index)")
            #expect(row.label == (index % 2 == 0 ? "A \"b\" \\ é" : "Zwei\nZeilen"))
            var extra = [
                "count": JSON.number(JSONNumber(index - 3)),
                "wide": .number(JSONNumber(index * 1_000_000_000_000 - 5)),
                "mask": .number(JSONNumber(UInt64.max - UInt64(index))),
                "share": .number(JSONNumber(Double(index) / 4)), "after": .string("z"),
            ]
            if index % 11 != 0 { extra["flag"] = .bool(index % 2 == 0) }
            let found = row.extra.map { ($0.name, $0.value) }
            #expect(Dictionary(uniqueKeysWithValues: found) == extra, "row \(index)")
        }
    }

    @Test("a Parquet list is recognised by its content, also with the name of another format")
    func content() throws {
        let bytes = try Self.fixture("snappy-1")
        #expect(try rows(bytes, nil).count == 40)
        #expect(try rows(bytes, .csv).count == 40)
        #expect(reason(Array("source\na.png\n".utf8))?.contains("not a Parquet file") == true)
    }

    @Test(
        "a Parquet list that cannot be read says why",
        arguments: [
            ("brotli", "compressed with Brotli"), ("delta", "the encoding DELTA_BYTE_ARRAY"),
        ])
    func unsupported(name: String, text: String) throws {
        #expect(reason(try Self.fixture(name))?.contains(text) == true)
    }

    @Test("columns of a Parquet list are named with --columns, and nested ones are refused")
    func columns() throws {
        let bytes = try Self.fixture("zstd-2")
        var dialect = ListDialect()
        try dialect.setColumns("source=id,id=after")
        #expect(try rows(bytes, nil, dialect).first?.source == "id-0-0")
        for (columns, text) in [
            ("source=tags", "the column \"tags\" is nested; write it as text"),
            (
                "source=tags,dark=address",
                "columns cannot be read: \"address\" is nested, \"tags\" is nested; write them as text"
            ),
            ("source=nothing", "no column \"nothing\" of --columns"),
            ("label=nothing", "no column \"nothing\" of --columns"),
        ] {
            var dialect = ListDialect()
            try dialect.setColumns(columns)
            let reason = reason(bytes, dialect)
            #expect(reason?.contains(text) == true, "\(columns): \(reason ?? "")")
        }
    }

    @Test("a Parquet list that is cut short is an error at every length")
    func truncation() throws {
        let bytes = try Self.fixture("snappy-1")
        for count in stride(from: 4, to: bytes.count, by: 37) {
            #expect(reason(Array(bytes[..<count])) != nil, "\(count) bytes")
        }
    }

    @Test("a changed byte in a Parquet list gives rows or an error", arguments: equal)
    func damage(name: String) throws {
        let bytes = try Self.fixture(name)
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            var damaged = bytes
            for _ in 0...Int.random(in: 0...2, using: &random) {
                damaged[Int.random(in: 4..<bytes.count, using: &random)] =
                    UInt8.random(in: .min ... .max, using: &random)
            }
            do {
                #expect(try rows(damaged).count <= 1000 * bytes.count, "seed \(seed)")
            } catch {
                #expect(error is ListError, "seed \(seed)")
            }
        }
    }
}
