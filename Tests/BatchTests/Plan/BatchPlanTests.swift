import Batch
import Engine
import Notation
import Support
import Testing
import Transport

@Suite("A batch plan")
struct BatchPlanTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func plan(_ inputs: [PlanInput], drawsLabels: Bool = false) throws -> BatchPlan {
        try BatchPlan(inputs, options: PlanOptions(drawsLabels: drawsLabels))
    }

    private func ids(_ plan: BatchPlan) -> [String] {
        (0..<plan.count).map { plan.item(at: $0).name }
    }

    /// Plans a CSV list.
    private func ids(csv text: String, drawsLabels: Bool = false) throws -> [String] {
        try folder.write(text, to: "list.csv")
        return try ids(plan([.list(folder.path("list.csv"))], drawsLabels: drawsLabels))
    }

    @Test("rows from a program are planned like a list of the same rows")
    func rowsOfProgram() throws {
        let long = String(repeating: "Łódź ", count: 300)
        let columns: [(source: String?, id: String?, label: String?, badge: String?)] = [
            ("https://a.example/logo.png", nil, nil, nil),
            ("https://b.example/logo.png", nil, "A \"quoted\" label", nil),
            ("https://a.example/logo.png", nil, nil, "7:brand"),
            ("logos/acme.svg", "acme", long, nil), (nil, "none", nil, nil),
            ("/elsewhere/acme.svg", "acme", "Acme", nil),
            ("https://a.example/logo.png", nil, nil, nil),
        ]
        var list = ""
        var rows: [ListRow] = []
        for (index, column) in columns.enumerated() {
            var row = ListRow(line: index + 1, offset: 0)
            row.source = column.source
            row.id = column.id
            row.label = column.label
            row.look[.badge] = column.badge
            rows.append(row)
            var json = JSONWriter()
            json.object { json in
                if let source = column.source { json.member("source", source) }
                if let id = column.id { json.member("id", id) }
                if let label = column.label { json.member("label", label) }
                if let badge = column.badge { json.member("badge", badge) }
            }
            list += String(decoding: json.take(), as: UTF8.self) + "\n"
        }
        try folder.write(list, to: "rows.ndjson")
        let given = try BatchPlan(
            rows: rows, in: FilePath(folder.path), options: PlanOptions())
        let listed = try plan([.list(folder.path("rows.ndjson"))])
        #expect(given.count == columns.count && listed.count == columns.count)
        for index in columns.indices.reversed() {
            let (one, other) = (given.item(at: index), listed.item(at: index))
            #expect(one.name == other.name && one.id == other.id)
            #expect(one.source == other.source && one.label == other.label)
            #expect(one.look == other.look && one.folder == other.folder)
            #expect(one.line == other.line && one.row == other.row)
            #expect(one.sharesFilesWith == other.sharesFilesWith)
            #expect(one.plainSource == other.plainSource)
        }
    }

    @Test("a name that only one item needs is unchanged")
    func plain() throws {
        #expect(
            try ids(csv: "url\nhttps://a.example/acme.svg\nhttps://b.example/globex.png\n")
                == ["acme", "globex"])
    }

    @Test("every item of a contested name gets the hash of its source")
    func contested() throws {
        let one = "https://a.example/logo.png"
        let two = "https://b.example/logo.png"
        #expect(
            try ids(csv: "url\n\(one)\n\(two)\n")
                == ["logo-\(ItemName.hash(of: one))", "logo-\(ItemName.hash(of: two))"])
        #expect(
            try ids(csv: "url\n\(two)\n\(one)\n")
                == ["logo-\(ItemName.hash(of: two))", "logo-\(ItemName.hash(of: one))"])
    }

    @Test("items with one source and one recipe share their files")
    func shared() throws {
        let url = "https://a.example/logo.png"
        #expect(try ids(csv: "url,label\n\(url),A\n\(url),B\n") == ["logo", "logo"])
        let other = "https://b.example/logo.png"
        let (one, two) = (ItemName.hash(of: url), ItemName.hash(of: other))
        #expect(
            try ids(csv: "url\n\(url)\n\(other)\n\(url)\n")
                == ["logo-\(one)", "logo-\(two)", "logo-\(one)"])
    }

    @Test("labels distinguish items only if they are drawn")
    func labels() throws {
        let url = "https://a.example/logo.png"
        let hash = ItemName.hash(of: url)
        #expect(
            try ids(csv: "url,label\n\(url),A\n\(url),B\n", drawsLabels: true)
                == ["logo-\(hash)", "logo-\(hash)-2"])
    }

    @Test("one source with several recipes is numbered in input order")
    func numbered() throws {
        let url = "https://a.example/logo.png"
        let hash = ItemName.hash(of: url)
        #expect(
            try ids(csv: "url,layout\n\(url),small\n\(url),large\n\(url),small\n\(url),medium\n")
                == ["logo-\(hash)", "logo-\(hash)-2", "logo-\(hash)", "logo-\(hash)-3"])
    }

    @Test("a numbered name that is already taken is skipped")
    func passedOver() throws {
        let url = "https://a.example/logo.png"
        let hash = ItemName.hash(of: url)
        let taken = "logo-\(hash.uppercased())"
        let rows = [
            "\(url),,small", "\(url),,large", "\(url),,medium", "x.png,\(taken),",
            "y.png,logo-\(hash)-3,",
        ]
        #expect(
            try ids(csv: "url,id,layout\n" + rows.joined(separator: "\n"))
                == [
                    "logo-\(hash)-2", "logo-\(hash)-4", "logo-\(hash)-5", taken, "logo-\(hash)-3",
                ])
    }

    @Test("names that differ only in case or Unicode form are equal")
    func folding() throws {
        let names = try ids(
            csv: "url,id\na.png,Caf\u{E9}\nb.png,cafe\u{301}\nc.png,STRASSE\nd.png,stra\u{DF}e\n")
        #expect(names[0] == "Caf\u{E9}-\(ItemName.hash(of: "a.png"))")
        #expect(names[1] == "caf\u{E9}-\(ItemName.hash(of: "b.png"))")
        #expect(names[2].hasPrefix("STRASSE-") && names[3].hasPrefix("stra\u{DF}e-"))
    }

    @Test("long names stay distinct within their limit, including suffix and number")
    func long() throws {
        let long = String(repeating: "x", count: 130)
        let rows = (0..<12).map { "https://a.example/\(long).png,L\($0)" }
        let names = try ids(csv: "url,layout\n" + rows.joined(separator: "\n"))
        #expect(Set(names).count == 12)
        #expect(names.allSatisfy { $0.utf8.count == 120 })
        #expect(names[11].hasSuffix("-12"))
    }

    @Test("long names that become equal are numbered")
    func shortened() throws {
        let base = String(repeating: "x", count: 109)
        let rows = ["a", "b"].flatMap { end in
            (0..<2).map { "logo.png,\(base)\(end)\(end),L\($0)" }
        }
        let names = try ids(csv: "url,id,layout\n" + rows.joined(separator: "\n"))
        #expect(Set(names).count == 4)
        #expect(names.allSatisfy { $0.utf8.count <= 120 })
    }

    @Test("inputs are planned in the order of the command line")
    func order() throws {
        try folder.write("b", to: "photos/b.png")
        try folder.write("z", to: "photos/a/z.jpg")
        try folder.write("-", to: "photos/notes.txt")
        try folder.write("s", to: "single.svg")
        try folder.write("# comment\nphotos/b.png\n\nhttps://x.example/\n", to: "list.txt")
        let plan = try plan([
            .source(folder.path("single.svg")), .source(folder.path("photos/")),
            .list(folder.path("list.txt")), .source("-"),
            .source("data:,x"), .source("ftp://x.example/y.png"),
        ])
        let names = ids(plan)
        let hash = ItemName.hash(of: "data:,x")
        let b = "b-\(ItemName.hash(of: "b.png"))"
        let listed = "b-\(ItemName.hash(of: "photos/b.png"))"
        #expect(names.prefix(2) == ["single", "a/z"])
        #expect(names[2] == "b" && names[3] == "b" || names[2] == b && names[3] == listed)
        #expect(names.suffix(4) == ["x.example", "stdin", "data-\(hash)", "y"])
        #expect(plan.skips.otherFiles == 1)
        #expect(plan.item(at: 3).line == 2)
        #expect(plan.item(at: 0).line == nil)
    }

    @Test("a planned row keeps everything that its list states")
    func row() throws {
        let row = #"""
            {"id":"acme","source":"logos/a.svg","label":"Acme",
             "layout":"small","appearance":"info","mode":"fill","placeholder":"none","badge":"3",
             "focus":"0,1",
             "alternatives":["b.png","ftp://x/y","https://c.example/c.png"],"merchant":998,"x":[1]}
            """#
        try folder.write("[\(row)]", to: "lists/list.json")
        let item = try plan([.list(folder.path("lists/list.json"))]).item(at: 0)
        #expect(item.id == "acme" && item.source == "logos/a.svg" && item.line == 1)
        #expect(item.label == "Acme")
        #expect(item.look.all == ["small", "info", "fill", "none", "3", "0,1"])
        #expect(item.placeholder == "none")
        #expect(item.extra.map(\.name) == ["merchant", "x"])
        #expect(item.list == folder.path("lists/list.json"))
        #expect(
            try item.reference(remoteOnly: false).kind
                == .file(FilePath(folder.path("lists/logos/a.svg"))))
        #expect(
            item.alternativeReferences(remoteOnly: false).map(\.text)
                == ["b.png", "https://c.example/c.png"])
        #expect(throws: ItemFailure.self) { try item.reference(remoteOnly: true) }
    }

    @Test("invalid rows are items with a name and an error")
    func badRows() throws {
        try folder.write("\"a.png\"\n{oops\n\n[1]\n{\"id\":\"q\"}\n", to: "list.ndjson")
        let plan = try plan([.list(folder.path("list.ndjson"))])
        #expect(ids(plan) == ["a", "item", "item", "q"])
        #expect(plan.item(at: 1).problem != nil && plan.item(at: 1).line == 2)
        #expect(plan.item(at: 2).problem == .wrongKind("an array"))
        #expect(plan.item(at: 3).problem == nil)
        try folder.write("{\"source\":5}\n{\"url\":true,\"id\":7}\n", to: "numbers.ndjson")
        let numbers = try self.plan([.list(folder.path("numbers.ndjson"))])
        let problem = numbers.item(at: 0).problem.map { "\($0)" }
        #expect(problem == "source: 5 is a number, but must be a string")
        #expect(numbers.item(at: 1).problem != nil && numbers.item(at: 1).id == "7")
        #expect(throws: ItemFailure(.missingURL, "no source is given")) {
            try plan.item(at: 3).reference(remoteOnly: false)
        }
    }

    @Test(
        "an input that cannot be planned is refused with its exit code",
        arguments: [
            (PlanInput.source("missing.png"), Int32(66)), (.list("missing.csv"), 66),
            (.list("bad.csv"), 65),
        ])
    func refused(_ input: PlanInput, _ code: Int32) throws {
        try folder.write("a,b\n1,2\n", to: "bad.csv")
        let here: PlanInput =
            switch input {
            case .source(let name): .source(folder.path(name))
            case .list("-"): input
            case .list(let name): .list(folder.path(name))
            }
        let error = #expect(throws: PlanError.self) { try plan([here]) }
        #expect(error?.exitCode == code)
        #expect(error?.description.isEmpty == false)
    }

    @Test("standard input is accepted only once")
    func standardInput() {
        #expect(throws: PlanError.standardInputTwice) { try plan([.source("-"), .source("-")]) }
        #expect(throws: PlanError.standardInputTwice) {
            try plan([.source("-"), .list("-")])
        }
    }

    @Test("one relative path in lists of two folders names two files")
    func twoFolders() throws {
        try folder.write("logo.png\n", to: "a/list.txt")
        try folder.write("logo.png\n", to: "b/list.txt")
        let names = try ids(
            plan([
                .list(folder.path("a/list.txt")),
                .list(folder.path("b/list.txt")),
            ]))
        let hash = ItemName.hash(of: "logo.png")
        #expect(names == ["logo-\(hash)", "logo-\(hash)-2"])
    }
}
