import EmblemKit
import Engine
import Foundation
import Support
import Testing
import Transport

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
    }

    /// The rows of the table of errors on the page for servers.
    private static func rows() throws -> [Row] {
        try DocumentationTests.lines(of: "Sources/EmblemKit/EmblemKit.docc/Servers.md").compactMap {
            line in
            let cells = line.split(separator: "|").map { $0.filter { $0 != " " } }
            guard cells.count == 4, Int(cells[3]) != nil else { return nil }
            let classes = cells[0].split(separator: ",").map { $0.filter { $0 != "`" } }
            return Row(classes: classes, isRetryable: cells[2] == "yes")
        }
    }

    @Test("the page for servers lists every error class once, with its retry")
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
        #expect(error.isRetryable)
        #expect("\(error)".contains("status 503, Slow down"))
    }
}
