import Batch
import Engine
import Gauge
import Notation
import Support
import Testing
import Transport

@Suite("The list of failures")
struct FailureListTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        let sources = [
            "https://user:p@CDN.example:8080/a.png", "https://[2001:db8::1]:80/x", "a,\"b\".png",
            "https://cdn.example",
        ]
        var json = JSONWriter()
        for (index, source) in sources.enumerated() {
            var record = ItemRecord(
                index: index, id: index == 1 ? "two of two" : "item\(index)",
                name: index == 1 ? "two-of-two-0123abcd" : "item\(index)", source: source,
                status: index < 3 ? .placeholder : .ok)
            record.row = index + 1
            if index < 3 {
                record.failure = ItemFailure(index == 0 ? .timeout : .corrupt, stage: .fetch)
            }
            if index == 2 {
                record.accessibility.label = "Two\nlines"
                record.look[.layout] = "small"
                record.look[.badge] = "3:info"
                record.alternatives = ["b c.png", "https://c.example/d.png"]
                record.extra = [
                    JSON.Member("merchant", .string("9")), JSON.Member("name", .string("N")),
                ]
            }
            record.write(into: &json)
            json.endLine()
        }
        try folder.write(json.take(), to: "manifest.ndjson")
    }

    private func list(_ errorClass: ErrorClass? = nil) throws -> FailureList {
        try FailureList(folder: FilePath(folder.path), errorClass: errorClass)
    }

    @Test("the list of failures contains failed items, filtered by class")
    func narrowed() throws {
        #expect(try list().entries.map(\.record.index) == [0, 1, 2])
        #expect(try list(.corrupt).entries.map(\.record.index) == [1, 2])
        let first = try #require(try list().entries.first)
        #expect(first.errorClass == .timeout && first.id == "item0")
        #expect(try list().entries[1].id == "two-of-two-0123abcd")
    }

    @Test("the list of failures restores values that a column cannot hold, once")
    func wrongTypes() throws {
        let text = "{\"source\":[\"x\"],\"layout\":[\"small\"]}\n"
        try folder.write(text, to: "wrong.ndjson")
        let plan = try BatchPlan(
            [.list(folder.path("wrong.ndjson"))],
            options: PlanOptions())
        let item = plan.item(at: 0)
        let problem = item.problem.map { "\($0)" }
        #expect(problem == "source: [\"x\"] is an array, but must be a string")
        var record = ItemRecord(
            index: 0, id: "r", name: "r", source: "", status: .placeholder)
        record.failure = ItemFailure(.badRow, stage: .plan, detail: problem ?? "")
        record.extra = item.extra
        var json = JSONWriter()
        record.write(into: &json)
        json.endLine()
        try folder.write(json.take(), to: "manifest.ndjson")
        let bytes = try list().json
        let row = try #require(try JSONParser.parse(bytes.span).elements?.first)
        #expect(row["source"] == .array([.string("x")]))
        #expect(row["layout"] == .array([.string("small")]))
    }

    @Test(
        "the list of failures makes the same emblems when it is used as an input",
        arguments: ["csv", "json"])
    func again(form: String) throws {
        let list = try list()
        #expect(list.hasRelativePaths)
        if form == "csv" {
            let text = list.csv
            #expect(
                text.hasPrefix(
                    "source,id,label,layout,badge,alternatives,merchant,name,row,error_class\r\n"
                ))
            #expect(text.contains("\"a,\"\"b\"\".png\",item2,\"Two\nlines\",small,3:info,"))
            try folder.write(text, to: "again.csv")
        } else {
            try folder.write(list.json, to: "again.\(form)")
        }
        let plan = try BatchPlan(
            [.list(folder.path("again.\(form)"))],
            options: PlanOptions())
        #expect(plan.count == 3)
        let item = plan.item(at: 2)
        #expect(item.source == "a,\"b\".png" && item.label == "Two\nlines")
        #expect(item.look[.layout] == "small" && item.look[.badge] == "3:info")
        #expect(item.alternatives == ["b c.png", "https://c.example/d.png"])
        #expect(item.id == "item2" && item.row == 3)
        #expect(item.extra.first { $0.name == "merchant" }?.value == .string("9"))
        #expect(item.extra.first { $0.name == "name" }?.value == .string("N"))
        #expect(plan.item(at: 1).name == "two-of-two-0123abcd")
    }

    @Test(
        "a list of failures has no cell that a spreadsheet runs, and makes the same items")
    func formulas() throws {
        let texts = [
            "=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", "\tx", "\rx", "'=x", "''@x", "'x", "x",
        ]
        var json = JSONWriter()
        for (index, text) in texts.enumerated() {
            var record = ItemRecord(
                index: index, id: "item\(index)", name: "item\(index)", source: "gone\(index).png",
                status: .placeholder)
            record.failure = ItemFailure(.notFound, stage: .fetch)
            record.accessibility.label = text
            record.extra = [JSON.Member("=own", .string(text))]
            record.write(into: &json)
            json.endLine()
        }
        try folder.write(json.take(), to: "manifest.ndjson")
        let text = try list().csv
        let signs = Set("=+-@\t\r".unicodeScalars)
        for cell in text.split(whereSeparator: { ",\r\n\"".contains($0) }) {
            #expect(cell.unicodeScalars.first.map { !signs.contains($0) } == true, "\(cell)")
        }
        try folder.write(text, to: "safe.csv")
        let plan = try BatchPlan(
            [.list(folder.path("safe.csv"))],
            options: PlanOptions())
        #expect(plan.count == texts.count)
        for (index, text) in texts.enumerated() {
            let item = plan.item(at: index)
            #expect(item.label == text && item.id == "item\(index)")
            #expect(item.extra.first { $0.name == "=own" }?.value == .string(text))
            #expect(!item.extra.contains { $0.name == SpreadsheetCell.column })
        }
    }

    @Test(
        "the list of failures keeps a user's column with a built-in name through many runs",
        arguments: ["csv", "json"])
    func ownNames(form: String) throws {
        let columns = #""row":"A7","class":"gold","error_class":"E5""#
        try folder.write("{\"source\":\"gone.png\",\(columns)}\n", to: "list.ndjson")
        var name = "list.ndjson"
        for _ in 0..<3 {
            let plan = try BatchPlan(
                [.list(folder.path(name))],
                options: PlanOptions())
            let item = plan.item(at: 0)
            for (column, value) in [("row", "A7"), ("class", "gold"), ("error_class", "E5")] {
                let found = item.extra.filter { $0.name == column }.map(\.value)
                #expect(found == [.string(value)], "\(column)")
            }
            #expect(item.extra.count { $0.name.hasPrefix("emblem_") } <= 2)
            var record = ItemRecord(
                index: 0, id: "gone", name: "gone", source: item.source, status: .placeholder)
            record.row = 1
            record.failure = ItemFailure(.notFound, stage: .fetch)
            record.extra = item.extra
            var json = JSONWriter()
            record.write(into: &json)
            json.endLine()
            try folder.write(json.take(), to: "manifest.ndjson")
            name = "again.\(form)"
            let list = try list()
            try folder.write(form == "csv" ? Array(list.csv.utf8) : list.json, to: name)
        }
        let text = try folder.text(name)
        #expect(text.contains("not_found") && text.contains("emblem_row"))
    }
}
