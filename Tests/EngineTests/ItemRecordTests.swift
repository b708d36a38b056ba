import Engine
import Gauge
import Notation
import Render
import Testing
import Theming
import Transport

@Suite("The record of an item")
struct ItemRecordTests {
    /// Writes a record with this failure and reads it back.
    private func readBack(_ failure: ItemFailure) throws -> (written: String, read: ItemRecord) {
        var record = ItemRecord(
            index: 3, id: "a", name: "a", source: "https://host.example/a", status: .placeholder)
        record.failure = failure
        let written = text(of: record)
        let json = try JSONParser.parse(Array(written.utf8).span)
        return (written, try #require(ItemRecord(json)))
    }

    private func text(of record: ItemRecord) -> String {
        var json = JSONWriter()
        record.write(into: &json)
        return String(decoding: json.take(), as: UTF8.self)
    }

    @Test(
        "an item record states the decisions about a logo and reads them back",
        arguments: LogoKind.allCases)
    func decisions(kind: LogoKind) throws {
        var record = ItemRecord(index: 0, id: "a", name: "a", source: "a.png", status: .ok)
        record.decision = LogoDecision(
            kind: kind, trim: 12, inset: 8, cut: [.left, .bottom],
            grounds: [
                .init(
                    scheme: .dark, appearance: .category8, colors: .light, reason: .showsMore,
                    shownBefore: 30, shown: 100, hasHairline: true)
            ])
        let written = text(of: record)
        #expect(
            written.contains(
                #""look":{"kind":"\#(kind.rawValue)","trim":12,"inset":8,"cut":["left","bottom"],"#
                    + #""ground":"#))
        let read = try #require(ItemRecord(try JSONParser.parse(Array(written.utf8).span)))
        #expect(read == record)
        let bytes = Array(written.utf8)
        var json = WrittenJSON(bytes.span)
        #expect(try ItemRecord(&json, detail: nil) == record)
    }

    @Test("an item record states the source of dark outputs and reads it back")
    func darkTwins() throws {
        let written =
            #"{"type":"item","index":0,"id":"a","name":"a","source":"a.png","status":"ok","#
            + #""src_dark":{"bytes":9,"sha256":"ab"},"outputs":[],"lint":[{"code":"blank"}],"#
            + #""dark":["b.png","c d.png"]}"#
        let bytes = Array(written.utf8)
        let value = try JSONParser.parse(bytes.span)
        let record = try #require(ItemRecord(value))
        #expect(record.lint == [.blank] && record.srcDark?.bytes == 9)
        #expect(text(of: record) == written)
        var json = WrittenJSON(bytes.span)
        let read = try ItemRecord(&json, detail: nil)
        #expect(read == record)
    }

    @Test(
        "an item record of every failure class is the same after it is read back",
        arguments: ErrorClass.allCases)
    func classes(_ errorClass: ErrorClass) throws {
        let failure = ItemFailure(errorClass, stage: .fetch, detail: "404 words of a library")
        let (written, read) = try readBack(failure)
        #expect(text(of: read) == written && read.failure?.message == failure.message)
    }

    @Test(
        "an item record holds the HTTP status next to the class, with and without a message",
        arguments: [
            (404, ErrorClass.http4xx), (429, .rateLimited), (499, .http4xx), (503, .http5xx),
            (599, .http5xx),
        ])
    func statuses(_ status: Int, _ errorClass: ErrorClass) throws {
        let failure = ItemFailure(errorClass, stage: .fetch, detail: "\(status)", status: status)
        let (written, read) = try readBack(failure)
        #expect(
            text(of: read) == written && written.contains(",\"http_status\":\(status),\"stage\":"))
        #expect(read.failure?.status == status)
    }
}
