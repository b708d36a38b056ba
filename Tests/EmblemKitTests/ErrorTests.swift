import EmblemKit
import Engine
import Foundation
import Support
import Testing

@Suite("Errors of the library")
struct ErrorTests {
    private static let cause = EmblemError.Cause(errorClass: "http_4xx", reason: "no")

    /// One error of each case.
    private static let cases: [EmblemError] = [
        .missingURL, .failedToLoad(cause), .failedToDecode(cause), .busy("x"), .unavailable("x"),
        .failedToEncode("x"), .failedToDraw("x"), .failedToWrite("x"), .texts("x"), .theme("x"),
        .scaleOutOfRange(9), .header("x"),
    ]

    private struct Row {
        let classes: [String]
        let isRetryable: Bool
        let status: Int
    }

    /// The rows of the table of errors on the page for servers.
    private static func rows() throws -> [Row] {
        try DocumentationTests.lines(of: "Sources/EmblemKit/EmblemKit.docc/Servers.md").compactMap {
            line in
            let cells = line.split(separator: "|").map { $0.filter { $0 != " " } }
            guard cells.count == 4, let status = Int(cells[3]) else { return nil }
            let classes = cells[0].split(separator: ",").map { $0.filter { $0 != "`" } }
            return Row(classes: classes, isRetryable: cells[2] == "yes", status: status)
        }
    }

    @Test("the page for servers lists every error class once, with its retry and HTTP status")
    func table() throws {
        let classes = ErrorClass.allCases.map { errorClass in
            EmblemError.failedToLoad(.init(errorClass: errorClass.rawValue, reason: ""))
        }
        var errors: [String: EmblemError] = [:]
        for error in Self.cases + classes { errors[error.errorClass] = error }
        let rows = try Self.rows()
        let listed = rows.flatMap(\.classes)
        #expect(listed.sorted() == errors.keys.sorted())
        for row in rows {
            for name in row.classes {
                let error = try #require(errors[name])
                #expect(error.isRetryable == row.isRetryable, "\(name)")
                #expect(error.httpStatus == row.status, "\(name)")
            }
        }
    }

    @Test("a localized description equals the description")
    func localized() {
        for error in Self.cases {
            #expect((error as any Error).localizedDescription == "\(error)")
            #expect(!"\(error)".isEmpty)
        }
    }

    @Test("the error of a custom loader keeps its class, status and retry")
    func ownCause() async throws {
        let cause = EmblemError.Cause(
            errorClass: "s3_slow_down", status: 503, reason: "Slow down", isRetryable: true)
        var emblem = AsyncEmblem(url: try testURL())
        emblem.loader = TestLoader { _ in throw EmblemError.failedToLoad(cause) }
        let error = try #require(try await emblem.render().error as? EmblemError)
        #expect(error == .failedToLoad(cause) && error.errorClass == "s3_slow_down")
        #expect(error.isRetryable && error.httpStatus == 502)
        #expect("\(error)".contains("status 503, Slow down"))
    }

    @Test("a decoding failure has the same class as in a manifest")
    func decoding() async throws {
        for (bytes, name) in [
            (Array("text".utf8), "not_image"), (try TestPictures.truncated(), "truncated"),
        ] {
            let error = try await #require(throws: EmblemError.self) {
                try await Image(data: bytes)
            }
            #expect(error.errorClass == name && !error.isRetryable && error.httpStatus == 422)
        }
    }

    @Test("an image that exceeds its CPU time is not retried")
    func tooSlow() async throws {
        var decoding = Decoding()
        decoding.timeout = .seconds(3_600)
        decoding.processorTime = .milliseconds(200)
        var renderer = EmblemRenderer()
        renderer.decoding = decoding
        let drawing = try #require(
            HostileDrawing.all.first { $0.name == "a million octaves of noise" })
        let error = try #require(throws: EmblemError.self) {
            try renderer.emblem(from: drawing.bytes())
        }
        #expect(error.errorClass == "timeout" && !error.isRetryable && error.httpStatus == 504)
    }
}
