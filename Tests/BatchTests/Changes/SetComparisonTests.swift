import Batch
import Notation
import Support
import System
import Testing
import Transport

/// Writes manifests and compares them.
@Suite("Comparing two sets")
struct SetComparisonTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private struct Row {
        var id: String
        var source = "https://cdn.example/x.png"
        var more = #""status":"ok""#
        var digest = "aa"
        var extra = ""
    }

    private func text(_ rows: [Row], options: String = "{}") -> String {
        let items = rows.enumerated().map { index, row in
            #"{"type":"item","index":\#(index),"row":\#(index + 1),"id":"\#(row.id)","#
                + #""name":"n","source":"\#(row.source)",\#(row.more),"#
                + #""outputs":[{"path":"small/\#(row.id).png","sha256":"\#(row.digest)"}]"#
                + row.extra + "}"
        }
        let head =
            #"{"type":"run","schema":"emblem.manifest/1","tool":"t","options":\#(options)}"#
        let lines = [head] + items + [#"{"type":"summary","items":\#(rows.count)}"#]
        return lines.joined(separator: "\n") + "\n"
    }

    private func compare(
        _ old: String, _ new: String
    ) throws -> (SetComparison, [SetComparison.Item]) {
        try folder.write(old, to: "old.ndjson")
        try folder.write(new, to: "new/manifest.ndjson")
        var comparison = try SetComparison(
            FilePath(folder.path("old.ndjson")), FilePath(folder.path("new")))
        var items: [SetComparison.Item] = []
        try comparison.forEachItem { items.append($0) }
        return (comparison, items)
    }

    private static let failed =
        #""status":"placeholder","error":{"class":"dns","message":"The name is unknown."}"#
    private static let stale = #""status":"ok","stale":true,"error":{"class":"dns"}"#

    @Test("every item of a comparison has one kind, and its differences have names")
    func kinds() throws {
        let old = ["a", "b", "c", "d", "e", "f", "g"].map { Row(id: $0) }
        var new = old
        new[0].digest = "bb"
        new[1].more = Self.failed
        new[2].more = Self.stale
        new[3].source = "https://cdn.example/y.png"
        new[4].extra = #","overrides":{"appearance":"danger"},"extra":{"n":1}"#
        new.remove(at: 5)
        new.append(Row(id: "h"))
        let (comparison, items) = try compare(text(old), text(new))
        #expect(
            items.map { "\($0.id) \($0.kind.rawValue) \($0.aspects.map(\.rawValue))" } == [
                #"a changed ["outputs"]"#, #"b failing ["status", "error"]"#,
                #"c stale ["status", "error"]"#, #"d changed ["source"]"#,
                #"e changed ["options", "details"]"#, "h added []", "f gone []",
            ])
        #expect(items[0].outputs == ["small/a.png"])
        #expect(items[1].outputs == [])
        let words = "1 new, 3 changed, 1 gone, 1 now fails, 1 now stale"
        #expect(comparison.changes.words == words)
        #expect(comparison.changes.unchanged == 1 && comparison.hasDifferences)
        let back = try compare(text(new), text(old)).0.changes
        #expect(back.words == "1 new, 3 changed, 1 gone, 2 repaired")
    }

    @Test("a comparison ignores the order of items, the lines of bad rows and the JSON spelling")
    func order() throws {
        let old = (0..<50).map {
            Row(id: "item-\($0)", more: #""line":\#($0),"status":"failed""#)
        }
        var new = Array(old.reversed())
        for index in new.indices { new[index].more = #""line":\#(index + 7),"status":"failed""# }
        let spaced = text(new).replacing(#","id":"#, with: #", "id": "#)
        for other in [text(new), spaced, spaced.replacing("item-4", with: #"item\u002d4"#)] {
            let (comparison, items) = try compare(text(old), other)
            #expect(items.isEmpty && !comparison.hasDifferences)
            #expect(comparison.changes.unchanged == 50)
        }
    }

    @Test("items with one id are compared in their order")
    func repeated() throws {
        let old = ["x", "y", "x", "x"].enumerated().map { Row(id: $1, digest: "\($0)") }
        let (same, _) = try compare(text(old), text(["y", "x", "x", "x"].map { Row(id: $0) }))
        #expect(same.changes.words == "4 changed")
        let (fewer, items) = try compare(text(old), text([old[0], old[2]]))
        #expect(fewer.changes.words == "2 gone")
        #expect(items.map(\.id) == ["y", "x"])
    }

    @Test("a comparison includes options and the theme, but not the version of the tool")
    func options() throws {
        let old = text([Row(id: "a")], options: #"{"scale":[1],"target":[]}"#)
        let new = old.replacing(#""scale":[1]"#, with: #""scale":[1,2]"#)
        let (comparison, items) = try compare(old, new)
        #expect(items.isEmpty && comparison.hasDifferences)
        #expect(comparison.optionWords == ["--scale was 1 and is now 1,2"])
        #expect(comparison.options.map(\.name) == ["scale"])
        let other = old.replacing(#""tool":"t""#, with: #""tool":"u""#)
        #expect(try !compare(old, other).0.hasDifferences)
        let themed = old.replacing("]}}", with: #"]},"theme_sha256":"ff"}"#)
        #expect(try compare(old, themed).0.optionWords == ["the theme differs"])
    }

    @Test(
        "an incomplete manifest is refused with its path and line",
        arguments: [
            ("", "line 1: it has no summary"), ("{}\n", "line 1: it does not start with a run"),
            ("{\"type\":\"run\"}\n", "names no schema"), ("\u{FF}\n", "line 1: "),
            ("HEAD", "line 2: it has no summary"),
            ("HEAD{\"type\":\"item\"", "the last line is cut off"),
            ("HEAD{\"type\":\"summary\",\"items\":7}\n", "has another number of items than 0"),
            ("HEAD{\"type\":\"item\",\"index\":1,\"id\":\"a\n", "line 2: "),
            ("HEAD[[[[[[\n", "line 2: "),
            ("HEAD{\"type\":\"item\",\"index\":0,\"id\":\"a\",\"status\":\"ok\"\n", "line 3: "),
        ])
    func broken(manifest: String, words: String) throws {
        let head = #"{"type":"run","schema":"emblem.manifest/1"}"# + "\n"
        let error = #expect(throws: ComparisonError.self) {
            try compare(text([]), manifest.replacing("HEAD", with: head))
        }
        let said = error.map { "\($0)" } ?? ""
        #expect(said.contains("new/manifest.ndjson") && said.contains(words), "\(said)")
    }

    @Test("random edits of a list are counted as they were made")
    func randomEdits() throws {
        let seed = TestSeed.value
        var random = SeededRandom(seed: seed)
        for _ in 0..<20 {
            let old = (0..<Int.random(in: 0..<60, using: &random)).map { Row(id: "i\($0)") }
            var (new, expected) = ([Row](), [0, 0, 0])
            for row in old {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: expected[2] += 1
                case 1:
                    var row = row
                    row.digest = "bb"
                    new.append(row)
                    expected[1] += 1
                default: new.append(row)
                }
            }
            for number in 0..<Int.random(in: 0..<9, using: &random) {
                new.append(Row(id: "new\(number)"))
                expected[0] += 1
            }
            if Bool.random(using: &random) { new.shuffle(using: &random) }
            let changes = try compare(text(old), text(new)).0.changes
            let counted = [SetChanges.Kind.added, .changed, .gone].map { changes[$0] }
            #expect(counted == expected, "seed \(seed)")
            #expect(changes.unchanged == old.count - expected[1] - expected[2], "seed \(seed)")
        }
    }
}
