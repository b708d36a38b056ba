import Batch
import Engine
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
            json.object { json in
                json.member("type", "item")
                json.member("index", index)
                json.member("id", "item\(index)")
                json.member("source", source)
                if index < 3 {
                    json.object("error") { json in
                        json.member("class", index == 0 ? "timeout" : "corrupt")
                        json.member("retryable", index == 0)
                        json.member("message", "It is so.")
                    }
                }
                if index == 2 { json.object("accessibility") { $0.member("label", "Two\nlines") } }
            }
            json.endLine()
        }
        try folder.write(json.take(), to: "manifest.ndjson")
    }

    private func list(_ errorClass: ErrorClass? = nil, host: String? = nil) throws -> FailureList {
        try FailureList(folder: FilePath(folder.path), errorClass: errorClass, host: host)
    }

    @Test("holds what failed, narrowed by class and host")
    func narrowed() throws {
        #expect(try list().entries.map(\.index) == [0, 1, 2])
        #expect(try list(.corrupt).entries.map(\.index) == [1, 2])
        #expect(try list(host: "cdn.EXAMPLE").entries.map(\.index) == [0])
        #expect(try list(host: "2001:db8::1").entries.map(\.index) == [1])
        #expect(try list(.timeout, host: "other.example").entries.isEmpty)
        let first = try #require(try list().entries.first)
        #expect(first.isRetryable && first.errorClass == "timeout" && first.message == "It is so.")
    }

    @Test("is CSV that a run takes as its list")
    func csv() throws {
        let text = try list().csv
        #expect(text.hasPrefix("source,id,label,error_class\r\n"))
        #expect(text.contains("\"a,\"\"b\"\".png\",item2,\"Two\nlines\",corrupt\r\n"))
        try folder.write(text, to: "again.csv")
        let plan = try BatchPlan(
            [.list(folder.path("again.csv"), format: nil)],
            options: PlanOptions(scratch: FilePath(folder.path)))
        #expect(plan.count == 3)
        #expect(try plan.item(at: 2).source == "a,\"b\".png")
        #expect(try plan.item(at: 2).label == "Two\nlines")
    }

    @Test("is written as JSON, entry by entry")
    func json() throws {
        var json = JSONWriter()
        try #require(try list().entries.last).write(into: &json)
        let bytes = json.take()
        let value = try JSONParser.parse(bytes.span)
        #expect(
            value.members?.map(\.name)
                == ["index", "id", "source", "class", "retryable", "message", "label"])
    }
}
