import Batch
import Engine
import Notation
import Support
import Testing
import Transport

@Suite("A manifest that is read again")
struct VerificationTests {
    private let fixture: RunFixture

    init() throws { fixture = try RunFixture() }

    private var out: FilePath { FilePath(fixture.folder.path("out")) }

    @Test("tells which files are no longer what it promises")
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
        #expect(!check.isWhole && check.isComplete && check.files == 8)
        #expect(check.mismatches.map(\.reason) == [.content, .size, .missing])
        #expect(check.mismatches.map(\.id) == ["p1001", "p1002", "p1003"])
        #expect(check.mismatches.allSatisfy { !$0.detail.isEmpty })
    }

    @Test("is not whole without its summary, nor with paths that lead elsewhere")
    func incomplete() throws {
        try fixture.folder.write(
            """
            {"type":"run"}

            {"type":"item","id":"x","outputs":[{"path":"../secret"},{"bytes":1},{"path":"a.png"}]}
            {"type":"other"}

            """, to: "out/manifest.ndjson")
        let check = try fixture.verification()
        #expect(!check.isComplete && !check.isWhole && check.items == 1)
        #expect(check.mismatches.map(\.reason) == [.missing, .missing, .missing])
    }

    @Test(
        "is refused where it is none",
        arguments: [
            ("{\"type\":\"run\"}\n{oops}\n", 2), ("{\"type\":\"run\"}", 1), ("\u{0}\n", 1),
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

    @Test("is missed where it is missing, with what to do")
    func missing() throws {
        let error = #expect(throws: ManifestError.self) { try fixture.verification() }
        #expect(error?.description.contains("emblem batch") == true)
    }

    @Test("is read in blocks, however long it is")
    func long() throws {
        let row = "{\"type\":\"item\",\"id\":\"\(String(repeating: "x", count: 5_000))\"}\n"
        try fixture.folder.write(
            String(repeating: row, count: 700) + "{\"type\":\"summary\"}\n",
            to: "out/manifest.ndjson")
        #expect(try fixture.records().count == 701 && fixture.verification().isWhole)
    }

    @Test("that breaks under the reader is an error")
    func brokenDisk() throws {
        try fixture.folder.write("{\"type\":\"summary\"}\n", to: "out/manifest.ndjson")
        let faults = SystemFaults([.init(.read, .fail(5))])
        _ = SystemCalls.$faults.withValue(faults) {
            #expect(throws: ManifestError.self) { try fixture.verification() }
        }
    }
}
