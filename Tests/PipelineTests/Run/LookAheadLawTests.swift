import Pipeline
import Support
import System
import Testing
import Transport

/// Random lists through random schedules: what the look-ahead promises holds in each.
@Suite("The laws of the look-ahead")
struct LookAheadLawTests {
    /// What the test knows of one row.
    private struct Row {
        let source: String
        let host: String?
    }

    private func rows(_ dice: inout SeededRandom) -> [Row] {
        let hosts = 1 + dice.below(6)
        let names = 1 + dice.below(40)
        // Some lists begin with many rows of one host.
        let front = dice.below(3) == 0 ? dice.below(60) : 0
        return (0..<(1 + dice.below(120))).map { index in
            if dice.below(5) == 0 {
                return Row(source: "logo-\(dice.below(names)).png", host: nil)
            }
            let host = index < front ? "host0" : "host\(dice.below(hosts))"
            return Row(source: "http://\(host)/\(dice.below(names)).png", host: host)
        }
    }

    @Test("each row begins once, within the bounds, after the first with its source; all end")
    func everySchedule() throws {
        let folder = try ScratchFolder()
        for seed in 1...1_500 {
            var dice = SeededRandom(seed: UInt64(seed))
            let rows = rows(&dice)
            let text = "source,id\n" + rows.enumerated().map { "\($1.source),i\($0)\n" }.joined()
            try folder.write(text, to: "list.csv")
            let plan = try BatchPlan(
                [.list(folder.path("list.csv"), format: nil)],
                options: PlanOptions(scratch: FilePath(folder.path)))
            try follow(plan, rows, &dice, seed: seed)
        }
    }

    private func follow(
        _ plan: BatchPlan, _ rows: [Row], _ dice: inout SeededRandom, seed: Int
    ) throws {
        var bounds = LookAhead.Bounds(RunSettings())
        bounds.rows = 1 + dice.below(60)
        bounds.local = 1 + dice.below(4)
        bounds.perHost = 1 + dice.below(4)
        bounds.remote = 1 + dice.below(10)
        var lookAhead = LookAhead(
            stride(from: 0, to: plan.count, by: 1), bounds: bounds, remoteOnly: false)
        var open: [LookAhead.Start] = []
        var begun: [Int] = []
        var ended: Set<Int> = []
        while true {
            while let start = try lookAhead.next(in: plan) {
                begun.append(start.row.index)
                #expect(start.row.place == start.row.index, "seed \(seed)")
                #expect(start.item.source == rows[start.row.index].source, "seed \(seed)")
                if start.ticket.isFollower {
                    let source = rows[start.row.index].source
                    #expect(ended.contains { rows[$0].source == source }, "seed \(seed)")
                }
                open.append(start)
                check(open, rows, bounds, seed: seed)
            }
            guard !open.isEmpty else { break }
            let start = open.remove(at: dice.below(open.count))
            ended.insert(start.row.index)
            lookAhead.ended(start.ticket, nil)
        }
        #expect(begun.sorted() == Array(rows.indices), "seed \(seed)")
    }

    private func check(
        _ open: [LookAhead.Start], _ rows: [Row], _ bounds: LookAhead.Bounds, seed: Int
    ) {
        let first = open.filter { !$0.ticket.isFollower }
        let hosts = first.compactMap { rows[$0.row.index].host }
        #expect(first.count - hosts.count <= bounds.local, "seed \(seed)")
        #expect(hosts.count <= bounds.remote, "seed \(seed)")
        let counts = Dictionary(hosts.map { ($0, 1) }, uniquingKeysWith: +)
        #expect(counts.values.allSatisfy { $0 <= bounds.perHost }, "seed \(seed)")
        let sources = first.map { rows[$0.row.index].source }
        #expect(Set(sources).count == sources.count, "seed \(seed)")
    }

    @Test("a host that never ends holds up no other, though its rows come first")
    func slowHostHoldsNobodyUp() throws {
        let folder = try ScratchFolder()
        let slow = (0..<500).map { "http://slow/\($0).png" }
        let fast = (0..<500).map { "http://fast\($0 % 7)/\($0).png" }
        try folder.write((slow + fast).joined(separator: "\n"), to: "list.txt")
        let plan = try BatchPlan(
            [.list(folder.path("list.txt"), format: nil)],
            options: PlanOptions(scratch: FilePath(folder.path)))
        var lookAhead = LookAhead(
            stride(from: 0, to: plan.count, by: 1), bounds: LookAhead.Bounds(RunSettings()),
            remoteOnly: false)
        var ended = 0
        var open: [LookAhead.Start] = []
        while true {
            while let start = try lookAhead.next(in: plan) { open.append(start) }
            guard let place = open.firstIndex(where: { !$0.item.source.contains("slow") }) else {
                break
            }
            lookAhead.ended(open.remove(at: place).ticket, nil)
            ended += 1
        }
        #expect(ended == 500)
    }
}
