import Foundation
import Testing

@Suite("Texts of the tool")
struct MessageTextTests {
    @Test("every message, remedy and help text of the sources follows the rules of messages.py")
    func sources() throws {
        let table = try SourceTree.run(["python3", "Tests/messages.py"])
        #expect(table.status == 0)
        #expect(table.output.split(separator: "\n").count > 1000)
        let check = try SourceTree.run(["python3", "Tests/messages.py", "--check"])
        #expect(check.status == 0, "\(check.output)")
    }

    @Test(
        "a text that breaks a rule is found, also if it is split or interpolated")
    func faults() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = #"""
            // "nobody reads comments here"
            let one = "the file was made by no" + "body and is kept"
            let two = "It cannot be read here."
            let three = error("the value is wrong", remedy: "Known are a, b.")
            let four = "the list \(isEmpty ? "shall be read anew" : "is fine here") now"
            let five = "the value \(value) is wrong. Use another value."
            let six = "\#(String(repeating: "long ", count: 50))"
            let seven = error("the value is wrong", remedy: "Use one of a, b.")
            precondition(isOpen, "Nobody calls this twice.")

            """#
        try Data(text.utf8).write(to: folder.appending(path: "Sample.swift"))
        let check = try SourceTree.run(["python3", "Tests/messages.py", "--check", folder.path])
        #expect(check.status == 1)
        let lines = check.output.split(separator: "\n").compactMap { line in
            line.split(separator: ":").dropFirst().first.flatMap { Int($0) }
        }
        #expect(lines == [2, 3, 4, 5, 7], "\(check.output)")
    }
}
