import Batch
import Engine
import Notation
import Support
import Testing
import Transport

@Suite("Verification of a manifest")
struct VerificationTests {
    private let fixture: RunFixture

    init() throws { fixture = try RunFixture() }

    private static let head = #"{"type":"run","schema":"emblem.manifest/1"}"# + "\n"

    @Test("verification reports files that differ from the manifest")
    func mismatches() async throws {
        try fixture.fill(4)
        try await fixture.runFolder()
        let folder = fixture.folder
        var bytes = try folder.read("out/small/p1001.png")
        bytes[bytes.count - 1] ^= 1
        try folder.write(bytes, to: "out/small/p1001.png")
        try folder.write(bytes + [0], to: "out/small/p1002.png")
        folder.remove("out/large/p1003.png")
        let check = try fixture.verification()
        #expect(!check.isIntact && check.isComplete && check.files == 8)
        #expect(check.mismatches.map(\.reason) == [.content, .size, .missing])
        #expect(check.mismatches.map(\.id) == ["p1001", "p1002", "p1003"])
        #expect(check.mismatches.allSatisfy { !$0.detail.isEmpty })
    }

    @Test("a manifest without a summary, or with paths outside its folder, is incomplete")
    func incomplete() throws {
        try fixture.folder.write(
            """
            {"type":"run","schema":"emblem.manifest/1"}

            {"type":"item","index":0,"id":"x","outputs":[{"path":"../secret"},{"bytes":1},{"path":"a.png"}]}
            {"type":"other"}

            """, to: "out/manifest.ndjson")
        let check = try fixture.verification()
        #expect(!check.isComplete && !check.isIntact && check.items == 1)
        #expect(check.mismatches.map(\.reason) == [.missing, .missing, .missing])
    }

    @Test(
        "a file that is not a manifest is refused",
        arguments: [
            (Self.head + "{oops}\n", 2), ("{\"type\":\"run\"}", 1), ("\u{0}\n", 1),
            (String(repeating: "x", count: 17 << 20), 1),
        ])
    func malformed(_ text: String, _ line: Int) throws {
        try fixture.folder.write(text, to: "out/manifest.ndjson")
        let error = #expect(throws: ManifestError.self) { try fixture.verification() }
        guard case .malformed(let number, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(number == line && error?.description.contains("line \(line)") == true)
    }

    @Test("a missing manifest is reported with the next action")
    func missing() throws {
        let error = #expect(throws: ManifestError.self) { try fixture.verification() }
        #expect(error?.description.contains("emblem batch") == true)
    }

    @Test("a manifest of any length is read in blocks")
    func long() throws {
        let id = String(repeating: "x", count: 5_000)
        let rows = (0..<700).map {
            #"{"type":"item","index":\#($0),"id":"\#(id)","status":"ok"}"# + "\n"
        }
        let summary =
            #"{"type":"summary","items":700,"ok":700,"placeholder":0,"failed":0,"outputs":0}"#
        try fixture.folder.write(
            Self.head + rows.joined() + summary + "\n", to: "out/manifest.ndjson")
        #expect(try fixture.records().count == 702 && fixture.verification().isIntact)
    }

    @Test(
        "a manifest with records of another run is incomplete",
        arguments: [
            (0, Change.lost, "it does not start with a run record"),
            (0, .doubled, "it has more than one run record"),
            (2, .lost, "its summary has items 3, but there are 2"),
            (2, .doubled, "item 1 is there twice"), (2, .swapped, "item 1 follows item 2"),
            (4, .doubled, "a record follows its summary"),
            (
                4, .replaced(#""items":3"#, #""items":300"#),
                "its summary has items 300, but there are 3"
            ),
            (
                4, .replaced(#""outputs":6"#, #""outputs":5"#),
                "its summary has outputs 5, but there are 6"
            ),
            (4, .replaced(#""failed":0,"#, ""), "its summary lacks failed"),
            (
                4, .replaced(#""errors":{"#, #""errors":{"dns":1"#),
                "its summary has errors dns 1, but there are 0"
            ),
            (2, .replaced(#""index":1,"#, ""), "an item has no valid index"),
        ])
    func changed(line: Int, change: Change, fault: String) async throws {
        try fixture.fill(3)
        try await fixture.runFolder()
        #expect(try fixture.verification().isIntact)
        let name = "out/manifest.ndjson"
        var lines = try fixture.folder.text(name).split(separator: "\n").map(String.init)
        #expect(lines.count == 5)
        switch change {
        case .lost: lines.remove(at: line)
        case .doubled: lines.insert(lines[line], at: line)
        case .swapped: lines.swapAt(line, line + 1)
        case .replaced(let text, let other):
            #expect(lines[line].contains(text))
            lines[line] = lines[line].replacing(text, with: other)
        }
        try fixture.folder.write(lines.joined(separator: "\n") + "\n", to: name)
        let check = try fixture.verification()
        #expect(!check.isIntact)
        let found = check.mismatches.filter { $0.reason == .records }
        #expect(found.first?.path == "manifest.ndjson")
        #expect(found.first?.detail == fault, "\(check.mismatches)")
        let failures = try FailureList(
            folder: FilePath(fixture.folder.path("out")), errorClass: nil)
        #expect(failures.fault == fault)
    }

    enum Change: Sendable {
        case lost, doubled, swapped
        case replaced(String, String)
    }

    @Test(
        "a manifest of another schema version is refused",
        arguments: ["emblem.manifest/2", nil])
    func otherSchema(_ schema: String?) throws {
        let member = schema.map { #","schema":"\#($0)""# } ?? ""
        try fixture.folder.write(#"{"type":"run"\#(member)}"# + "\n", to: "out/manifest.ndjson")
        let error = #expect(throws: ManifestError.self) { try fixture.verification() }
        let words = try #require(error).description
        #expect(words.contains("this release reads emblem.manifest/1"), "\(words)")
        #expect(words.contains(schema ?? "names no schema"), "\(words)")
    }

    @Test("a manifest that fails while it is read is an error")
    func brokenDisk() throws {
        try fixture.folder.write("{\"type\":\"summary\"}\n", to: "out/manifest.ndjson")
        let faults = SystemFaults([.init(.read, .fail(5))])
        _ = SystemCalls.$faults.withValue(faults) {
            #expect(throws: ManifestError.self) { try fixture.verification() }
        }
    }
}
