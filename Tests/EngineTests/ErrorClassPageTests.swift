import Engine
import Foundation
import Testing

@Suite("The page of error classes")
struct ErrorClassPageTests {
    @Test("the reference page has one row per error class, with the right mark for retries")
    func rows() throws {
        let page = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Sources/EmblemKit/EmblemKit.docc/Reference.md"),
            encoding: .utf8)
        var classes: [String] = []
        for row in page.matches(of: /\n\| `([a-z0-9_]+)` \|[^|\n]*\|[^|\n]*\| (yes )?\|/) {
            classes.append(String(row.1))
            #expect(ErrorClass(rawValue: String(row.1))?.isRetryable == (row.2 != nil), "\(row.1)")
        }
        #expect(classes == ErrorClass.allCases.map(\.rawValue))
    }
}
