import Notation
import Support
import Testing

@Suite("The commands that only look")
struct LookTests {
    private let folder: ScratchFolder

    init() throws { folder = try Pictures.mixedFolder() }

    private func json(_ arguments: [String], status: Int32 = 0) throws -> [JSON] {
        let run = try Tool.emblem(arguments + ["--json"], in: folder.path)
        #expect(run.status == status, "\(run.errors)")
        let text = run.output
        let lines = text.hasPrefix("{\n") ? [text] : text.split(separator: "\n").map(String.init)
        return try lines.map { line in
            let bytes = Array(line.utf8)
            return try JSONParser.parse(bytes.span)
        }
    }

    @Test("formats tells what is read and written, by what, and how much of it")
    func formats() throws {
        let run = try Tool.emblem(["formats"])
        #expect(run.status == 0 && run.output.contains("webp") && run.output.contains("libjpeg"))
        let record = try #require(try json(["formats"]).first)
        #expect(record["reads"]?.elements?.count == 9)
        #expect(record["writes"]?.elements?.count == 4)
        #expect(record[path: ["limits", "pixels"]]?.intValue == 50_000_000)
    }

    @Test("inspect tells what each file is, and what a batch would do with it")
    func inspect() throws {
        let names = ["in/acme.png", "in/sub/photo.jpg", "in/text.png", "in/zz-cut.png"]
        let records = try json(["inspect"] + names)
        #expect(records.map { $0["format"]?.stringValue } == ["png", "jpeg", nil, "png"])
        #expect(
            records.map { $0["outcome"]?.stringValue }
                == ["ok", "ok", "placeholder", "placeholder"])
        #expect(records[0]["width"]?.intValue == 200)
        let run = try Tool.emblem(["inspect"] + names, in: folder.path)
        #expect(run.status == 0 && run.output.contains("200 x 200 px"))
        #expect(run.output.contains("not_image") && run.output.contains("truncated"))
        let missing = try json(["inspect", "in/nothing.png"], status: 66)
        #expect(missing.first?[path: ["error", "class"]]?.stringValue == "not_found")
    }

    @Test("theme shows every token, and checks what it shows")
    func theme() throws {
        let shown = try Tool.emblem(["theme", "show"])
        #expect(shown.status == 0 && shown.output.contains("theme.color.emblem.brand.background"))
        let record = try #require(try json(["theme", "check"]).first)
        #expect(record["low_contrast"]?.elements?.isEmpty == true)
        try folder.write(
            ##"{"theme":{"color":{"on-background":{"brand-subtle":"#E0E0E0"}}}}"##,
            to: "pale.json")
        let pale = try Tool.emblem(["theme", "check", "pale.json"], in: folder.path)
        #expect(pale.status == 0 && pale.output.contains("below 4.5:1"))
        let found = try #require(try json(["theme", "check", "pale.json"]).first)
        #expect((found["low_contrast"]?.elements?.count ?? 0) > 0)
        try folder.write(#"{"theme":{"color":{"emblem":7"#, to: "bad.json")
        let bad = try Tool.emblem(["theme", "check", "bad.json"], in: folder.path)
        #expect(bad.status == 65 && bad.errors.contains("bad.json"))
    }
}
