import Batch
import Digest
import Engine
import Notation
import Render
import Support
import Testing
import Transport

@Suite("The journal line of an item")
struct ItemLineTests {
    private static let journal = "out/.emblem/journal.ndjson"

    private var fixture: RunFixture

    init() throws {
        fixture = try RunFixture()
        try fixture.fill(3)
        try fixture.folder.write("no picture", to: "in/x.png")
        fixture.settings.recipe.background = .auto
    }

    /// Plans rows with every column; some rows are invalid or name missing files.
    private func plan(label: String = "caf\u{E9}") throws -> BatchPlan {
        try fixture.plan(
            list: #"""
                source,id,label,appearance,badge,alternatives,colour
                in/p1000.png,a,\#(label),info,,in/p1001.png,red
                in/p1001.png,b,,,,,"two ""words"""
                in/gone.png,c,,,,in/p1002.png,
                in/x.png,d,,,,,
                in/p1000.png,e,,none at all,,,
                ,f,,,,,
                """#)
    }

    private func lines() throws -> [String] {
        try String(decoding: fixture.folder.read(Self.journal), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    /// Replaces the checksum of a line by a valid one.
    private func sound(_ line: [UInt8]) -> [UInt8] {
        let covered = Array(line.dropFirst(17))
        let crc = Hexadecimal.text(CRC32.checksum(covered.span), width: 8)
        return Array("{\"crc\":\"\(crc)\"".utf8) + covered
    }

    /// Writes a journal of these lines and reads its items.
    private func records(_ lines: [[UInt8]]) throws -> [ItemRecord] {
        try fixture.folder.write(Array(lines.joined(separator: [0x0A])) + [0x0A], to: Self.journal)
        let output = try OutputFolder(FilePath(fixture.folder.path("out")))
        var records: [ItemRecord] = []
        try RunHistory.existing(in: output)?.forEachItem { records.append($0) }
        return records
    }

    private func text(of record: ItemRecord) -> String {
        var json = JSONWriter()
        record.write(into: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test("a journal line is read back to the same item in every status")
    func same() async throws {
        try await fixture.runAgain(plan())
        let items = try lines().filter { $0.contains(",\"item\":") }
        #expect(items.count == 6)
        for line in items {
            let record = try #require(records([Array(line.utf8)]).first)
            #expect(line.hasSuffix(",\"item\":\(text(of: record))}"))
        }
    }

    @Test("a journal line with data that would be lost is ignored")
    func changed() async throws {
        try await fixture.runAgain(plan())
        var changed: [[UInt8]] = []
        for line in try lines().filter({ $0.contains(",\"item\":") }).map({ Array($0.utf8) }) {
            for place in stride(from: 58, to: line.count, by: 7) {
                for byte in "0\"\\,:{}[] ".utf8 {
                    changed.append(line[..<place] + [byte] + line[place...])
                    changed.append(line[..<place] + [byte] + line[(place + 1)...])
                }
            }
        }
        // Each line needs a different key, because only the last line of a key counts.
        for index in changed.indices {
            let key = Hexadecimal.text(UInt64(index)) + Hexadecimal.text(UInt64(index))
            changed[index].replaceSubrange(25..<57, with: key.utf8)
            changed[index] = sound(changed[index])
        }
        let items = Set(changed.map { item(in: String(decoding: $0, as: UTF8.self)) })
        let known = try records(changed)
        for record in known { #expect(items.contains(text(of: record))) }
        #expect(known.count > 100 && known.count < changed.count / 2)
    }

    /// Returns the text after the member name, without the final brace of the line.
    private func item(in line: String) -> String {
        line.firstRange(of: ",\"item\":").map { String(line[$0.upperBound...].dropLast()) } ?? ""
    }

    @Test(
        "a journal line with an unknown member is ignored",
        arguments: [
            (",\"item\":", ",\"more\":1,\"item\":"), (",\"status\":", ",\"more\":1,\"status\":"),
            (",\"layout\":", ",\"more\":1,\"layout\":"), ("\"scale\":1", "\"scale\":1.0"),
            ("{\"type\"", "{ \"type\""),
        ])
    func unknown(part: String, other: String) async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        let changed = try lines().map { line in
            line.contains(",\"item\":")
                ? String(
                    decoding: sound(Array(line.replacing(part, with: other).utf8)), as: UTF8.self)
                : line
        }
        try fixture.folder.write(changed.joined(separator: "\n") + "\n", to: Self.journal)
        let report = try await fixture.runAgain(plan())
        #expect(report.counts.reused < 6)
        #expect(try fixture.set() == set)
    }

    @Test("a journal line is unchanged while its item is unchanged")
    func reused() async throws {
        // A file younger than two seconds may still change, so its line is marked as doubtful. The
        // next run would replace such a line.
        try await Task.sleep(for: .seconds(2.1))
        try await fixture.runAgain(plan())
        let first = try lines().filter { $0.contains(",\"item\":") }
        try await fixture.runAgain(plan())
        let both = try lines().filter { $0.contains(",\"item\":") }
        #expect(both == first)
    }

    @Test(
        "a journal line differs for texts that look equal but have other bytes")
    func spelling() async throws {
        try await fixture.runAgain(plan())
        let other = "cafe\u{301}"
        try await fixture.runAgain(plan(label: other))
        try await fixture.run(plan(label: other), into: "fresh")
        #expect(try fixture.set() == fixture.set(in: "fresh"))
    }
}
