import Engine
import Notation
import Testing

@Suite("The record of an item")
struct ItemRecordTests {
    /// Reads back what is written of an item that failed in this way.
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

    @Test("of every class of failure says the same once it is read", arguments: ErrorClass.allCases)
    func classes(_ errorClass: ErrorClass) throws {
        let failure = ItemFailure(errorClass, stage: .fetch, detail: "404 words of a library")
        let (written, read) = try readBack(failure)
        #expect(text(of: read) == written && read.failure?.message == failure.message)
    }

    @Test(
        "the status of an answer stands next to the class, with and without words of its own",
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
