import Batch
import Engine
import Support
import Targets
import Testing
import Transport

@Suite("Names in targets with restricted names")
struct TargetNamesTests {
    private func names(_ list: String) throws -> [String] {
        let folder = try ScratchFolder()
        try folder.write(list, to: "list.csv")
        let plan = try BatchPlan(
            [.list(folder.path("list.csv"))],
            options: PlanOptions(
                targets: [.files, .android]))
        return (0..<plan.count).map { plan.item(at: $0).otherNames["android"] ?? "" }
    }

    @Test("a target name is the name of the item if no other item needs it")
    func alone() throws {
        #expect(
            try names("source,id\na.png,Acme\nb.png,a-b\nc.png,9.x\n") == ["acme", "a_b", "9_x"])
    }

    @Test("items that need the same target name all get a suffix, in any order")
    func contested() throws {
        let rows = ["a.png,a-b", "b.png,a.b", "c.png,c", "d.png,A_B"]
        let forward = try names("source,id\n" + rows.joined(separator: "\n"))
        let backward = try names("source,id\n" + rows.reversed().joined(separator: "\n"))
        #expect(forward == backward.reversed() && Set(forward).count == 4)
        #expect(forward.allSatisfy { $0 == "c" || $0.wholeMatch(of: /a_b_[0-9a-f]{8}/) != nil })
    }

    @Test("items that share their files have one name in a target")
    func shared() throws {
        let found = try names("source,id\na.png,a-b\na.png,a-b\nb.png,a.b\n")
        #expect(found[0] == found[1] && found[0] != found[2])
    }
}
