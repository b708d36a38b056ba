import Batch
import Engine
import Foundation
import Support
import Testing
import Transport

@Suite("A list that changes while it is read")
struct ChangedListTests {
    private static let rows = (0..<5_000).map { "pictures/item-\(1_000_000 + $0).png" }
    private static let text = rows.joined(separator: "\n") + "\n"

    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func plan() throws -> BatchPlan {
        try folder.write(Self.text, to: "list.txt")
        return try BatchPlan(
            [.list(folder.path("list.txt"))],
            options: PlanOptions(scratch: FilePath(folder.path), rowsInMemory: 1_000))
    }

    /// Overwrites the list in place.
    private func overwrite(_ text: String, keepingTime: Bool) throws {
        let url = URL(filePath: folder.path("list.txt"))
        let time = try FileManager.default.attributesOfItem(atPath: url.path)[.modificationDate]
        let file = try FileHandle(forWritingTo: url)
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
        guard keepingTime, let time else { return }
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: url.path)
    }

    private func error(_ plan: BatchPlan, at index: Int) -> PlanError? {
        do throws(PlanError) {
            _ = try plan.item(at: index)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "a list that changes in place at the same length is noticed at the next row",
        arguments: [false, true])
    func sameLength(keepingTime: Bool) throws {
        let plan = try plan()
        #expect(try plan.item(at: 4_000).source == Self.rows[4_000])
        try overwrite(String(repeating: "x", count: Self.text.utf8.count), keepingTime: keepingTime)
        let failure = try #require(error(plan, at: 4_000))
        #expect(failure.exitCode == 66)
        #expect("\(failure)".contains("line 4001") && "\(failure)".contains("changed"))
    }

    @Test("a list that grows in place while it is read is noticed")
    func grown() throws {
        let plan = try plan()
        try overwrite(Self.text + "one-more.png\n", keepingTime: false)
        #expect(error(plan, at: 0)?.exitCode == 66)
    }

    @Test("a list that is replaced, renamed or removed while it is read is still read to its end")
    func replaced() throws {
        let plan = try plan()
        let path = folder.path("list.txt")
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        #expect(try plan.item(at: 3_000).source == Self.rows[3_000])
        try folder.write(String(Self.text.reversed()), to: "list.txt")
        #expect(try plan.item(at: 4_999).source == Self.rows[4_999])
        try FileManager.default.removeItem(atPath: path + ".old")
        #expect(try plan.item(at: 0).source == Self.rows[0])
    }
}
