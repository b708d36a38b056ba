import Batch
import Notation
import Support
import System
import Testing
import Theming
import Transport

@Suite("Stale items in a report")
struct StaleReportTests {
    /// Adds an item with a picture; stale items keep `ID.png`.
    private func item(
        _ id: String, in run: inout ReportFolder, error: String? = nil, isStale: Bool = false
    ) throws {
        let output = #"[{"path":"\#(id).png","layout":"large","scale":1,"width":64,"height":64}]"#
        var members: [JSON.Member] = [
            .init("outputs", try JSONParser.parse(Array(output.utf8).span))
        ]
        if isStale { members.append(.init("stale", true)) }
        run.item(id: id, error: error, message: "503 Service Unavailable", members: members)
    }

    @Test("stale items come first in a report, with the reason and the age of their emblem")
    func first() throws {
        var run = try ReportFolder()
        try item("good", in: &run)
        try item("missing", in: &run, error: "dns")
        try item("old", in: &run, error: "http_5xx", isStale: true)
        try item("new", in: &run, error: "http_5xx", isStale: true)
        let now = WallClock.nowMilliseconds
        // One picture is three days old; the other is newer than the start of the run.
        for (name, age) in [("old", 3 * 86_400), ("new", 0)] {
            try run.folder.write("picture", to: "\(name).png")
            try OutputFolder(FilePath(run.folder.path)).touch(
                RelativePath("\(name).png") ?? RelativePath(ours: name),
                at: Int(now / 1_000) - age)
        }
        let start = WallClock.iso8601(milliseconds: now - 60_000)
        try run.folder.write(#"{"started":"\#(start)"}"#, to: "run.json")
        let page = try run.page()
        let items = try #require(ReportFolder.data(in: page)["items"]?.elements)
        #expect(items.map { $0["name"]?.stringValue } == ["old", "new", "missing", "good"])
        #expect(items.map { $0["status"]?.stringValue } == ["stale", "stale", "placeholder", "ok"])
        let made = String(WallClock.iso8601(milliseconds: now - 3 * 86_400_000).prefix(10))
        #expect(
            items[0]["message"]?.stringValue
                == "Keeps its last good emblem, made \(made) (3 days ago). 503 Service Unavailable")
        #expect(
            items[1]["message"]?.stringValue
                == "Keeps its last good emblem. 503 Service Unavailable")
        #expect(page.contains("Stale: 2 items keep an earlier emblem"))
        #expect(page.contains("<td class=\"own\">http_5xx: 503 Service Unavailable</td>"))
        #expect(page.contains("<td>\(made) (3 days ago)</td>"))
        #expect(page.contains("<td>not known</td>"))
        // Stale items are counted by class, and listed only once.
        #expect(page.contains("#class=http_5xx\">http_5xx</a></th><td class=\"number\">2</td>"))
        #expect(page.contains("<h3>dns</h3>") && !page.contains("<h3>http_5xx</h3>"))
    }

    @Test("only some of many stale items are shown in a report, before other failures")
    func many() throws {
        var run = try ReportFolder()
        for index in 0..<40 { try item("p\(index)", in: &run, error: "dns") }
        for index in 0..<40 { try item("s\(index)", in: &run, error: "dns", isStale: true) }
        let page = try run.page()
        #expect(page.contains("#status=stale\">15 more</a>"))
        #expect(page.contains("#class=dns\">15 more</a>"))
        #expect(page.contains("<bdi class=\"own\">s39</bdi>"))
        let grid = try #require(page.firstRange(of: "id=\"grid\"")?.upperBound)
        let first = try #require(page[grid...].firstRange(of: "<bdi class=\"own\">")?.upperBound)
        #expect(page[first...].hasPrefix("s0<"))
    }
}
