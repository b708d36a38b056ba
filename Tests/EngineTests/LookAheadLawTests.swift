import Engine
import Support
import System
import Testing
import Transport

/// Tests the guarantees of the look-ahead with random lists and random schedules.
@Suite("The laws of the look-ahead window")
struct LookAheadLawTests {
    /// The test's own state of one row.
    private struct Row {
        let source: String
        let host: String?
    }

    private func rows(_ dice: inout SeededRandom) -> [Row] {
        let hosts = 1 + dice.below(6)
        let names = 1 + dice.below(40)
        // Some lists start with many rows of one host.
        let front = dice.below(3) == 0 ? dice.below(60) : 0
        return (0..<(1 + dice.below(120))).map { index in
            if dice.below(5) == 0 {
                return Row(source: "logo-\(dice.below(names)).png", host: nil)
            }
            let host = index < front ? "host0" : "host\(dice.below(hosts))"
            return Row(source: "http://\(host)/\(dice.below(names)).png", host: host)
        }
    }

    @Test(
        "each row begins once, within the bounds, after the first row of its source; all rows end")
    func everySchedule() {
        for seed in 1...1_500 {
            var dice = SeededRandom(seed: UInt64(seed))
            let rows = rows(&dice)
            follow(rows, &dice, seed: seed)
        }
    }

    @Test("the cost of adding a row does not depend on how many rows wait")
    func longQueue() {
        func seconds(_ count: Int) -> Double {
            var list = SourceRows(
                (0..<count).map { "logo-\($0).png" }, LookAheadBounds(RunSettings(), local: 6))
            let first = list.next()
            return processorSeconds {
                var ended = 0
                var next = first
                while let start = next, ended < 4_000 {
                    list.ended(start)
                    ended += 1
                    next = list.next()
                }
                #expect(ended == 4_000)
            }
        }
        let (short, long) = (seconds(5_000), seconds(60_000))
        #expect(long < 8 * short + 0.02, "\(short) s, \(long) s")
    }

    private func follow(_ rows: [Row], _ dice: inout SeededRandom, seed: Int) {
        var bounds = LookAheadBounds(RunSettings(), local: 6)
        bounds.rows = 1 + dice.below(60)
        bounds.local = 1 + dice.below(4)
        bounds.perHost = 1 + dice.below(4)
        bounds.remote = 1 + dice.below(10)
        var list = SourceRows(rows.map(\.source), bounds)
        var open: [LookAhead.Start] = []
        var begun: [Int] = []
        var ended: Set<Int> = []
        while true {
            while let start = list.next() {
                begun.append(start.row.index)
                #expect(start.row.place == start.row.index, "seed \(seed)")
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
            list.ended(start)
        }
        #expect(begun.sorted() == Array(rows.indices), "seed \(seed)")
    }

    private func check(
        _ open: [LookAhead.Start], _ rows: [Row], _ bounds: LookAheadBounds, seed: Int
    ) {
        let first = open.filter { !$0.ticket.isFollower }
        let hosts = first.compactMap { rows[$0.row.index].host }
        #expect(first.count - hosts.count <= bounds.local, "seed \(seed)")
        #expect(hosts.count <= bounds.remote, "seed \(seed)")
        #expect(open.count - first.count <= bounds.local, "seed \(seed)")
        let counts = Dictionary(hosts.map { ($0, 1) }, uniquingKeysWith: +)
        #expect(counts.values.allSatisfy { $0 <= bounds.perHost }, "seed \(seed)")
        let sources = first.map { rows[$0.row.index].source }
        #expect(Set(sources).count == sources.count, "seed \(seed)")
    }

    @Test("a host that never answers delays no other host, even if its rows come first")
    func slowHostHoldsNobodyUp() {
        let slow = (0..<500).map { "http://slow/\($0).png" }
        let fast = (0..<500).map { "http://fast\($0 % 7)/\($0).png" }
        var list = SourceRows(slow + fast, LookAheadBounds(RunSettings(), local: 6))
        var ended = 0
        var open: [LookAhead.Start] = []
        while true {
            while let start = list.next() { open.append(start) }
            let sources = list.sources
            guard let index = open.firstIndex(where: { !sources[$0.row.index].contains("slow") })
            else { break }
            list.ended(open.remove(at: index))
            ended += 1
        }
        #expect(ended == 500)
    }

    @Test(
        "rows of one source run one after the other and report that they wait, also without bounds")
    func unbounded() throws {
        let source = SourceReference(text: "https://a.test/x", kind: .remote)
        var lookAhead = LookAhead(LookAheadBounds())
        let waits = (0..<4).map { lookAhead.add(PlannedRow(place: $0, index: $0), source) }
        #expect(waits == [false, true, true, true])
        var (begun, open): (Set<Int>, LookAhead.Start?) = ([], nil)
        while true {
            let next = lookAhead.next()
            guard let start = next ?? open else { break }
            if next == nil {
                lookAhead.ended(start.ticket, nil)
                open = nil
            } else {
                #expect(open == nil && start.ticket.isFollower == (begun != []))
                begun.insert(start.row.index)
                open = start
            }
        }
        #expect(begun == [0, 1, 2, 3])
    }
}
