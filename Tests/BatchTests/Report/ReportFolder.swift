import Batch
import Notation
import Support
import Testing
import Theming
import Transport

/// A folder as a run leaves it, with the items that a test adds.
struct ReportFolder {
    let folder: ScratchFolder
    private var manifest: [UInt8] = []
    private var count = 0

    static let options = #"{"layout":["large"],"scheme":["light"],"appearance":"brand"}"#

    init(options: String = Self.options) throws {
        folder = try ScratchFolder()
        add(#"{"type":"run","tool":"emblem 9","options":\#(options)}"#)
    }

    private mutating func add(_ line: String) {
        manifest += Array(line.utf8) + [0x0A]
    }

    /// Adds an item with usual values, except those given.
    mutating func item(
        id: String, source: String = "https://cdn.example/x.png", error: String? = nil,
        message: String = "404", members: [JSON.Member] = []
    ) {
        var json = JSONWriter()
        json.object { json in
            json.member("type", "item")
            json.member("index", count)
            json.member("id", id)
            json.member("source", source)
            json.member("status", error == nil ? "ok" : "placeholder")
            if let error {
                json.object("error") { json in
                    json.member("class", error)
                    json.member("message", message)
                }
            }
            for member in members { json.member(member.name, member.value) }
        }
        count += 1
        add(String(decoding: json.bytes, as: UTF8.self))
    }

    func page(_ sources: ReportSources? = nil) throws -> String {
        try folder.write(manifest, to: "manifest.ndjson")
        let page = try ReportPage(
            folder: FilePath(folder.path), counts: RunCounts(total: count), theme: .builtIn,
            sources: sources
        ).html()
        try folder.write(page, to: ReportPage.name)
        return page
    }

    /// Returns the JSON data that a page contains for its script.
    static func data(in page: String) throws -> JSON {
        let start = try #require(page.firstRange(of: "id=\"data\">")?.upperBound)
        let end = try #require(page[start...].firstRange(of: "</script>")?.lowerBound)
        return try JSONParser.parse(
            Array(page[start..<end].utf8).span, limits: JSONLimits(bytes: 64 << 20))
    }
}
