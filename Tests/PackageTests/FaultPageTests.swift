import Foundation
import Testing

@Suite("The page of faults")
struct FaultPageTests {
    /// Returns the faults of the page, each with the tests below it.
    private static func faults() throws -> [(name: String, tests: [(file: String, name: String)])] {
        let page = SourceTree.root.appending(path: "Tests/FAULTS.md")
        var faults: [(name: String, tests: [(file: String, name: String)])] = []
        for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
            if let match = line.firstMatch(of: /^- \*\*(.+?)\*\*/) {
                faults.append((String(match.1), []))
            } else if let match = line.firstMatch(of: /^  - `([\w\/]+)`: (.+)$/) {
                faults[faults.count - 1].tests.append((String(match.1), String(match.2)))
            } else if line.hasPrefix("  - Held by no test: ") {
                faults[faults.count - 1].tests.append(("", ""))
            } else {
                // A list item with another form would be ignored as text.
                #expect(!line.hasPrefix("  - "), "\(line)")
            }
        }
        return faults
    }

    @Test("every fault of the page names its tests, or states that it has none")
    func everyFaultIsHeld() throws {
        let faults = try Self.faults()
        #expect(faults.count > 80)
        for fault in faults { #expect(!fault.tests.isEmpty, "\(fault.name)") }
    }

    @Test("every test that the page of faults names exists")
    func everyTestExists() throws {
        for fault in try Self.faults() {
            for test in fault.tests where !test.file.isEmpty {
                let path = SourceTree.root.appending(path: "Tests/\(test.file).swift")
                let text = try String(contentsOf: path, encoding: .utf8)
                let name = NSRegularExpression.escapedPattern(for: "\"\(test.name)\"")
                let isThere =
                    text.range(of: "@Test\\(\\s*" + name, options: .regularExpression) != nil
                #expect(isThere, "\(fault.name): \(test.file) has no test \(test.name)")
            }
        }
    }
}
